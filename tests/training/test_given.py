import pytest
import torch
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.training.config import Config
from ogeaug.training.given import take_parts
from ogeaug.training.prepare import Parts

EDGES = torch.tensor([[0, 1], [1, 0]])


def take(task, **fields):
    good = {"regression": {"y": torch.zeros(2)}, "multiclass": {"y": torch.tensor(1)}}
    config = Config.model_validate({"features": {"kind": "own"}, "task": task})
    first = Data(edge_index=EDGES, num_nodes=2, **(good.get(task["type"]) or fields))
    bad = Data(edge_index=EDGES, num_nodes=2, **fields)
    return take_parts(config, Parts([first], [first], [bad])).parts.test[0]


REGRESSION = {"type": "regression", "targets": ["a", "b"]}
MULTI = {"type": "multiclass", "num_classes": 3}
NODES = {"type": "node_classification", "num_classes": 3}
LINKS = {"type": "link_ranking"}


@pytest.mark.parametrize("shape", [(2,), (1, 2), (2, 1)])
def test_any_shape_of_targets(shape):
    data = take(REGRESSION, y=torch.arange(2).reshape(shape))
    assert data.y.tolist() == [[0.0, 1.0]]
    assert take(MULTI, y=torch.tensor([2])).y.tolist() == [[2.0]]


@pytest.mark.parametrize(
    ("task", "fields", "message"),
    [
        (REGRESSION, {}, r"test\[0\]: regression needs y with 2 number\(s\), one per target"),
        (REGRESSION, {"y": torch.zeros(3)}, r"needs y with 2 .*got Data\("),
        (MULTI, {"y": torch.zeros(3)}, "multiclass needs y with 1 number"),
        (NODES, {"y": torch.zeros(3)}, "one per node"),
        (MULTI, {"y": torch.tensor(3)}, r"test\[0\]: y holds 3 to 3; multiclass has .* 0 to 2"),
        (NODES, {"y": torch.tensor([-1.0, 1.5])}, r"y holds -1 to 1.5"),
        (MULTI, {"y": torch.tensor(1), "x": torch.zeros(2, 5)}, r"features.node_channels=5"),
        (LINKS, {"edge_label": torch.zeros(3)}, r"edge_label_index \[2, P\]"),
    ],
)
def test_what_is_missing_is_named(task, fields, message):
    with pytest.raises(UserError, match=message):
        take(task, **fields)


def test_missing_classes():
    assert take(NODES, y=torch.tensor([-1, 2])).y.tolist() == [-1, 2]
    assert take(MULTI, y=torch.tensor(torch.nan)).y.isnan().all()


def test_empty_parts():
    with pytest.raises(UserError, match="at least one graph"):
        take_parts(Config(), Parts([], []))
