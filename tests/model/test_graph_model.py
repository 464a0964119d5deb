import pytest
import torch
from pydantic import ValidationError
from torch import nn
from torch_geometric.data import Batch, Data

from ogeaug import encodings
from ogeaug.data.molecule import FEATURES, smiles_to_data
from ogeaug.encodings.base import Encoding
from ogeaug.errors import UserError
from ogeaug.model.config import BackboneConfig, ModelConfig, TaskConfig
from ogeaug.model.embed import ColumnEmbedding
from ogeaug.model.graph_model import GraphModel
from ogeaug.spectrum.solve import SpectrumOptions

SMILES = ("CCO", "C", "c1ccccc1C(=O)[O-].[Na+]", "CC(C)C")
OGE = {"name": "oge_aug", "out_channels": 8, "hidden_channels": 8, "num_layers": 2}


class EdgeOnes(Encoding):
    level = "edge"

    def __init__(self, out_channels: int, value: float = 1.0) -> None:
        super().__init__(out_channels, SpectrumOptions())
        self.value = nn.Parameter(torch.tensor(value))

    def forward(self, data):
        return self.value.expand(data.num_edges, self.out_channels)


def config(**changes) -> ModelConfig:
    features = {"node_sizes": FEATURES["ogb"].node_sizes, "edge_sizes": FEATURES["ogb"].edge_sizes}
    base = {
        "features": features,
        "encodings": [OGE],
        "backbone": {"layers": 2, "channels": 16},
        "task": {"targets": ["a", "b"]},
    }
    return ModelConfig.model_validate(base | changes)


@pytest.fixture
def batch():
    return Batch.from_data_list([smiles_to_data(smiles) for smiles in SMILES])


def test_batch_equals_one_by_one(batch):
    model = GraphModel.from_config(config()).eval()
    alone = torch.cat([model(smiles_to_data(smiles)) for smiles in SMILES])
    assert model(batch).shape == (4, 2)
    torch.testing.assert_close(model(batch), alone, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("pooling", ["sum", "mean", "sum_mean"])
def test_renumbering_changes_nothing(pooling):
    model = GraphModel.from_config(config(head={"pooling": pooling})).eval()
    # The same molecule, written from its two ends.
    one, other = (model(smiles_to_data(s)) for s in ("CC(=O)Nc1ccc(O)cc1", "Oc1ccc(NC(C)=O)cc1"))
    torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-5)


def test_encodings_may_be_added_or_combined(batch):
    both = config(encodings=[OGE, OGE | {"out_channels": 4}])
    assert GraphModel.from_config(both).embed.node.table.embedding_dim == 4
    added = config(encodings=[OGE | {"out_channels": 16}] * 2, combine="add")
    for chosen in (both, added, config(encodings=[])):
        assert GraphModel.from_config(chosen)(batch).isfinite().all()


@pytest.mark.parametrize("combine", ["concat", "add"])
@pytest.mark.parametrize("name", ["oge_aug", "peg"])
def test_encodings_may_start_from_node_features(batch, name, combine):
    own = OGE | {"name": name, "features": True, "out_channels": 8 if combine == "concat" else 16}
    model = GraphModel.from_config(config(encodings=[own], combine=combine)).eval()
    assert model.encodings[0].in_channels == (16 if combine == "add" else 8)
    found = []
    model.encodings[0].register_forward_hook(lambda _, __, z: found.append(z))
    model(batch)
    kept = batch.x.clone()
    batch.x[:, 0] = batch.x[0, 0]  # all atoms become carbon
    model(batch)
    assert not torch.equal(kept, batch.x)
    assert not torch.allclose(*found)
    structure = GraphModel.from_config(config(encodings=[OGE])).encodings[0]
    assert structure.in_channels is None


def test_encodings_may_be_standardized():
    dense = Batch.from_data_list([smiles_to_data(smiles) for smiles in SMILES] * 8)
    found = {}
    for standardize in (False, True):
        own = OGE | {"standardize": standardize}
        model = GraphModel.from_config(config(encodings=[own]))
        model.backbone.register_forward_pre_hook(
            lambda _, inputs, key=standardize: found.update({key: inputs[0][:, 8:]})
        )
        model(dense)
    torch.testing.assert_close(found[True].mean(0), torch.zeros(8), rtol=0, atol=1e-5)
    assert (found[True].var(0, correction=0) < 1 + 1e-3).all()
    assert found[False].mean(0).abs().max() > 1e-2


def test_node_features_of_encodings_are_checked():
    with pytest.raises(UserError, match="takes no node features"):
        GraphModel.from_config(
            config(encodings=[{"name": "rwse", "out_channels": 8, "features": True}])
        )
    with pytest.raises(UserError, match="write features: true"):
        GraphModel.from_config(config(encodings=[OGE | {"in_channels": 8}]))


def test_encoding_widths_are_checked():
    with pytest.raises(UserError, match="leave no room"):
        GraphModel.from_config(config(encodings=[OGE, OGE]))
    with pytest.raises(UserError, match="must be the backbone's channels"):
        GraphModel.from_config(config(combine="add"))


@pytest.mark.parametrize("option", [{"delta": -1}, {"delta": "wide"}, {"k": 0}, {"order": 7}])
def test_wrong_values_of_encoding_options_are_errors_of_the_user(option):
    encoding = {"name": "oge_aug", "out_channels": 4, **option}
    with pytest.raises(UserError, match=rf"encoding 'oge_aug' with .*{next(iter(option))}"):
        GraphModel.from_config(config(encodings=[encoding]))


def test_edge_encodings_join_the_edges(batch, monkeypatch):
    monkeypatch.setitem(encodings.ENCODINGS, "ones", EdgeOnes)
    ones = {"name": "ones", "out_channels": 4}
    joined = config(encodings=[OGE, ones], head={"pooling": "sum"})  # large numbers: no dead units
    model = GraphModel.from_config(joined).eval()
    assert model.embed.edge.table.embedding_dim == 12
    before = model(batch)
    model.encodings[1].value.data += 1
    assert not torch.equal(before, model(batch))
    with pytest.raises(UserError, match="backbone that takes edge features"):
        GraphModel.from_config(config(encodings=[ones], backbone={"name": "gin"}))


def test_unknown_encodings_and_options_list_the_choices():
    with pytest.raises(UserError, match="choose from oge_aug"):
        GraphModel.from_config(config(encodings=[{"name": "laplace", "out_channels": 4}]))
    with pytest.raises(UserError, match=r"no option widht; it has in_channels, hidden_channels"):
        GraphModel.from_config(config(encodings=[OGE | {"widht": 3}]))


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": "gine", "heads": 4},
        {"name": "gine", "conv": "gcn"},
        {"name": "gps"},
        {"name": "gps", "conv": "gine", "residual": False, "heads": 4},
        {"name": "gps", "conv": "gine", "attention_dropout": 0.5},
        {"name": "transformer"},
        {"name": "gat", "heads": 3, "channels": 16},
        {"depth": 3},
        {"channels": 10**9},
    ],
)
def test_backbone_options_are_never_ignored(wrong):
    with pytest.raises(ValidationError):
        BackboneConfig(**wrong)


@pytest.mark.parametrize(
    "wrong", [{"type": "multiclass"}, {"num_classes": 3}, {"units": {"z": "m"}, "targets": ["y"]}]
)
def test_task_options_are_never_ignored(wrong):
    with pytest.raises(ValidationError):
        TaskConfig(**wrong)


def test_heads_of_the_other_tasks(batch):
    node = GraphModel.from_config(config(task={"type": "node_classification", "num_classes": 3}))
    assert node(batch).shape == (batch.num_nodes, 3)
    link = GraphModel.from_config(config(task={"type": "link_ranking"})).eval()
    assert link(batch).shape == (batch.num_nodes, link.config.backbone.channels)


def test_other_features_than_trained_with_are_refused():
    model = GraphModel.from_config(config())
    with pytest.raises(ValueError, match=r"9 column.*other features"):
        model(smiles_to_data("CCO", features="zinc"))


def test_a_batch_vector_is_as_good_as_a_batch(batch):
    model = GraphModel.from_config(config()).eval()
    plain = Data(batch.x, batch.edge_index, batch.edge_attr, batch=batch.batch)
    torch.testing.assert_close(model(plain), model(batch))


@pytest.mark.parametrize("row", [[3, 0], [-1, 0], [0, 5]])
def test_unknown_categories_are_refused(row):
    embed = ColumnEmbedding(4, sizes=[3, 5])
    assert embed(torch.tensor([[2, 4]]), 1).shape == (1, 4)
    with pytest.raises(ValueError, match=r"column \d holds categories .* the model knows 0 to"):
        embed(torch.tensor([row]), 1)


def test_targets_come_in_their_units(batch):
    model = GraphModel.from_config(config()).eval()
    raw = model(batch)
    y = torch.tensor([[10.0, float("nan")], [30.0, 5.0], [20.0, 5.0]])
    model.head.scale.fit(y)
    assert model.head.scale.mean.tolist() == [20.0, 5.0]
    assert model.head.scale.std.tolist() == pytest.approx([(200 / 3) ** 0.5, 1.0])
    torch.testing.assert_close(model(batch)[:, 0], raw[:, 0] * model.head.scale.std[0] + 20)
