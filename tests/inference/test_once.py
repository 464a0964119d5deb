"""An ensemble of M models computes what its encodings need once, not M times."""

import pytest
import torch

import ogeaug.encodings.rwse
import ogeaug.spectrum.pyg
import ogeaug.transforms.add_random_walk
from ogeaug.data.convert import with_sizes
from ogeaug.inference.encode import encode_table
from ogeaug.inference.predict import predict_texts
from ogeaug.model.config import FeaturesConfig, ModelConfig
from ogeaug.model.graph_model import GraphModel
from tests.training.tiny import molecules, write_csv

OGE = {"name": "oge_aug", "out_channels": 4, "hidden_channels": 4, "num_layers": 1}
SPE = {"name": "spe", "out_channels": 4, "hidden_channels": 4, "num_layers": 1}
RWSE = {"name": "rwse", "out_channels": 4, "hidden_channels": 4, "steps": 6}
TEXTS = [*molecules(20), "C1CC", "C"]


def model(seed, *encodings):
    config = ModelConfig.model_validate(
        {
            "features": with_sizes(FeaturesConfig()).model_dump(),
            "task": {"targets": ["y"]},
            "encodings": encodings,
            "backbone": {"layers": 1, "channels": 16},
        }
    )
    torch.manual_seed(seed)
    return GraphModel.from_config(config).eval()


@pytest.fixture
def counts(monkeypatch):
    """How many graphs were decomposed, and on how many random walks were walked."""
    found = {"compute_spectra": 0, "node_walks": 0}

    def counting(module, name):
        before = getattr(module, name)

        def counted(edge_index, num_nodes, *args, **options):
            found[name] += len(num_nodes)
            return before(edge_index, num_nodes, *args, **options)

        monkeypatch.setattr(module, name, counted)

    counting(ogeaug.spectrum.pyg, "compute_spectra")
    counting(ogeaug.transforms.add_random_walk, "node_walks")
    counting(ogeaug.encodings.rwse, "node_walks")
    return found


def test_an_ensemble_computes_spectra_and_walks_once(counts):
    models = [model(0, OGE, RWSE), model(1, OGE, SPE), model(2, RWSE | {"steps": 9}, OGE)]
    values, notes = predict_texts(models, TEXTS)
    assert counts == {"compute_spectra": 21, "node_walks": 21}  # all but the one that is no SMILES
    assert [note == "ok" for note in notes] == [text != "C1CC" for text in TEXTS]
    apart = torch.stack([predict_texts([one], TEXTS)[0] for one in models])  # [M, T, 1]
    readable = [i for i, note in enumerate(notes) if note == "ok"]
    assert torch.equal(values[readable, 0], apart.mean(0)[readable, 0])


def test_different_spectra_are_computed_by_each(counts):
    models = [model(0, OGE | {"k": 3}), model(1, OGE), model(2, OGE)]
    values, _ = predict_texts(models, TEXTS[:5])
    assert counts["compute_spectra"] == 15
    apart = torch.stack([predict_texts([one], TEXTS[:5])[0] for one in models])
    assert torch.equal(values[:, 0], apart.mean(0)[:, 0])


def test_a_graph_that_fails_while_prepared_takes_no_other_with_it(monkeypatch):
    before = ogeaug.transforms.add_random_walk.node_walks

    def fails(edge_index, num_nodes, *args, **options):
        if 1 in num_nodes:
            raise MemoryError
        return before(edge_index, num_nodes, *args, **options)

    monkeypatch.setattr(ogeaug.transforms.add_random_walk, "node_walks", fails)
    _, notes = predict_texts([model(0, RWSE)], ["CC", "C", "CCO"])
    assert notes == ["ok", "too large: 1 nodes need more memory than there is", "ok"]


def test_encoding_a_table_decomposes_once(counts, tmp_path):
    both = model(0, OGE, SPE)
    both.save_pretrained(tmp_path / "model")
    table = write_csv(tmp_path / "in.csv")
    encode_table(table, tmp_path / "z.csv", model_path=tmp_path / "model", progress=False)
    assert counts["compute_spectra"] == len(molecules())
