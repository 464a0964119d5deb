"""The networks at the roots by PyTorch: on any device, with gradients for the spectrum."""

import torch
from torch import Tensor

from ogeaug.spectrum.sandwich import sandwich
from ogeaug.tensors.network import First, Graphs
from ogeaug.tensors.node_rows import check_rows, lay_out_rows
from ogeaug.tensors.rows.mix import normalize


def run_plain(
    first: First, graphs: Graphs, weight: Tensor, bias: Tensor, *, eps: float, scale: float
) -> Tensor:
    """What is read at each root; see :class:`ogeaug.tensors.roots.network.RootNetworks`.

    Shapes:
        - weight ``[L, h, h]``, bias ``[L + 1, h]`` -> ``[N, (L + 1) 2 h]``
    """
    spectra, sizes, num_nodes = graphs.spectra, graphs.spectra.num_nodes, graphs.num_nodes
    edges, edge_weight = graphs.message_edges(None)
    # The matrices are symmetric: their columns are the roots, and messages go along columns.
    rows = lay_out_rows(sizes, sizes, edges, edge_weight, weight.dtype)
    check_rows(rows, bias, weight.size(-1), len(bias))
    u = sandwich(spectra, first.scale.square().unsqueeze(1) * first.e)  # [R, h], R = sum n^2
    own = (rows.node == rows.column).nonzero().flatten()  # [N], in the order of the nodes
    read = []
    for at, b in enumerate(bias):
        if at > 0:
            u = (u + rows.sum_neighbours(u)) @ weight[at - 1].T
        u = (scale * normalize(u, rows.column, num_nodes, eps) + b).relu()
        total = u.new_zeros(num_nodes, u.size(1)).index_add(0, rows.column, u)
        read += [total, u.index_select(0, own)]  # [N, h] each
    return torch.cat(read, 1)
