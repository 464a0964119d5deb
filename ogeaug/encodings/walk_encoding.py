"""What encodings of random walks share: a network of normalised return probabilities."""

from typing import Literal

from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_choice, check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.graph.edges import Directed
from ogeaug.layers import MLP, make_norm
from ogeaug.spectrum.solve import SpectrumOptions

WalkNetwork = Literal["mlp", "linear"]


class WalkEncoding(Encoding):
    r"""Features from return probabilities p of nodes or edges.

    .. math:: z = \operatorname{network}\big( \operatorname{norm}(p) \big)

    Args:
        out_channels: Width c of the output.
        hidden_channels: Width h of the MLP; 64 if absent.
        steps: T, the longest walk.
        network: ``"mlp"`` or ``"linear"``, which has no ``hidden_channels``.
        norm: Of the probabilities; ``"batch"`` or None.
        directed: What to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with R nodes (edges) -> ``[R, out_channels]``
    """

    def __init__(
        self,
        out_channels: int,
        hidden_channels: int | None,
        steps: int,
        network: WalkNetwork,
        norm: Literal["batch"] | None,
        directed: Directed,
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(directed=directed))
        check_choice("network", network, WalkNetwork)
        hidden_channels = hidden_width(hidden_channels, 64, network)
        check_counts(steps=steps)
        if norm not in ("batch", None):
            raise ValueError(f"norm of return probabilities is 'batch' or none, got {norm!r}")
        self.hidden_channels = hidden_channels
        self.steps = steps
        self.network = network
        self.norm = nn.Identity() if norm is None else make_norm(norm, steps)
        self.mlp: nn.Linear | MLP = (
            nn.Linear(steps, out_channels)
            if hidden_channels is None
            else MLP(steps, hidden_channels, out_channels)
        )

    def reset_parameters(self) -> None:
        if not isinstance(self.norm, nn.Identity):
            self.norm.reset_parameters()  # type: ignore[operator]
        self.mlp.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        probabilities = self.read_walks(data).to(self.mlp.weight)  # [R, T]
        if len(probabilities) == 0:  # a batch norm refuses an empty batch
            return self.mlp(probabilities)
        return self.mlp(self.norm(probabilities))  # [R, out_channels]

    def read_walks(self, data: Data) -> Tensor:
        """The return probabilities on the data, or computed now."""
        raise NotImplementedError

    def extra_repr(self) -> str:
        return (
            f"{self.out_channels}, hidden_channels={self.hidden_channels}, steps={self.steps}, "
            f"network={self.network!r}, directed={self.spectrum.directed!r}"
        )


def hidden_width(given: int | None, default: int, network: str) -> int | None:
    """The width of a hidden layer, checked; None of a linear network, which has no such layer."""
    if given is not None:
        check_counts(hidden_channels=given)
        if network == "linear":
            raise ValueError("network='linear' has no hidden layer; leave hidden_channels out")
    return None if network == "linear" else given or default
