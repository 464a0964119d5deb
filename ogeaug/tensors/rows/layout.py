"""Builds the layout of a batch: the rows of W1 and W2, their products and their messages."""

import torch
from torch import Tensor

from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.bands import Bands
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.rows.records import Large, Layout, Messages, PairLayout, RowMatrices

MANY = 2**17
"""Messages between rows of one graph above which they go by an adjacency matrix."""


def lay_out(
    spectra: SpectrumBatch,
    edge_index: Tensor,
    edge_weight: Tensor | None,
    bands: Bands | None,
    dtype: torch.dtype,
) -> Layout:
    """Index tensors for a batch; the node rows of a graph follow each other, so do their pairs.

    Args:
        spectra: The eigenpairs.
        edge_index: Undirected edges, each in both directions, no self-loops.
        edge_weight: One weight per edge; 1 if absent.
        bands: The pairs of order 2; None for order 1.
        dtype: Of the weights.
    """
    device = spectra.eigvals.device
    sizes, counts = spectra.num_nodes.to(device), spectra.num_eigvals.to(device)
    num_nodes = int(spectra.num_nodes.sum())
    graph = torch.repeat_interleave(sizes, output_size=num_nodes)  # [N]
    eig_start = _starts(counts)  # [B]
    node1, local1, start1 = _rows(counts[graph])
    if edge_weight is None:
        edge_weight = torch.ones(edge_index.size(1), device=device)
    edges = Messages(edge_index[0], edge_index[1], edge_weight.to(dtype).unsqueeze(-1))
    messages1 = _expand(edges, sizes, counts, graph)
    eig1 = eig_start[graph[node1]] + local1
    if bands is None:
        return Layout(num_nodes, node1, eig1, edges, messages1)

    pairs = bands.num_pairs.to(device)
    pair_start = _starts(pairs)  # [B]
    node2, local2, start2 = _rows(pairs[graph])
    pair2 = pair_start[graph[node2]] + local2  # [N2]
    to_row1 = start1[node2] - eig_start[graph[node2]]  # [N2] eigenpair -> row of W1
    # Pair p of graph g stands in row start2[node] + p - pair_start[g].
    to_row2 = start2 - pair_start[graph]  # [N]
    blocks, unblock = _blocks(bands, spectra, to_row2, len(node2), dtype)
    pair_layout = PairLayout(
        node2,
        to_row1 + bands.left[pair2],
        to_row1 + bands.right[pair2],
        bands.rho.square().to(dtype)[pair2].unsqueeze(-1),
        _expand(edges, sizes, pairs, graph),
        blocks,
        unblock,
    )
    return Layout(num_nodes, node1, eig1, edges, messages1, pair_layout)


def _rows(per_node: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The node of each row, the number of the row at its node, the first row of each node."""
    return torch.repeat_interleave(per_node), ragged_arange(per_node), _starts(per_node)


def _starts(counts: Tensor) -> Tensor:
    return counts.cumsum(0) - counts


def _expand(edges: Messages, sizes: Tensor, per_graph: Tensor, graph: Tensor) -> Messages:
    """From edges between nodes to edges between all rows of those nodes.

    A graph with more than ``MANY`` of the latter gets an adjacency matrix instead.
    """
    start = _starts(per_graph[graph])  # [N] first row of each node
    edge_graph = graph[edges.source]  # [E]; both ends lie in one graph
    many = torch.bincount(edge_graph, minlength=len(sizes)) * per_graph > MANY  # [B]
    node_start, row_start = _starts(sizes), _starts(sizes * per_graph)
    large = []
    for g in many.nonzero().flatten().tolist():
        n, here = int(sizes[g]), edge_graph == g
        places = torch.stack([edges.target[here], edges.source[here]]) - node_start[g]
        matrix = torch.sparse_coo_tensor(
            places, edges.weight[here, 0], (n, n), check_invariants=True
        )
        rows = slice(int(row_start[g]), int(row_start[g]) + n * int(per_graph[g]))
        large.append(Large(rows, matrix.coalesce()))
    few = (~many[edge_graph]).nonzero().flatten()
    source, target = edges.source[few], edges.target[few]
    count = per_graph[edge_graph[few]]
    edge, row = torch.repeat_interleave(count), ragged_arange(count)
    weight = edges.weight[few][edge]
    return Messages(start[source][edge] + row, start[target][edge] + row, weight, tuple(large))


def _blocks(
    bands: Bands, spectra: SpectrumBatch, to_row2: Tensor, num_rows: int, dtype: torch.dtype
) -> tuple[tuple[RowMatrices, ...], Tensor]:
    """The rows of W2 as matrices, and the way back."""
    device = bands.left.device
    size = torch.bincount(bands.cluster)  # [C]
    first = _starts(size)  # [C] first eigenpair
    table_start = _starts(size**2)  # [C]
    table = torch.full((int((size**2).sum()),), -1, device=device)  # the pairs of each cluster
    cluster = bands.cluster[bands.left]  # [P]
    k, l = bands.left - first[cluster], bands.right - first[cluster]  # noqa: E741
    table[table_start[cluster] + k * size[cluster] + l] = torch.arange(len(k), device=device)

    sizes = spectra.num_nodes.to(device)
    node_start = _starts(sizes)  # [B]
    graph_of_eig = torch.repeat_interleave(spectra.num_eigvals.to(device))
    graph = graph_of_eig[first]  # [C]
    blocks, offset = [], 0
    unblock = torch.empty(num_rows, dtype=torch.long, device=device)
    for c in size.unique().tolist():
        members = (size == c).nonzero().flatten()
        pairs = table[table_start[members, None] + torch.arange(c * c, device=device)]
        which = torch.repeat_interleave(sizes[graph[members]])  # [M]
        node = node_start[graph[members]][which] + ragged_arange(sizes[graph[members]])
        pairs = pairs[which]  # [M, c * c]
        present = pairs >= 0
        rows = torch.where(present, pairs + to_row2[node, None], 0)
        place = offset + torch.arange(rows.numel(), device=device).view_as(rows)
        unblock[rows[present]] = place[present]
        full = bool(present.all())
        mask = None if full else present.to(dtype).view(-1, c, c, 1)
        blocks.append(RowMatrices(rows.view(-1, c, c), mask))
        offset += rows.numel()
    return tuple(blocks), unblock
