"""Tensors as dense blocks over clusters of eigenvalues: the layout of orders 1 to 4."""

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.bands import find_bands
from ogeaug.spectrum.smoothing import Smoothing
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.rows.records import Messages

CHUNK = 2**17
"""Numbers of a tensor to work on at once: 1 MiB in float64, so that temporaries stay in cache."""


@dataclass(frozen=True, eq=False)
class Block:
    """All clusters of c eigenvalues of a batch, each at all nodes of its graph: M in total.

    Attributes:
        node: ``[M]`` the node.
        row: ``[M, c]`` where the eigenvector entries stand in ``SpectrumBatch.eigvecs``.
        eig: ``[M, c]`` the eigenpairs, numbered through the batch.
        cluster: ``[M]`` the number of the cluster among those of this size.
        rho: ``[C, c, c]`` the smoothing between the eigenvalues of each cluster.
        messages: The edges between the M.
    """

    node: Tensor
    row: Tensor
    eig: Tensor
    cluster: Tensor
    rho: Tensor
    messages: Messages

    def part(self, rows: slice) -> "BlockPart":
        """Some of the M."""
        return BlockPart(self.node[rows], self.rho[self.cluster[rows]])


@dataclass(frozen=True, eq=False)
class BlockPart:
    """Some m of the nodes and clusters of a block.

    Attributes:
        node: ``[m]`` the node.
        rho: ``[m, c, c]`` the smoothing.
    """

    node: Tensor
    rho: Tensor

    @property
    def rho3(self) -> Tensor:
        r""":math:`\rho_{kl} \rho_{lm} \rho_{km}`, the mask of order 3: ``[m, c, c, c]``."""
        rho = self.rho
        return rho[:, :, :, None] * rho[:, None, :, :] * rho[:, :, None, :]

    @property
    def rho4(self) -> Tensor:
        r""":math:`\rho_{klm} \rho_{kn} \rho_{ln} \rho_{mn}`, the mask of order 4."""
        rho = self.rho
        last = rho[:, :, None, None, :] * rho[:, None, :, None, :] * rho[:, None, None, :, :]
        return self.rho3.unsqueeze(-1) * last


@dataclass(frozen=True, eq=False)
class BlockLayout:
    """Where everything is: built once per batch, read by every layer.

    Attributes:
        num_nodes: N, of the whole batch.
        edges: The edges between nodes.
        adjacency: ``[n, n]`` if there is one graph and its edges are many, ``[s, n, n]`` for s
            graphs of one size with a cluster each; then edges are not read. Else None.
        blocks: One for each size of cluster.
    """

    num_nodes: int
    edges: Messages
    adjacency: Tensor | None
    blocks: tuple[Block, ...]


@dataclass(frozen=True, eq=False)
class BlockTensors:
    """Tensors at each node; those of order 1 to 4 as one dense tensor a block.

    Channels stand before the axes over eigenpairs: so contractions are matrix products as they are.

    Attributes:
        w0: ``[N, h]``.
        higher: ``higher[p - 1][b]`` is the tensor of order p on block b, ``[M, h, c, ..., c]``.
    """

    w0: Tensor
    higher: tuple[tuple[Tensor, ...], ...]


def lay_out_blocks(
    spectra: SpectrumBatch,
    edge_index: Tensor,
    edge_weight: Tensor | None,
    smoothing: Smoothing,
    dtype: torch.dtype,
) -> BlockLayout:
    """Index tensors for a batch; arguments as in :func:`ogeaug.tensors.rows.layout.lay_out`."""
    device = spectra.eigvals.device
    sizes, counts = spectra.num_nodes.to(device), spectra.num_eigvals.to(device)
    if edge_weight is None:
        edge_weight = torch.ones(edge_index.size(1), device=device)
    edges = Messages(edge_index[0], edge_index[1], edge_weight.to(dtype).unsqueeze(-1))
    node_start, eig_start = _starts(sizes), _starts(counts)  # [B]
    entry_start = _starts(sizes * counts)  # [B]
    size = torch.bincount(find_bands(spectra, smoothing).cluster)  # [C]
    first = _starts(size)  # [C] first eigenpair
    graph = torch.repeat_interleave(counts)[first]  # [C]
    edge_graph = torch.repeat_interleave(sizes)[edge_index[0]]  # [E]
    blocks = []
    for c in size.unique().tolist():
        members = (size == c).nonzero().flatten()  # [C']
        g = graph[members]
        which = torch.repeat_interleave(sizes[g])  # [M] the member
        local = ragged_arange(sizes[g])  # [M] the node in its graph
        eig = first[members][which, None] + torch.arange(c, device=device)  # [M, c]
        of = g[which]  # [M]
        row = (entry_start[of] + local * counts[of] - eig_start[of])[:, None] + eig
        eigvals = spectra.eigvals[eig[_starts(sizes[g])]]  # [C', c]
        start = _starts(sizes[g]) - node_start[g]  # [C'] node -> its place among the M
        messages = _messages(edges, edge_graph, g, start, len(spectra))
        rho = smoothing((eigvals[:, :, None] - eigvals[:, None, :]).abs()).to(dtype)
        blocks.append(Block(node_start[of] + local, row, eig, which, rho, messages))
    num_nodes = int(spectra.num_nodes.sum())
    dense = len(spectra) == 1 and num_nodes**2 <= 32 * edge_index.size(1)
    adjacency = _adjacency(edges, num_nodes, dtype) if dense else None
    return BlockLayout(num_nodes, edges, adjacency, tuple(blocks))


def start_blocks(
    w0: Tensor,
    eigvecs: Tensor,
    weights: Tensor,
    e: Tensor,
    q: tuple[Tensor, ...],
    layout: BlockLayout,
) -> BlockTensors:
    r"""The tensors before the first layer.

    .. math::
        W^{(1)}_{ik} = v_{ik} e_k, \quad W^{(2)}_{ikl} = \rho_{kl}^2 v_{ik} v_{il} q_2, \quad
        W^{(3)}_{iklm} = \rho_{klm} v_{ik} v_{il} v_{im} q_3

    and order 4 likewise, with all six products of eigenvalues in its mask.

    Shapes:
        - w0 ``[N, h]``, eigvecs ``[sum n K]``, weights ``[sum K]``, e ``[sum K, h]``, and ``[h]``
          for each of the orders 2 to 4 that is wanted
    """
    orders: list[list[Tensor]] = [[], *([] for _ in q)]
    for block in layout.blocks:
        v = eigvecs[block.row] * weights[block.eig]  # [M, c]
        orders[0].append(v.unsqueeze(1) * e[block.eig].mT)  # [M, h, c]
        for p, factor in enumerate(q, 2):
            collect = Collect(len(v))
            for rows in chunks(len(v), v.size(1) ** p * len(factor)):
                collect.add(_power(v[rows], block.part(rows), factor, p))
            orders[p - 1].append(collect.joined())
    return BlockTensors(w0, tuple(map(tuple, orders)))


def _power(v: Tensor, part: BlockPart, q: Tensor, order: int) -> Tensor:
    """Order 2 to 4 of :func:`start_blocks` at some nodes: v ``[m, c]`` -> ``[m, h, c, ..., c]``."""
    if order == 2:
        power = part.rho.square() * v[:, :, None] * v[:, None, :]  # [m, c, c]
    elif order == 3:
        power = part.rho3 * v[:, :, None, None] * v[:, None, :, None] * v[:, None, None, :]
    elif order == 4:
        square = v[:, :, None] * v[:, None, :]
        power = part.rho4 * square[..., None, None] * square[:, None, None]
    else:
        raise NotImplementedError(f"no first tensors of order {order}")
    return power.unsqueeze(1) * q.view(-1, *[1] * order)


class Collect:
    """Joins parts of a tensor. Without gradients they are not kept meanwhile: half of the memory.

    Args:
        rows: Of all parts together.

    Example:
        >>> collect = Collect(2)
        >>> collect.add(torch.zeros(1, 3)), collect.add(torch.ones(1, 3))
        (None, None)
        >>> collect.joined().shape
        torch.Size([2, 3])
    """

    def __init__(self, rows: int) -> None:
        self.rows, self.done = rows, 0
        self.parts: list[Tensor] = []

    def add(self, part: Tensor) -> None:
        if torch.is_grad_enabled():
            self.parts.append(part)
            return
        if not self.parts:
            self.parts = [part.new_empty(self.rows, *part.shape[1:])]
        self.parts[0][self.done : self.done + len(part)] = part
        self.done += len(part)

    def joined(self) -> Tensor:
        return self.parts[0] if len(self.parts) == 1 else torch.cat(self.parts)


def chunks(rows: int, numbers: int) -> Iterator[slice]:
    """Cuts rows of so many numbers each into parts that stay in cache."""
    step = max(1, CHUNK // max(1, numbers))
    return (slice(start, start + step) for start in range(0, rows, step))


def _adjacency(edges: Messages, num_nodes: int, dtype: torch.dtype) -> Tensor:
    weight = edges.weight.squeeze(-1)
    empty = torch.zeros(num_nodes, num_nodes, dtype=dtype, device=edges.source.device)
    return empty.index_put((edges.target, edges.source), weight, accumulate=True)


def _messages(
    edges: Messages, edge_graph: Tensor, graph: Tensor, start: Tensor, num_graphs: int
) -> Messages:
    """The edges of each cluster's graph, between the places of that cluster."""
    order = edge_graph.argsort(stable=True)
    per_graph = torch.bincount(edge_graph, minlength=num_graphs)  # [B]
    count = per_graph[graph]  # [C']
    which = torch.repeat_interleave(count)
    edge = order[_starts(per_graph)[graph][which] + ragged_arange(count)]
    return Messages(
        edges.source[edge] + start[which],
        edges.target[edge] + start[which],
        edges.weight[edge],
    )


def _starts(counts: Tensor) -> Tensor:
    return counts.cumsum(0) - counts
