import math

import pytest
import torch
from torch_geometric.data import Batch, Data

from ogeaug.model.config import HeadConfig, TaskConfig
from ogeaug.tasks import Choice, link_metrics, make_task

TASK = make_task(TaskConfig(type="link_ranking"))


def graph(n: int, pairs: list[tuple[int, int]], labels: list[int]) -> Data:
    index = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T
    edges = torch.tensor([[0, 1], [1, 0]])
    return Data(
        edge_index=edges, num_nodes=n, edge_label_index=index, edge_label=torch.tensor(labels)
    )


GRAPHS = [
    graph(4, [(0, 1), (0, 2), (3, 1)], [1, 0, 1]),
    graph(3, [(0, 1)], [0]),  # no link: it counts 0
    graph(5, [(2, 4), (2, 0), (1, 3), (0, 1)], [1, 1, 0, -1]),
]
BATCH = Batch.from_data_list(GRAPHS)
VECTORS = torch.randn(12, 6, generator=torch.Generator().manual_seed(0))


def test_loss_is_that_of_the_labelled_pairs():
    each, begin = [], 0
    for data in GRAPHS:
        for (i, j), label in zip(
            data.edge_label_index.T.tolist(), data.edge_label.tolist(), strict=True
        ):
            score = float(VECTORS[begin + i] @ VECTORS[begin + j])
            chance = 1 / (1 + math.exp(-score))
            if label >= 0:
                each.append(-math.log(chance if label else 1 - chance))
        begin += data.num_nodes
    predicted = TASK.predictions(VECTORS, BATCH)
    assert TASK.loss(predicted, TASK.labels(BATCH)).item() == pytest.approx(sum(each) / 7)


def raw_rank(vectors: torch.Tensor, i: int, j: int) -> int:
    scores = (vectors @ vectors[i]).tolist()
    return 1 + sum(scores[k] > scores[j] for k in range(len(scores)) if k != j)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_metrics_are_means_over_graphs(size):
    """Of all pairs of nodes of a graph, whatever the batches."""
    vectors = VECTORS.split([4, 3, 5])
    found = []
    for begin in range(0, 3, size):
        batch = Batch.from_data_list(GRAPHS[begin : begin + size])
        found.append(TASK.outputs(torch.cat(vectors[begin : begin + size]), batch))
    record = TASK.evaluate(found)
    a, b = vectors[0], vectors[2]
    first = (1 / raw_rank(a, 0, 1) + 1 / raw_rank(a, 3, 1)) / 2
    last = (1 / raw_rank(b, 2, 4) + 1 / raw_rank(b, 2, 0)) / 2
    assert record["mrr"] == pytest.approx((first + 0 + last) / 3)
    each = [
        link_metrics(z @ z.T, data.edge_label_index[:, data.edge_label > 0])
        for z, data in zip(vectors, GRAPHS, strict=True)
    ]
    for name in each[0]:
        assert record[name] == pytest.approx(sum(one[name] for one in each) / 3), name
    assert TASK.choice([]) == Choice("mrr", lower=False)


def test_vectors_that_are_not_finite_have_no_rank():
    vectors = VECTORS.clone()
    vectors[0] = torch.nan
    record = TASK.evaluate([TASK.outputs(vectors, BATCH)])
    assert math.isnan(record["loss"])
    assert math.isnan(record["mrr"])


def test_the_head_gives_vectors_without_asking_for_pairs():
    head = TASK.make_head(6, HeadConfig(layers=1))
    data = Data(edge_index=torch.tensor([[0], [1]]), num_nodes=2)
    assert head(torch.randn(2, 6), data, torch.zeros(2, dtype=torch.long)).shape == (2, 6)
