r"""Digests of graphs: whether a stored spectrum or statistic is still that of its graph.

The digest of a graph is a hash of its number of nodes and of the set of its edges with weights:

.. math:: d = h\Big( h(n) + \sum_{(i, j, w),\, i \ne j} h\big( h(i, j) + w \big) \Big)
    \bmod 2^{64}, \qquad d < 0

with the mixing function h of SplitMix64 and nodes numbered in their graph. So the order of the
columns of ``edge_index`` does not matter, nor do self-loops, which a Laplacian does not see, nor
what the graph is batched with, nor the precision of the weights: these count to the 24 binary
digits of float32, and a graph without weights has weights 1. Two graphs agree by chance once in
:math:`2^{63}`.

The tag of an edge is a hash of the edge and of its graph's digest. It is stored beside rows that
belong to edges, and goes where they go.
"""

import ctypes

import torch
from torch import Tensor

from ogeaug.graph.edges import LARGEST_WEIGHT, looks_ordinary
from ogeaug.native.build import load_if_built
from ogeaug.native.gate import Struct, call

ARGUMENTS = Struct(
    "size:int64:B edge:int64:2E weight:f64:E digest:int64:B tag:int64:E",
    graphs=ctypes.c_int64,
    edges=ctypes.c_int64,
)
"""``struct DigestArgs`` of ``native/src/digest.h``."""
FIRST, SECOND = 0xBF58476D1CE4E5B9 - 2**64, 0x94D049BB133111EB - 2**64


def digest_graphs(
    edge_index: Tensor, sizes: Tensor, edge_weight: Tensor | None = None, *, tags: bool = False
) -> tuple[Tensor, Tensor | None] | None:
    """The digest of each graph of a batch, and with ``tags`` the tag of each edge, on the CPU.

    None if the tensors do not describe graphs: an edge leaves its graph, a weight is not allowed
    (:func:`ogeaug.graph.edges.check_edges`).

    Shapes:
        - edge_index ``[2, E]``, sizes ``[B]``, edge_weight ``[E]`` -> ``[B]``, ``[E]``, int64

    Example:
        >>> path, again = torch.tensor([[0, 1], [1, 2]]), torch.tensor([[1, 0], [2, 1]])
        >>> three = torch.tensor([3])
        >>> digest_graphs(path, three)[0] == digest_graphs(again, three)[0]
        tensor([True])
        >>> digest_graphs(path, three)[0] == digest_graphs(path.flip(0), three)[0]
        tensor([False])
    """
    if not looks_ordinary(edge_index, edge_weight):
        return None
    weight = None if edge_weight is None else edge_weight.detach().double()
    if load_if_built() is None or edge_index.device.type != "cpu":
        return digest_plainly(edge_index.detach(), sizes, weight, tags=tags)
    count, edges = len(sizes), edge_index.size(1)
    found = torch.empty(count, dtype=torch.int64, device="cpu")
    tag = torch.empty(edges, dtype=torch.int64, device="cpu") if tags else None
    arguments = ARGUMENTS.fill(
        {"graphs": count, "edges": edges},
        {"B": count, "E": edges, "2E": 2 * edges},
        {
            "size": sizes.long().contiguous(),
            "edge": edge_index.detach().contiguous(),
            "weight": None if weight is None else weight.cpu().contiguous(),
            "digest": found,
            "tag": tag,
        },
    )
    return (found, tag) if call("digests_", arguments) == 0 else None


def digest_plainly(
    edge_index: Tensor, sizes: Tensor, weight: Tensor | None, *, tags: bool
) -> tuple[Tensor, Tensor | None] | None:
    """:func:`digest_graphs` by PyTorch, on any device; weights in float64."""
    ends = sizes.cumsum(0).to(edge_index.device)  # [B]
    owner = torch.bucketize(edge_index.contiguous(), ends, right=True)  # [2, E]
    bad = (edge_index < 0) | (owner >= len(ends)) | (owner[0] != owner[1])
    if weight is None:
        weight = torch.ones(edge_index.size(1), dtype=torch.float64, device=edge_index.device)
    if bool((bad | ~(weight.abs() <= LARGEST_WEIGHT)).any()):
        return None
    start = (ends - sizes.to(ends))[owner[0]]  # [E]
    i, j = edge_index - start
    bits = (weight + 0.0).view(torch.int64)  # -0 is 0
    bits = (bits + (2**28 - 1) + ((bits >> 29) & 1)) >> 29  # to float32's 24 digits
    edge = _mix(_mix((i << 32) + j) + bits)  # [E]
    total = torch.zeros_like(ends).index_add(0, owner[0], torch.where(i == j, 0, edge))
    found = _mix(total + _mix(sizes.to(ends))) | -(2**63)  # [B]
    return found.cpu(), _mix(edge + found[owner[0]]).cpu() if tags else None


def _mix(z: Tensor) -> Tensor:
    """SplitMix64's finalizer; int64 wraps around, and shifts right by sign."""
    z = (z ^ (z >> 30 & 2**34 - 1)) * FIRST
    z = (z ^ (z >> 27 & 2**37 - 1)) * SECOND
    return z ^ (z >> 31 & 2**33 - 1)
