"""The Hodge 1-Laplacian: kernels count unfilled cycles; statistics do not depend on orientation."""

import networkx as nx
import numpy as np
import pytest
import torch

from ogeaug.spectrum.edge_list import list_edges
from ogeaug.spectrum.hodge import edge_projections, hodge_laplacian, hodge_statistics, triangles
from tests.graphs import HARD, to_data


def edges_of(graph: nx.Graph):
    return list_edges(nx.to_numpy_array(graph))


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
