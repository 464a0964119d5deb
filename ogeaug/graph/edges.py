r"""What a list of edges means: the one place that knows the rules and the bounds.

- A self-loop is dropped: it cancels in :math:`D - A`.
- Parallel edges (same direction) add their weights, as in a multigraph.
- An edge listed in both directions, as PyG does, is one undirected edge; if its two weights differ,
  their mean is taken.
- An edge listed in one direction only counts in both, or is an error (``directed="refuse"``).
- Weights are finite, at most :data:`LARGEST_WEIGHT`; 0 is no edge.
- Nodes are numbered from 0 to n - 1, and both ends of an edge lie in one graph of a batch.

The C++ core knows ordinary edges only: such a list (:func:`looks_ordinary`), each edge in both
directions with equal weights. It finds out as it reads them, and leaves all else to this module.
"""

from typing import Literal

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch_geometric import EdgeIndex
from torch_geometric.utils import coalesce, remove_self_loops, to_undirected

Directed = Literal["symmetrize", "refuse"]
Floats = NDArray[np.float64]

LARGEST_WEIGHT = 1e12
"""Of edge weights, and of the variance of noise. Beyond, ``eigh``, which errs by 1e-16 of the
largest eigenvalue, would no longer know the small ones to the distances at which an encoding tells
them apart; far beyond, features in float32 would overflow."""


def adjacency(
    edge_index: NDArray[np.int64],
    num_nodes: int,
    edge_weight: Floats | None = None,
    *,
    directed: Directed = "symmetrize",
    graph: str = "the graph",
) -> Floats:
    """The symmetric adjacency matrix of an edge list, by the rules above.

    Args:
        edge_index: Edges, PyG's layout.
        num_nodes: Number of nodes.
        edge_weight: One weight per edge; 1 if absent.
        directed: What to do with edges that lack their mirror image: ``"symmetrize"``, or
            ``"refuse"``, which also refuses unequal weights.
        graph: How error messages call this graph.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> ``[n, n]``

    Example:
        >>> adjacency(np.array([[0, 1], [1, 2]]), 3)
        array([[0., 1., 0.],
               [1., 0., 1.],
               [0., 1., 0.]])
    """
    check_edges(edge_index, num_nodes, edge_weight, graph)
    row, col = edge_index
    cell = row * num_nodes + col
    shape = (num_nodes, num_nodes)
    weights = np.bincount(cell, edge_weight, num_nodes**2).reshape(shape).astype(np.float64)
    np.fill_diagonal(weights, 0.0)
    if np.array_equal(weights, weights.T):
        return weights
    if directed == "refuse" and not np.allclose(weights, weights.T, rtol=1e-12, atol=0.0):
        i, j = np.argwhere(~np.isclose(weights, weights.T, rtol=1e-12, atol=0.0))[0]
        raise refuse_directed(graph, i, j, weights[i, j], weights[j, i])
    listed = np.bincount(cell, minlength=num_nodes**2).reshape(shape) > 0
    both_ways = listed & listed.T
    return (weights + weights.T) / np.where(both_ways, 2.0, 1.0)


def refuse_directed(graph: str, i: int, j: int, weight: float, mirror: float) -> ValueError:
    """What is said of an edge that is not the same in both directions."""
    return ValueError(
        f"{graph} is directed: edge {i} -> {j} has weight {weight:g}, its mirror {mirror:g}; make "
        "it undirected or pass directed='symmetrize'"
    )


def neighbours(
    edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None = None
) -> tuple[Tensor, Tensor | None]:
    """Undirected edges by the rules above, for messages.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> ``[2, E']``, ``[E']`` or None if all are 1
    """
    edge_index, weight = plain_edges(edge_index), edge_weight
    if weight is None:
        weight = torch.ones(edge_index.size(1), device=edge_index.device)
    elif weight.dtype not in (torch.float32, torch.float64):
        weight = weight.double()  # sums of halves overflow, means of integers are cut
    edge_index, weight = remove_self_loops(edge_index, weight)
    edge_index, weight = coalesce(edge_index, weight, num_nodes, reduce="sum")
    edge_index, weight = to_undirected(edge_index, weight, num_nodes, reduce="mean")
    plain = edge_weight is None and bool((weight == 1).all())
    return edge_index, None if plain else weight


NARROW = (torch.int8, torch.int16, torch.int32, torch.uint8)


def plain_edges(edge_index: Tensor) -> Tensor:
    """A plain int64 tensor, also from narrower integers and from PyG's ``EdgeIndex``."""
    edges = edge_index.as_tensor() if isinstance(edge_index, EdgeIndex) else edge_index
    return edges.long() if edges.dtype in NARROW else edges


def looks_ordinary(edge_index: Tensor, edge_weight: Tensor | None) -> bool:
    """Whether tensors have the kind and shape of an edge list that the C++ core may read.

    Example:
        >>> looks_ordinary(torch.tensor([[0, 1], [1, 0]]), None)
        True
        >>> looks_ordinary(torch.tensor([[0, 1], [1, 0]]), torch.ones(2, 1))
        False
    """
    check_real(edge_weight)
    if edge_index.dtype != torch.int64 or edge_index.dim() != 2 or edge_index.size(0) != 2:
        return False
    return edge_weight is None or edge_weight.shape == edge_index.shape[1:]


def check_real(edge_weight: Tensor | None) -> None:
    """Refuses complex weights: as float64 they would lose their imaginary part."""
    if edge_weight is not None and edge_weight.is_complex():
        raise TypeError(f"edge weights are real numbers, got {edge_weight.dtype}")


def check_edges(
    edge_index: NDArray[np.int64], num_nodes: int, edge_weight: Floats | None, graph: str
) -> None:
    """Refuses edges that do not describe a graph, with the first culprit by name."""
    if num_nodes < 1:
        raise ValueError(f"{graph} has no nodes: a spectrum needs at least one")
    check_shapes(edge_index, edge_weight, graph)
    outside = (edge_index < 0) | (edge_index >= num_nodes)
    if outside.any():
        at = int(np.argwhere(outside.any(0))[0, 0])
        raise ValueError(
            f"{graph}: edge {at} ({edge_index[0, at]} -> {edge_index[1, at]}) names a node outside "
            f"0..{num_nodes - 1}; is num_nodes right?"
        )
    if edge_weight is None:
        return
    broken = ~(np.abs(edge_weight) <= LARGEST_WEIGHT)  # NaN, too
    if broken.any():
        at = int(np.argwhere(broken)[0, 0])
        raise ValueError(
            f"{graph}: edge {at} ({edge_index[0, at]} -> {edge_index[1, at]}) has weight "
            f"{edge_weight[at]:g}; weights must be finite, and at most {LARGEST_WEIGHT:g}: "
            "rescale them"
        )


def check_bounds(edge_index: Tensor, num_nodes: int) -> None:
    """Refuses edges between nodes that are not there; a batch as a whole."""
    if edge_index.numel() and not 0 <= int(edge_index.min()) <= int(edge_index.max()) < num_nodes:
        raise ValueError(
            f"edge_index names nodes {int(edge_index.min())} to {int(edge_index.max())}, but there "
            f"are {num_nodes} nodes, counted from 0"
        )


def edge_owners(edge_index: NDArray[np.int64], sizes: list[int]) -> NDArray[np.int64]:
    """The graph of each edge of a batch ``[E]``; refuses those that leave theirs."""
    starts = np.concatenate([[0], np.cumsum(sizes)])
    outside = ((edge_index < 0) | (edge_index >= starts[-1])).any(0)
    if outside.any():
        at = int(outside.argmax())
        raise ValueError(
            f"the batch: edge {at} ({edge_index[0, at]} -> {edge_index[1, at]}) names a node "
            f"outside 0..{starts[-1] - 1}; is num_nodes right?"
        )
    owner = np.searchsorted(starts, edge_index, side="right") - 1  # [2, E]
    if (owner[0] != owner[1]).any():
        at = int((owner[0] != owner[1]).argmax())
        raise ValueError(
            f"the batch: edge {at} ({edge_index[0, at]} -> {edge_index[1, at]}) joins graph "
            f"{owner[0, at]} and graph {owner[1, at]}; is the batch vector right?"
        )
    return owner[0]


def check_shapes(edge_index: NDArray[np.int64], edge_weight: Floats | None, graph: str) -> None:
    """Refuses tensors that are no edge list at all."""
    if edge_index.ndim != 2 or edge_index.shape[0] != 2:
        raise ValueError(f"{graph}: edge_index must be [2, E], got {list(edge_index.shape)}")
    if edge_index.dtype.kind not in "iu":
        raise TypeError(
            f"{graph}: edge_index must hold integers, got {edge_index.dtype}; use edge_index.long()"
        )
    if edge_weight is not None and edge_weight.shape != (edge_index.shape[1],):
        hint = "; use edge_weight.squeeze(-1)" if edge_weight.shape[1:] == (1,) else ""
        raise ValueError(
            f"{graph}: edge_weight must be [{edge_index.shape[1]}], one weight per edge, got "
            f"{list(edge_weight.shape)}{hint}"
        )
