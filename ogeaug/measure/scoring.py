"""How many pairs of graphs are told apart, and by which network."""

import csv
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields, replace
from itertools import product
from pathlib import Path

import torch
from torch import nn

from ogeaug.encodings.general import GeneralOGEAug
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.files.output import writing_text
from ogeaug.measure.expressivity import Verdict, distinguishes
from ogeaug.measure.pairs import Pair
from ogeaug.pointclouds.search import SearchCloud
from ogeaug.pointclouds.tree import SearchTooLarge


@dataclass(frozen=True)
class Candidate:
    """A kind of network to try, with random weights.

    Attributes:
        name: For the table of results.
        make: Builds one from the number of node features (None if there are none).
    """

    name: str
    make: Callable[[int | None], nn.Module]


@dataclass(frozen=True)
class Result:
    """One row of the table of results."""

    category: str
    pair: str
    nodes: int
    distinguished: bool
    by: str
    seed: int
    distance: float
    noise: float
    threshold: float
    seconds: float
    reason: str


def oge_aug_candidate(
    order: int = 2, layers: int = 6, channels: int = 8, delta: float = 0.05
) -> Candidate:
    """OGE-Aug with random weights; orders 2 and 3 with transposes."""

    def make(in_channels: int | None) -> nn.Module:
        return OGEAug(
            16,
            in_channels=in_channels,
            hidden_channels=channels,
            num_layers=layers,
            delta=delta,
            order=order,
            transposes=order > 1,
        )

    return Candidate(f"order {order}, {layers} layers of {channels}, delta {delta:g}", make)


WAVES = 100.0
"""Of the search: 0.1 over its width."""


def search_candidate(depth: int = 200, layers: int = 8, channels: int = 8) -> Candidate:
    """The definition of OGE-Aug with soft individualisation as f, and random weights.

    The eigenvalues are those of the symmetrically normalised Laplacian, all within 2, which is the
    width of the smoothing too; phi is a window around the eigenvalue 0: f is evaluated once.
    """

    def make(in_channels: int | None) -> nn.Module:
        f = SearchCloud(channels, depth=depth, num_layers=layers, width=1e-3, gain=3.0, waves=WAVES)
        options = {"delta": 2.0, "normalization": "sym", "window": 1e-3, "distinct": True}
        return GeneralOGEAug(16, f=f, **options)  # type: ignore[arg-type]

    return Candidate(f"search, {layers} layers of {channels}, depth {depth}", make)


LADDER = (search_candidate(), oge_aug_candidate())
"""What is tried by default: the paper's definition with a search for f, then its practical
algorithm of order 2, which sees node features, and graphs that take too long to search."""


def score(
    pairs: Iterable[Pair],
    candidates: Sequence[Candidate] = LADDER,
    *,
    seeds: Sequence[int] = (0,),
    copies: int = 2,
) -> Iterator[Result]:
    """Tries the candidates, each with each seed, until one of them tells the pair apart.

    A candidate that would not fit into memory, or whose search would be too large, is passed over,
    which the result's reason tells.
    With the same arguments, the results are the same but for the seconds.

    Args:
        pairs: The graphs.
        candidates: Kinds of networks, in the order in which to try them.
        seeds: Of the random weights and of the relabellings.
        copies: See :func:`distinguishes`.
    """
    if not candidates or not seeds:
        raise ValueError("score needs at least one candidate and one seed")
    for pair in pairs:
        start = time.perf_counter()
        result, passed_over = None, []
        for candidate, seed in product(candidates, seeds):
            try:
                verdict = _try(candidate, pair, seed, copies)
            except (MemoryError, SearchTooLarge) as error:
                passed_over.append(f"{candidate.name} not tried: {error}")
                continue
            seconds = time.perf_counter() - start
            result = to_result(pair, candidate, seed, verdict, seconds)
            if verdict.distinguished:
                break
        if result is None:
            seconds = time.perf_counter() - start
            nothing = nothing_tried("nothing tried")
            result = to_result(pair, candidates[0], seeds[0], nothing, seconds)
        if passed_over and not result.distinguished:
            result = replace(result, reason="; ".join([result.reason, *passed_over]))
        yield result


def _try(candidate: Candidate, pair: Pair, seed: int, copies: int) -> Verdict:
    generator = torch.Generator().manual_seed(seed)
    with torch.random.fork_rng(devices=()):
        torch.manual_seed(seed)
        x = pair.left.x
        encoding = candidate.make(None if x is None else x.size(1))
    return distinguishes(encoding, pair.left, pair.right, copies=copies, generator=generator)


def nothing_tried(reason: str) -> Verdict:
    return Verdict(False, math.nan, math.nan, math.nan, reason)


def to_result(pair: Pair, by: Candidate, seed: int, v: Verdict, seconds: float) -> Result:
    nodes = int(pair.left.num_nodes or 0)
    return Result(
        pair.category,
        pair.name,
        nodes,
        v.distinguished,
        by.name,
        seed,
        v.distance,
        v.noise,
        v.threshold,
        round(seconds, 3),
        v.reason,
    )


def by_category(results: Iterable[Result]) -> dict[str, tuple[int, int]]:
    """The number of pairs told apart, and of all pairs, of each category."""
    counts: dict[str, tuple[int, int]] = {}
    for result in results:
        apart, total = counts.get(result.category, (0, 0))
        counts[result.category] = (apart + result.distinguished, total + 1)
    return counts


def write_csv(results: Iterable[Result], path: str | Path) -> None:
    """One line per pair."""
    with writing_text(path, make_folder=True) as file:
        writer = csv.DictWriter(file, [field.name for field in fields(Result)])
        writer.writeheader()
        for result in results:
            writer.writerow(asdict(result))
