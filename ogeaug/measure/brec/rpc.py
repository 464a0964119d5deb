"""RPC, the protocol of BREC: reliable paired comparisons."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch.nn.functional import cosine_embedding_loss
from torch_geometric.data import Batch, Data
from torch_geometric.utils import scatter

from ogeaug.encodings.base import Encoding
from ogeaug.measure.brec.files import COPIES, Sample
from ogeaug.measure.expressivity import Verdict
from ogeaug.measure.invariance import permute_nodes
from ogeaug.measure.named_graphs import from_networkx
from ogeaug.measure.pairs import Pair, parse_graph6
from ogeaug.measure.scoring import Candidate, Result, nothing_tried, to_result
from ogeaug.pointclouds.tree import SearchTooLarge

CHANNELS, EPOCHS, BATCH = 16, 20, 16
RATE, DECAY, ENOUGH = 1e-4, 1e-4, 0.2
THRESHOLD = 72.34
"""The 95 % quantile of Hotelling's T2 for 32 differences of 16 numbers."""
SAME, ROUNDING = 1e-6, 1e-12


class GraphEmbedding(nn.Module):
    """What RPC trains: an encoding, a network for each node, the mean over nodes, a linear map.

    Shapes:
        - B graphs -> ``[B, 16]``
    """

    def __init__(self, encoding: Encoding) -> None:
        super().__init__()
        self.encoding = encoding
        width = encoding.out_channels
        self.node = nn.Sequential(nn.Linear(width, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU())
        self.graph = nn.Linear(64, CHANNELS)

    def forward(self, batch: Batch) -> Tensor:
        index = batch.batch
        if self.encoding.level == "edge":
            index = index[batch.edge_index[0]]
        rows = self.node(self.encoding(batch))
        pooled = scatter(rows, index, dim_size=batch.num_graphs, reduce="mean")
        return self.graph(pooled)


@dataclass(frozen=True, eq=False)
class Copies:
    """Graphs of a pair in turn, and of one graph for the reliability: 2 x 32 each."""

    compared: Sequence[Data]
    reliability: Sequence[Data]


def make_copies(sample: Sample, generator: Generator) -> Copies:
    """The published copies; where there are none, random ones."""
    if sample.copies:
        both = (sample.copies, sample.reliability)
        given = [[from_networkx(parse_graph6(t, sample.name)) for t in texts] for texts in both]
        return Copies(*given)
    left, right = map(from_networkx, sample.graphs())
    one = (left, right)[int(torch.randint(2, (), generator=generator))]
    compared = [_relabel(data, generator) for _ in range(COPIES) for data in (left, right)]
    return Copies(compared, [_relabel(one, generator) for _ in range(2 * COPIES)])


def t_squared(first: Tensor, second: Tensor) -> float:
    r"""Hotelling's statistic of paired outputs, as BREC has it, without the factor q.

    .. math:: T^2 = \bar d^\top S^{+} \bar d, \qquad d_i = x_i - y_i, \quad S = \operatorname{cov} d

    An invariant encoding may give the same difference for all copies: up to rounding, or to the
    last bit, as the processor has it. Where there is no spread at all, the pseudo-inverse would say
    0; here it is infinite then, unless the difference is rounding itself.

    Shapes:
        - ``[q, 16]`` twice -> scalar

    Example:
        >>> t_squared(torch.tensor([[0.0], [2.0]]), torch.zeros(2, 1))
        0.5
    """
    d = first - second
    mean = d.mean(0)
    spread = torch.cov(d.T).reshape(len(mean), len(mean))
    if not spread.any():
        return math.inf if mean.abs().max() > ROUNDING * first.abs().max() else 0.0
    return float(mean @ torch.linalg.pinv(spread) @ mean)


def compare_copies(model: nn.Module, copies: Copies) -> Verdict:
    """Trains on the copies of a pair, then tests them, and the copies of one graph.

    As published: cosine loss with margin 0, 20 epochs of batches of 16 graphs, Adam at 1e-4 with
    weight decay 1e-4, less where the loss stays; an end where it falls below 0.2.
    """
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE, weight_decay=DECAY)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer)
    model.train()
    for _ in range(EPOCHS):
        total = 0.0
        for batch in _batches(copies.compared):
            optimizer.zero_grad()
            out = model(batch)
            apart = -torch.ones(len(out) // 2, dtype=out.dtype)
            loss = cosine_embedding_loss(out[0::2], out[1::2], apart)
            loss.backward()
            optimizer.step()
            total += len(out) / 2 * loss.item()
        if total / COPIES < ENOUGH:
            break
        scheduler.step(total / COPIES)
    model.eval()
    return judge(_statistic(model, copies.compared), _statistic(model, copies.reliability))


def judge(test: float, reliability: float) -> Verdict:
    """Told apart: beyond the threshold, and the copies of one graph not.

    Example:
        >>> judge(1e5, 3.0).distinguished, judge(1e5, 80.0).reason[:18]
        (True, 'reliability failed')
    """
    same = abs(test - reliability) <= SAME + 1e-5 * abs(reliability)  # like torch.isclose
    if not reliability < THRESHOLD:
        reason = "reliability failed: copies of one graph differ as well"
    elif test > THRESHOLD and not same:
        reason = "above the threshold"
    else:
        reason = "not above the threshold"
    return Verdict(reason == "above the threshold", test, reliability, THRESHOLD, reason)


def score_rpc(samples: Iterable[Sample], candidate: Candidate, seed: int) -> Iterator[Result]:
    """A result for each pair, in float64; distance and noise are T2 of the pair and of one graph.

    What needs too much memory, or a search that is too large, is not told apart, and said so. A
    result does not depend on those before it.
    """
    for sample in samples:
        start = time.perf_counter()
        pair = to_pair(sample)
        try:
            verdict = _run(sample, candidate, seed)
        except (MemoryError, SearchTooLarge) as error:
            verdict = nothing_tried(f"{candidate.name} not tried: {error}")
        yield to_result(pair, candidate, seed, verdict, time.perf_counter() - start)


def to_pair(sample: Sample) -> Pair:
    left, right = map(from_networkx, sample.graphs())
    return Pair(sample.name, left, right, sample.part)


def _run(sample: Sample, candidate: Candidate, seed: int) -> Verdict:
    generator = torch.Generator().manual_seed(seed)
    copies = make_copies(sample, generator)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        encoding = candidate.make(None)
        assert isinstance(encoding, Encoding)
        model = GraphEmbedding(encoding).double()
        for transform in encoding.transforms():
            both = ([transform(g) for g in some] for some in (copies.compared, copies.reliability))
            copies = Copies(*both)
        return compare_copies(model, copies)


@torch.no_grad()
def _statistic(model: nn.Module, graphs: Sequence[Data]) -> float:
    out = torch.cat([model(batch) for batch in _batches(graphs)])  # [2 q, 16]
    return t_squared(out[0::2], out[1::2])


def _batches(graphs: Sequence[Data]) -> Iterator[Batch]:
    for start in range(0, len(graphs), BATCH):
        yield Batch.from_data_list(list(graphs[start : start + BATCH]))


def _relabel(data: Data, generator: Generator) -> Data:
    return permute_nodes(data, torch.randperm(int(data.num_nodes or 0), generator=generator))
