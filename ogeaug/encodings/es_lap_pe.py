"""ESLapPE: positions of nodes whose distances gate the messages of a backbone."""

from typing import ClassVar

from torch import Tensor, nn
from torch_geometric.data import Data

from ogeaug.checks import check_counts
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.lap_pe import lowest_columns
from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.truncate import truncate


class ESLapPE(Encoding):
    r"""EquivStableLapPE of GraphGPS (Rampasek et al., 2022), after PEG (Wang, Yin, Zhang, Li, ICLR
    2022).

    .. math:: p_i = Q (v_{i1}, \dots, v_{ik}) + b

    It does not join the node features. Every layer of the backbone multiplies its messages by a
    function of :math:`\|p_i - p_j\|^2`
    (:class:`~ogeaug.backbones.distance_gate.DistanceGate`): the gates of GatedGCN, the messages of
    GIN and GINE.

    The k lowest eigenvectors begin with the first, as in GraphGPS; where a graph has fewer, zeros
    stand for them. The linear map Q costs PEG's invariance: distances follow signs and bases unless
    Q is orthogonal. Without it (``project=False``) they are PEG's own, of whole eigenspaces, and
    invariant.

    Symmetries: with Q none, as for :class:`~ogeaug.encodings.lap_pe.LapPE`. Without, the positions
    have none, but their distances do not depend on signs and bases.

    Cost: :math:`O(n k c)`, and :math:`O(E c)` per layer of the backbone.

    Args:
        out_channels: Width c of the positions.
        k: Eigenvectors to use.
        project: Whether to apply Q; if not, ``out_channels`` must be ``k``.
        normalization: Of the Laplacian, where the data has no spectrum.
        directed: Likewise what to do with one-directional edges.

    Shapes:
        - ``Data`` or ``Batch`` with N nodes -> ``[N, out_channels]``

    Example:
        >>> import torch
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> ESLapPE(16, k=3)(square).shape
        torch.Size([4, 16])
    """

    gates: ClassVar[bool] = True

    def __init__(
        self,
        out_channels: int,
        *,
        k: int = 10,
        project: bool = True,
        normalization: Normalization | None = None,
        directed: Directed = "symmetrize",
    ) -> None:
        super().__init__(out_channels, SpectrumOptions(None, normalization, directed))
        check_counts(k=k)
        if not project and k != out_channels:
            raise ValueError(
                f"without its linear map (project=False) the positions are k={k} wide, got "
                f"out_channels={out_channels}; make them equal"
            )
        self.k = k
        self.linear = nn.Linear(k, out_channels) if project else None

    def reset_parameters(self) -> None:
        if self.linear is not None:
            self.linear.reset_parameters()

    def forward(self, data: Data) -> Tensor:
        spectra = self.read_spectra(data)
        if self.linear is None:
            spectra = truncate(spectra, self.k)  # whole eigenspaces
        _, eigvecs = lowest_columns(spectra, self.k, skip=0)  # [N, k]
        if self.linear is None:
            return eigvecs
        return self.linear(eigvecs.to(self.linear.weight.dtype))

    def extra_repr(self) -> str:
        return f"{self.out_channels}, k={self.k}, spectrum={self.spectrum}"
