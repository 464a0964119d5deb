"""Which graphs an encoding tells apart, judged against its own rounding noise."""

import copy
import math
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch_geometric.data import Batch, Data

from ogeaug.measure.invariance import permute_nodes, without_spectrum

FACTOR = 20.0
"""How many times the largest noise a difference must be to count."""
FLOOR = 1e-15
"""Noise below this is rounding luck: the noise is taken to be at least this."""
TOGETHER = 128
"""Nodes in a batch: larger batches of small graphs are faster, of large ones not."""


@dataclass(frozen=True)
class Verdict:
    """The outcome of one comparison.

    Attributes:
        distinguished: Whether the distance is above the threshold.
        distance: Between the two graphs, relative to the size of the features.
        noise: The largest distance between relabelled copies of either graph; NaN if the distance
            is so small that it need not be known.
        threshold: What the distance was compared with.
        reason: How it was decided.
    """

    distinguished: bool
    distance: float
    noise: float
    threshold: float
    reason: str


@torch.no_grad()
def distinguishes(
    encoding: nn.Module, g: Data, h: Data, *, copies: int = 2, generator: Generator | None = None
) -> Verdict:
    r"""Whether an encoding gives two graphs different multisets of node features, in float64.

    Both graphs get a random numbering; the features of each channel are sorted, so that the order
    of the nodes does not matter, and compared:

    .. math:: d(G, H) = \max_{ij} |\operatorname{sort} Z(G)_{ij} - \operatorname{sort} Z(H)_{ij}|
        \, / \, \max_{ij} |Z(G)_{ij}|

    The graphs are told apart if :math:`d(G, H)` is more than 20 times the largest distance between
    ``copies`` relabelled copies of the same graph. A relabelled copy of G in the place of H would
    be one more draw of that noise; a difference that is smaller is not seen, whatever its cause.

    Args:
        encoding: Any encoding; a copy of it is used, in float64 and eval mode.
        g: A graph.
        h: Another.
        copies: Relabelled copies of each graph from which the noise is measured.
        generator: Of the relabellings.

    Example:
        >>> import networkx as nx
        >>> from ogeaug import OGEAug
        >>> from ogeaug.measure.named_graphs import from_networkx
        >>> prism, k33 = nx.circular_ladder_graph(3), nx.complete_bipartite_graph(3, 3)
        >>> encode = OGEAug(8, hidden_channels=8, num_layers=2)
        >>> distinguishes(encode, from_networkx(prism), from_networkx(k33)).distinguished
        True
    """
    if copies < 1:
        raise ValueError(f"copies must be at least 1, or no noise can be measured; got {copies}")
    if g.num_nodes != h.num_nodes:
        reason = f"different sizes: {g.num_nodes} and {h.num_nodes} nodes"
        return Verdict(True, math.inf, 0.0, 0.0, reason)
    encoding = copy.deepcopy(encoding).double().eval()
    first, second = (_features(encoding, data, 1, generator) for data in (g, h))  # [1, n, out]
    scale = float(first.abs().max())
    if not (math.isfinite(scale) and bool(second.isfinite().all())):
        raise ValueError("the encoding gave NaN or infinity: fewer layers or smaller weights?")
    scale = scale if scale > 0 else 1.0
    distance = float((first - second).abs().max()) / scale
    threshold = FACTOR * FLOOR
    if distance <= threshold:
        return Verdict(False, distance, math.nan, threshold, "below any threshold")
    spread = [
        (_features(encoding, data, copies, generator) - start).abs().max()
        for data, start in ((g, first), (h, second))
    ]
    noise = float(max(spread)) / scale
    threshold = FACTOR * max(noise, FLOOR)
    reason = f"{'above' if distance > threshold else 'not above'} the threshold"
    return Verdict(distance > threshold, distance, noise, threshold, reason)


def _features(encoding: nn.Module, data: Data, copies: int, generator: Generator | None) -> Tensor:
    """Sorted features of relabelled copies: ``[copies, n, out]``."""
    n = int(data.num_nodes or 0)
    plain = without_spectrum(data)
    graphs = [permute_nodes(plain, torch.randperm(n, generator=generator)) for _ in range(copies)]
    together = max(1, TOGETHER // n)
    parts = []
    for start in range(0, copies, together):
        some = graphs[start : start + together]
        parts.append(encoding(Batch.from_data_list(some)).view(len(some), n, -1))
    return torch.cat(parts).sort(dim=1).values
