import networkx as nx
import pyarrow.csv
import pyarrow.parquet
import pytest
import torch

from ogeaug import OGEAug, load_model
from ogeaug.data.molecule import smiles_to_data
from ogeaug.errors import UserError
from ogeaug.inference.encode import encode_table
from ogeaug.model.config import ModelConfig
from ogeaug.model.graph_model import GraphModel
from ogeaug.training.fitting import fit
from tests.training.tiny import tiny_config, write_csv


@pytest.fixture
def source(tmp_path):
    return write_csv(tmp_path / "s.csv", header="smiles", rows=["CCO", "bad", "C", "OCC"])


def test_a_line_per_node(source, tmp_path):
    counts = encode_table(source, tmp_path / "z.parquet", out_channels=5, chunk=2, progress=False)
    assert counts == {"read": 4, "failed": 1}
    table = pyarrow.parquet.read_table(tmp_path / "z.parquet").to_pydict()
    assert table["row"] == [0, 0, 0, 1, 2, 3, 3, 3]
    assert table["node"] == [0, 1, 2, None, 0, 0, 1, 2]
    assert table["z4"][3] is None
    assert "invalid SMILES" in table["status"][3]
    # OCC is CCO from the other end.
    assert table["z0"][0] == pytest.approx(table["z0"][7], rel=1e-4)


@pytest.mark.parametrize("pooling", ["none", "sum"])
def test_what_is_not_finite_is_marked(source, tmp_path, monkeypatch, pooling):
    forward = OGEAug.forward

    def overflows(encoding, batch):
        z = forward(encoding, batch)
        alone = batch.ptr.diff()[batch.batch] == 1
        return torch.where(alone.unsqueeze(1), torch.inf, z)

    monkeypatch.setattr(OGEAug, "forward", overflows)
    counts = encode_table(source, tmp_path / "z.parquet", pooling=pooling, progress=False)
    assert counts == {"read": 4, "failed": 2}
    table = pyarrow.parquet.read_table(tmp_path / "z.parquet").to_pydict()
    notes = dict(zip(table["row"], table["status"], strict=True))
    assert [notes[0], notes[2], notes[3]] == ["ok", "the encoding is not finite", "ok"]


@pytest.mark.parametrize("pooling", ["sum", "mean"])
def test_a_line_per_graph(source, tmp_path, pooling):
    encode_table(source, tmp_path / "z.parquet", pooling=pooling, progress=False)
    table = pyarrow.parquet.read_table(tmp_path / "z.parquet")
    assert table.num_rows == 4
    assert "node" not in table.column_names


def test_trained_weights(source, tmp_path, run):
    encode_table(source, tmp_path / "z.parquet", model_path=run, progress=False)
    table = pyarrow.parquet.read_table(tmp_path / "z.parquet").to_pydict()
    z = load_model(run).encodings[0](smiles_to_data("CCO"))
    assert table["z0"][:3] == pytest.approx(z[:, 0].tolist(), rel=1e-5)
    assert "z3" in table
    assert "z4" not in table


def test_trained_weights_see_the_atoms(table, tmp_path):
    config = tiny_config(table, "encodings.0.features=true", "training.epochs=1")
    fit(config, tmp_path / "run", progress=False)
    source = write_csv(tmp_path / "s.csv", header="smiles", rows=["CCO", "CCN"])
    encode_table(source, tmp_path / "z.parquet", model_path=tmp_path / "run", progress=False)
    z0 = pyarrow.parquet.read_table(tmp_path / "z.parquet").to_pydict()["z0"]
    assert z0[:3] != pytest.approx(z0[3:], rel=1e-5)


def test_what_the_backbone_sees(table, source, tmp_path):
    config = tiny_config(table, "encodings.0.standardize=true", "training.epochs=1")
    fit(config, tmp_path / "run", progress=False)
    encode_table(source, tmp_path / "z.parquet", model_path=tmp_path / "run", progress=False)
    z0 = pyarrow.parquet.read_table(tmp_path / "z.parquet").to_pydict()["z0"][:3]
    model, data = load_model(tmp_path / "run"), smiles_to_data("CCO")
    raw = model.encodings[0](data)
    assert z0 == pytest.approx(model.norms[0](raw)[:, 0].tolist(), rel=1e-5)
    assert z0 != pytest.approx(raw[:, 0].tolist(), rel=1e-2)


def test_a_model_has_its_own_encoding(source, tmp_path, run):
    for option in ({"encoding": "rwse"}, {"out_channels": 3}, {"seed": 1}, {"graph6": True}):
        with pytest.raises(UserError, match="has its own encoding"):
            encode_table(source, tmp_path / "z.csv", model_path=run, progress=False, **option)


@pytest.mark.parametrize("name", ["z.parquet", "z.csv"])
def test_a_full_disk(source, tmp_path, name):
    (tmp_path / name).symlink_to("/dev/full")
    with pytest.raises(UserError, match=rf"cannot write .*{name}: No space left"):
        encode_table(source, tmp_path / name, progress=False)


@pytest.mark.parametrize("name", ["z.parquet", "z.csv"])
def test_no_rows(tmp_path, name):
    source = write_csv(tmp_path / "s.csv", header="smiles", rows=[])
    counts = encode_table(source, tmp_path / name, out_channels=2, progress=False)
    assert counts == {"read": 0, "failed": 0}
    read = pyarrow.parquet.read_table if name.endswith("parquet") else pyarrow.csv.read_csv
    assert read(tmp_path / name).column_names == ["row", "node", "z0", "z1", "status"]


def test_the_input_is_never_overwritten(source, tmp_path):
    with pytest.raises(UserError, match="is the input"):
        encode_table(source, source, progress=False)
    (tmp_path / "folder.csv").mkdir()
    with pytest.raises(UserError, match="is a folder; name a file"):
        encode_table(source, tmp_path / "folder.csv", progress=False)


def test_random_weights_are_seeded(source, tmp_path):
    found = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        torch.rand(1)
        encode_table(source, tmp_path / f"{name}.csv", seed=seed, progress=False)
        found.append((tmp_path / f"{name}.csv").read_bytes())
    assert found[0] == found[1] != found[2]


def test_graph6(tmp_path):
    lines = [
        nx.to_graph6_bytes(g, header=False).decode().strip()
        for g in (nx.cycle_graph(5), nx.path_graph(3))
    ]
    path = write_csv(tmp_path / "g.csv", header="graph6", rows=[f'"{line}"' for line in lines])
    encode_table(path, tmp_path / "z.csv", column="graph6", graph6=True, progress=False)
    assert len((tmp_path / "z.csv").read_text().splitlines()) == 1 + 5 + 3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"output": "z.txt"}, r"ends in .parquet or .csv"),
        ({"pooling": "max"}, "choose from none, sum, mean"),
        ({"encoding": "oge"}, "choose from oge_aug"),
        ({"column": "SMILES"}, "no column 'SMILES'"),
        ({"encoding": "edge_rwse"}, "edge_rwse is an encoding of edges.*a table of nodes"),
    ],
)
def test_wrong_arguments(source, tmp_path, change, message):
    output = tmp_path / change.pop("output", "z.parquet")
    with pytest.raises(UserError, match=message):
        encode_table(source, output, progress=False, **change)
    assert not output.exists()


def test_gates_are_no_features(source, tmp_path):
    rwse = {"name": "rwse", "out_channels": 3}
    gate = {"name": "es_lap_pe", "out_channels": 5, "k": 3}
    for encodings in ([rwse, gate], [gate]):
        config = {"encodings": encodings, "features": {"kind": "ogb"}}
        GraphModel.from_config(ModelConfig.model_validate(config)).save_pretrained(tmp_path / "m")
        given = {"model_path": tmp_path / "m", "allow_unfinished": True, "progress": False}
        if encodings == [gate]:
            with pytest.raises(UserError, match="no encoding of nodes; es_lap_pe gates messages"):
                encode_table(source, tmp_path / "z.parquet", **given)
        else:
            encode_table(source, tmp_path / "z.parquet", **given)
            columns = pyarrow.parquet.read_table(tmp_path / "z.parquet").column_names
            assert [c for c in columns if c.startswith("z")] == ["z0", "z1", "z2"]
