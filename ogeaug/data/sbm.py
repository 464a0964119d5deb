"""PATTERN and CLUSTER: node classification on stochastic block models, generated."""

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from torch_geometric.data import Data

from ogeaug.checks import check_counts

SMALLEST, LARGEST = 5, 34  # nodes of a community or pattern


def generate_pattern(
    num_graphs: int,
    seed: int = 0,
    *,
    num_patterns: int = 100,
    num_communities: int = 5,
    pattern_seed: int | None = None,
) -> list[Data]:
    r"""PATTERN: find the nodes of a planted pattern (Dwivedi et al., "Benchmarking graph neural
    networks", 2020).

    Each graph has communities of 5 to 34 nodes, joined with probability 0.5 within and 0.35
    between, and one of the patterns, random graphs of 5 to 34 nodes joined with probability 0.5,
    whose edges and features are drawn once; pattern and other nodes are joined with probability
    0.5. Patterns are used in turn. Nodes are in random order.

    Args:
        num_graphs: How many; the published set has 10,000 / 2,000 / 2,000.
        seed: Of the graphs.
        num_patterns: How many patterns.
        num_communities: Communities of a graph.
        pattern_seed: Of the patterns; ``seed`` if absent. Training and validation graphs must have
            the same patterns: give both the same.

    Shapes:
        - per graph: x ``[n, 1]`` int64 in {0, 1, 2}, edge_index ``[2, E]`` both directions,
          y ``[n]`` 1 inside the pattern

    Example:
        >>> train = generate_pattern(2, seed=1, pattern_seed=0)
        >>> train[0].y.unique()
        tensor([0, 1])
    """
    check_counts(num_graphs=num_graphs, num_patterns=num_patterns, num_communities=num_communities)
    source = np.random.default_rng([0, seed if pattern_seed is None else pattern_seed])
    patterns = []
    for _ in range(num_patterns):
        n = int(source.integers(SMALLEST, LARGEST + 1))
        inside = _draw(source, np.full((n, n), 0.5))
        patterns.append((inside, source.integers(0, 3, n)))
    rng = np.random.default_rng([1, seed])
    graphs = []
    for g in range(num_graphs):
        inside, features = patterns[g % num_patterns]
        block = _communities(rng, num_communities)  # [m]
        m, n = len(block), len(features)
        chance = np.full((m + n, m + n), 0.5)
        chance[:m, :m] = np.where(block[:, None] == block, 0.5, 0.35)
        adjacency = _draw(rng, chance)
        adjacency[m:, m:] = inside
        x = np.concatenate([rng.integers(0, 3, m), features])
        graphs.append(_shuffled(rng, adjacency, x, np.arange(m + n) >= m))
    return graphs


def generate_cluster(num_graphs: int, seed: int = 0, *, num_communities: int = 6) -> list[Data]:
    r"""CLUSTER: find the community of each node from one labelled node in each (Dwivedi et al.,
    "Benchmarking graph neural networks", 2020).

    Each graph has 6 communities of 5 to 34 nodes, joined with probability 0.55 within and 0.25
    between. One random node of community r has feature r + 1, all others 0. Nodes are in random
    order.

    Args:
        num_graphs: How many; the published set has 10,000 / 1,000 / 1,000.
        seed: Of the graphs.
        num_communities: Communities of a graph.

    Shapes:
        - per graph: x ``[n, 1]`` int64 in 0..6, edge_index ``[2, E]`` both directions,
          y ``[n]`` the community

    Example:
        >>> graph = generate_cluster(1)[0]
        >>> (graph.x > 0).sum(), graph.y.max()
        (tensor(6), tensor(5))
    """
    check_counts(num_graphs=num_graphs, num_communities=num_communities)
    rng = np.random.default_rng([2, seed])
    graphs = []
    for _ in range(num_graphs):
        block = _communities(rng, num_communities)  # [n]
        adjacency = _draw(rng, np.where(block[:, None] == block, 0.55, 0.25))
        x = np.zeros(len(block), dtype=np.int64)
        for r in range(num_communities):
            x[rng.choice(np.flatnonzero(block == r))] = r + 1
        graphs.append(_shuffled(rng, adjacency, x, block))
    return graphs


def _communities(rng: Generator, count: int) -> NDArray[np.int64]:
    """The community of each node, sizes drawn."""
    return np.repeat(np.arange(count), rng.integers(SMALLEST, LARGEST + 1, count))


def _draw(rng: Generator, chance: NDArray[np.float64]) -> NDArray[np.bool_]:
    """A symmetric adjacency matrix ``[n, n]`` without loops."""
    upper = np.triu(rng.random(chance.shape) < chance, 1)
    return upper | upper.T


def _shuffled(
    rng: Generator, adjacency: NDArray[np.bool_], x: NDArray[np.int64], y: NDArray[np.generic]
) -> Data:
    order = rng.permutation(len(x))
    edges = np.argwhere(adjacency[order][:, order])  # [E, 2]
    return Data(
        x=torch.from_numpy(x[order]).unsqueeze(1),  # one column of categories
        edge_index=torch.from_numpy(np.ascontiguousarray(edges.T)),
        y=torch.from_numpy(y[order].astype(np.int64)),
        num_nodes=len(x),
    )
