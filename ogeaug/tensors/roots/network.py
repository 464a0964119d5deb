"""What a node's tensor of order 1 looks like from all nodes, and a network on it."""

import torch
from torch import Tensor, nn

from ogeaug.checks import check_counts
from ogeaug.errors import UserError
from ogeaug.layers import make_norm
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.network import First, Graphs
from ogeaug.tensors.roots.compiled import lay_out_roots, run_compiled
from ogeaug.tensors.roots.plain import run_plain

EPS, SCALE = 1e-2, 4.0
"""Of the norm, and the size of what an activation sees beside its bias, which starts at 0."""
MOST_PAIRS = 10**9
"""Pairs of nodes of a graph; more would take hours."""


class RootNetworks(nn.Module):
    r"""A small network at each node i, the root, on all nodes j of its graph.

    .. math::
        U^0_{ij} &= \sigma_0 \Big( \sum_k s_k v_{jk} W^{(1)}_{ik} \Big)
            = \sigma_0 \Big( \sum_k s_k^2 \, e(\lambda_k) \, v_{ik} v_{jk} \Big) \\
        U^l_{ij} &= \sigma_l \Big( Q_l \big[ U^{l-1}_{ij} + \textstyle\sum_{j'} A_{jj'}
            U^{l-1}_{ij'} \big] \Big), \qquad
            \sigma_l(x)_{ij} = \operatorname{ReLU} \big( a \, x_{ij} /
            \sqrt{\|x_i\|^2 + \epsilon} + b_l \big)

    :math:`W^{(1)}_i` is the tensor of order 1 with which OGE-Aug starts. A basis of an eigenspace
    turns it, so that a nonlinear function of its entries would depend on the basis. Its inner
    products with the eigenvectors' rows at the nodes j do not: a basis turns both. So at the nodes
    any function of each entry will do, and so will messages between nodes. That is what the product
    layers lack, whose functions of order 1 are polynomials. What is read at the root are the sum
    over j and the entry of the root itself, of every layer, each through a batch norm.

    Symmetries: those of :class:`ogeaug.OGEAug`. It needs all pairs of nodes of a graph, in time; in
    memory only by PyTorch.

    SPE (Huang et al., 2024) begins with the same matrices; there a node sums up what is at it in
    the networks of all roots, here a root sums up its own network.

    Args:
        channels: Width h.
        num_layers: L.
        enters: Whether W0 starts from what is read (``enter``).

    Shapes:
        - N nodes -> ``[N, (L + 1) 2 h]``
    """

    def __init__(self, channels: int, num_layers: int, *, enters: bool = False) -> None:
        super().__init__()
        check_counts(channels=channels, num_layers=num_layers)
        self.channels, self.num_layers = channels, num_layers
        self.out_channels = (num_layers + 1) * 2 * channels
        self.weight = nn.Parameter(torch.empty(num_layers, channels, channels))
        self.bias = nn.Parameter(torch.empty(num_layers + 1, channels))
        self.norm = make_norm("batch", self.out_channels)
        if enters:
            self.enter = nn.Linear(self.out_channels, channels, bias=False)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        bound = self.channels**-0.5  # that of nn.Linear
        nn.init.uniform_(self.weight, -bound, bound)
        nn.init.zeros_(self.bias)
        self.norm.reset_parameters()  # type: ignore[operator]
        if hasattr(self, "enter"):
            self.enter.reset_parameters()

    def forward(self, first: First, graphs: Graphs, kernel: str) -> Tensor:
        """What is read at each root.

        Args:
            first: The first tensors.
            graphs: The batch.
            kernel: See :class:`ogeaug.OGEAug`.
        """
        check_pairs_of_nodes(graphs.spectra)
        layout = lay_out_roots(self.weight, graphs, kernel)
        if layout is None:
            read = run_plain(first, graphs, self.weight, self.bias, eps=EPS, scale=SCALE)
        else:
            read = run_compiled(layout, first, self.weight, self.bias, eps=EPS, scale=SCALE)
        return self.norm(read)  # [N, (L + 1) 2 h]

    def extra_repr(self) -> str:
        return f"{self.channels}, num_layers={self.num_layers}"


def check_pairs_of_nodes(spectra: SpectrumBatch) -> None:
    """Refuses graphs whose pairs of nodes would take hours."""
    most = int(spectra.num_nodes.max()) if len(spectra) else 0
    if most**2 > MOST_PAIRS:
        raise UserError(
            f"roots look at all pairs of nodes, and a graph has {most:,} nodes; at most "
            f"{int(MOST_PAIRS**0.5):,} are taken: leave roots out for such graphs"
        )
