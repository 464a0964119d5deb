import math

import pytest
import torch
from torch_geometric.data import Data

from ogeaug.cli.result_table import print_results
from ogeaug.errors import UserError
from ogeaug.training.config import Config
from ogeaug.training.fitting import fit
from ogeaug.training.given import take_parts
from ogeaug.training.prepare import Parts

NAN = float("nan")
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
        (REGRESSION, {"y": 3.0}, r"needs y with 2 .*got Data\("),
        (NODES, {"y": torch.zeros(3)}, "one per node"),
        (REGRESSION, {"y": torch.zeros(2), "edge_attr": torch.zeros(2, 1)}, "others have not"),
        (MULTI, {"y": torch.tensor(3)}, r"test\[0\]: y holds 3 to 3; multiclass has .* 0 to 2"),
        (NODES, {"y": torch.tensor([-1.0, 1.5])}, r"y holds -1 to 1.5"),
        (MULTI, {"y": torch.tensor(1), "x": torch.zeros(2, 5)}, r"features.node_channels=5"),
        (LINKS, {"edge_label": torch.zeros(3)}, r"edge_label_index \[2, P\]"),
    ],
)
def test_what_is_missing_is_named(task, fields, message):
    with pytest.raises(UserError, match=message):
        take(task, **fields)


@pytest.mark.parametrize("key", ["edge_attr", "stored_encoding_0", "name"])
def test_an_attribute_of_some_graphs_only(key):
    plain = Data(edge_index=EDGES, num_nodes=2, y=torch.zeros(2))
    odd = plain.clone()
    odd[key] = torch.zeros(2, 1)
    config = Config.model_validate({"features": {"kind": "own"}, "task": REGRESSION})
    for parts in (Parts([plain, odd], [plain]), Parts([odd], [plain])):
        with pytest.raises(UserError, match=f"some graphs have {key}, others have not"):
            take_parts(config, parts)


def test_missing_classes():
    assert take(NODES, y=torch.tensor([-1, 2])).y.tolist() == [-1, 2]
    assert take(MULTI, y=torch.tensor(torch.nan)).y.isnan().all()


def test_empty_parts():
    with pytest.raises(UserError, match="at least one graph"):
        take_parts(Config(), Parts([], []))


@pytest.mark.parametrize(
    ("task", "train", "val", "message"),
    [
        (REGRESSION, [1, 2], [NAN, NAN], "no graph of the val part has a label"),
        (REGRESSION, [1, NAN], [1, 2], "no graph of the train part has a value of b"),
        (NODES, [-1, -1], [1, 2], "no graph of the train part has a label"),
    ],
)
def test_parts_without_labels_are_refused_before_training(task, train, val, message):
    config = Config.model_validate({"features": {"kind": "own"}, "task": task})
    graphs = [Data(edge_index=EDGES, num_nodes=2, y=torch.tensor(y)) for y in (train, val)]
    with pytest.raises(UserError, match=message):
        take_parts(config, Parts(graphs[:1], graphs[1:]))


def test_a_test_part_without_labels(tmp_path, capsys):
    """Its metrics are not defined, which is no reason to lose a trained model."""
    config = Config.model_validate(
        {
            "features": {"kind": "own"},
            "task": NODES,
            "backbone": {"layers": 1, "channels": 8},
            "training": {"epochs": 1, "batch_size": 2, "tensorboard": False},
        }
    )
    labels = ([0, 1], [2, 0], [-1, -1], [-1, -1])  # a batch may be without labels, too
    train = [Data(edge_index=EDGES, num_nodes=2, y=torch.tensor(y)) for y in labels]
    result = fit(config, tmp_path / "r", parts=Parts(train, train, train[2:]), progress=False)
    assert math.isfinite(result.metrics["val"]["accuracy"])
    assert all(math.isnan(value) for value in result.metrics["test"].values())
    print_results([result], tmp_path / "r")
    assert "nan: not defined on that part" in capsys.readouterr().out


@pytest.mark.parametrize("key", ["edge_attr", "edge_weight"])
def test_a_row_for_each_edge(key):
    config = Config.model_validate({"features": {"kind": "own"}, "task": {"targets": ["a"]}})
    graph = Data(edge_index=EDGES, num_nodes=2, y=torch.zeros(1), **{key: torch.zeros(3)})
    with pytest.raises(UserError, match=f"{key} needs a row for each of the 2 columns"):
        take_parts(config, Parts([graph], [graph]))
