"""What encodings of random walks share: an MLP of normalised return probabilities."""

from torch import Tensor
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.graph.edges import Directed
from ogeaug.layers import MLP, make_norm
from ogeaug.spectrum.solve import SpectrumOptions


class WalkEncoding(Encoding):
    r"""Features from return probabilities p of nodes or edges.

    .. math:: z = \operatorname{MLP}\big( \operatorname{norm}(p) \big)

    Args:
        out_channels: Width c of the output.
        hidden_channels: Width h of the MLP.
        steps: T, the longest walk.
        directed: What to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with R nodes (edges) -> ``[R, out_channels]``
    """

    def __init__(
        self, out_channels: int, hidden_channels: int, steps: int, directed: Directed
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(directed=directed))
        check_counts(steps=steps, hidden_channels=hidden_channels)
        self.hidden_channels = hidden_channels
        self.steps = steps
        self.norm = make_norm("batch", steps)
        self.mlp = MLP(steps, hidden_channels, out_channels)

    def reset_parameters(self) -> None:
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
            f"directed={self.spectrum.directed!r}"
        )
