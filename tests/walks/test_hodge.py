"""The Hodge 1-Laplacian: kernels count unfilled cycles; statistics do not depend on orientation."""

import networkx as nx
import numpy as np
import pytest
import torch

from ogeaug.graph.edge_list import list_edges
from ogeaug.walks.hodge import (
    SMALL,
    edge_projections,
    hodge_laplacian,
    hodge_statistics,
    lowest_spaces,
    triangles,
)
from tests.graphs import HARD, to_data


def edges_of(graph: nx.Graph):
    return list_edges(nx.to_numpy_array(graph))


def slow_projections(adjacency, k: int):
    """The statistics from their definition: boundary matrices entry by entry, all eigenpairs."""
    n = len(adjacency)
    edges = [(i, j) for i in range(n) for j in range(i + 1, n) if adjacency[i, j] > 0]
    number = {edge: e for e, edge in enumerate(edges)}
    filled = [(i, j, h) for i, j in edges for h in range(j + 1, n) if {(i, h), (j, h)} <= {*edges}]
    B1, B2 = np.zeros((n, len(edges))), np.zeros((len(edges), len(filled)))
    for (i, j), e in number.items():
        B1[i, e], B1[j, e] = -1, 1
    for t, (i, j, h) in enumerate(filled):
        B2[number[i, j], t], B2[number[j, h], t], B2[number[i, h], t] = 1, 1, -1
    assert not (B1 @ B2).any()
    root = np.diag([adjacency[edge] ** 0.5 for edge in edges])
    up = np.linalg.inv(root) @ B2
    eigvals, eigvecs = np.linalg.eigh(root @ B1.T @ B1 @ root + up @ up.T)
    out = np.zeros((len(edges), k, 4))
    for i, value in enumerate(sorted({round(x, 6) for x in np.abs(eigvals)})[:k]):
        V = eigvecs[:, np.abs(eigvals - value) < 2e-6]
        P = V @ V.T
        out[:, i, 0], out[:, i, 1], out[:, i, 2] = 1, value, P.diagonal()
        out[:, i, 3] = np.abs(P).sum(1) / len(edges) ** 0.5
    return out


LARGE = {
    "no holes": nx.gnp_random_graph(26, 0.6, seed=0),
    "holes": nx.gnp_random_graph(60, 0.1, seed=0),
    "two eigenspaces": nx.complete_bipartite_graph(13, 13),
    "one eigenspace": nx.complete_graph(19),
}


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("graph", [*LARGE, "grid", "petersen", "star"])
def test_equals_the_definition(graph, weighted):
    small = {"grid": nx.grid_2d_graph(3, 4), "petersen": nx.petersen_graph()}
    A = nx.to_numpy_array((LARGE | small | {"star": nx.star_graph(5)})[graph])
    if weighted:
        draw = np.random.default_rng(0).uniform(0.5, 1.0, A.shape)
        A = A * (draw + draw.T)
    edges = list_edges(A)
    assert (len(edges.weight) > SMALL) == (graph in LARGE)
    expected = slow_projections(A, 6)
    np.testing.assert_allclose(edge_projections(edges, 6)[..., 1], expected[..., 1], atol=1e-6)
    found = edge_projections(edges, 6)[..., [0, 2, 3]]
    np.testing.assert_allclose(found, expected[..., [0, 2, 3]], atol=1e-11)


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8])
def test_few_eigenpairs_hold_whole_eigenspaces(k):
    """The 2k lowest eigenpairs cut the second eigenspace (k = 2) or one after the k-th."""
    multiplicity = np.array([1, 4, 1, 1, 2, 3] * 15)
    V = np.linalg.qr(np.random.default_rng(0).normal(size=(180, 180)))[0]
    matrix = V * np.repeat(np.arange(90.0), multiplicity) @ V.T
    bounds = lowest_spaces(matrix, k, 1e-6)[2]
    assert bounds.tolist() == [0, *multiplicity.cumsum()[:k]]


@pytest.mark.parametrize(
    ("graph", "cycles"),
    [
        (nx.path_graph(5), 0),
        (nx.cycle_graph(6), 1),
        (nx.complete_graph(5), 0),
        (nx.grid_2d_graph(3, 4), 6),
        (nx.petersen_graph(), 6),
        (nx.disjoint_union(nx.cycle_graph(4), nx.cycle_graph(5)), 2),
    ],
)
def test_kernel_counts_cycles_that_no_triangles_fill(graph, cycles):
    eigvals = np.linalg.eigvalsh(hodge_laplacian(edges_of(graph)))
    assert (np.abs(eigvals) < 1e-9).sum() == cycles
    assert eigvals.min() > -1e-9


def test_weights_keep_the_kernel_and_the_node_spectrum():
    graph = nx.lollipop_graph(4, 4)
    graph.add_edge(0, 7)
    A = nx.to_numpy_array(graph)
    A = A * np.random.default_rng(0).uniform(0.5, 2, A.shape)
    A = (A + A.T) / 2
    edges = list_edges(A)
    eigvals = np.linalg.eigvalsh(hodge_laplacian(edges))
    assert (np.abs(eigvals) < 1e-9).sum() == 1
    nodes = np.linalg.eigvalsh(np.diag(A.sum(1)) - A)[1:]
    assert all(np.abs(eigvals - value).min() < 1e-9 for value in nodes)


def test_triangles():
    assert triangles(edges_of(nx.complete_graph(4))).tolist() == [
        [0, 1, 2],
        [0, 1, 3],
        [0, 2, 3],
        [1, 2, 3],
    ]
    assert len(triangles(edges_of(nx.cycle_graph(4)))) == 0


def test_projections_sum_to_the_identity():
    edges = edges_of(nx.petersen_graph())
    found = edge_projections(edges, 20)
    np.testing.assert_allclose(found[:, :, 2].sum(1), 1.0, atol=1e-12)
    there = found[0, :, 0]
    assert there.sum() == 3  # eigenvalues 0, 2, 5
    np.testing.assert_allclose(found[0, :3, 1], [0, 2, 5], atol=1e-9)


def test_statistics_do_not_depend_on_listed_direction():
    data = HARD["grid"]
    sizes = torch.tensor([data.num_nodes])
    half = data.edge_index[:, : data.edge_index.size(1) // 2]
    torch.testing.assert_close(
        hodge_statistics(half, sizes, k=4), hodge_statistics(half.flip(0), sizes, k=4)
    )


def test_errors_tell_what_is_wrong():
    data = to_data(nx.path_graph(2), torch.tensor([-1.0]))
    with pytest.raises(ValueError, match="Hodge Laplacian need weights of at least 0"):
        hodge_statistics(data.edge_index, torch.tensor([2]), data.edge_weight, k=2)
    with pytest.raises(ValueError, match="k must be at least 1"):
        hodge_statistics(data.edge_index, torch.tensor([2]), k=0)
