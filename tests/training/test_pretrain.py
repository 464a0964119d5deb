"""Learning the structure of molecules without labels."""

import pytest
import torch

from ogeaug import OGEAug
from ogeaug.data.molecule import smiles_to_data
from ogeaug.encodings.oge_pretrained import PretrainedOGEAug
from ogeaug.errors import UserError
from ogeaug.training.pretrain import Pretraining, pretrain
from ogeaug.training.pretrain_molecules import pretrain_molecules
from tests.training.tiny import molecules

SMALL = {"hidden_channels": 8, "num_layers": 1}


def graphs(count=40):
    return [smiles_to_data(smiles) for smiles in molecules(count)]


def network():
    torch.manual_seed(0)
    return OGEAug(6, hidden_channels=8, num_layers=1)


def test_it_learns():
    untrained, trained = network(), network()
    before = pretrain(graphs(), untrained, epochs=1, lr=1e-12, progress=False)
    after = pretrain(graphs(), trained, epochs=20, lr=1e-2, progress=False)
    assert after < 0.8 * before
    assert not trained.training


def test_the_same_seed_gives_the_same_and_leaves_torch_alone():
    found = []
    for seed in (1, 1, 2):
        one, state = network(), torch.random.get_rng_state()
        pretrain(graphs(20), one, epochs=1, seed=seed, progress=False)
        assert torch.equal(torch.random.get_rng_state(), state)
        found.append(one.state_dict())
    first, again, other = found
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert any(not torch.equal(first[name], other[name]) for name in first)


def test_graphs_stay_as_they_are():
    before = graphs(20)
    keys = [data.keys() for data in before]
    pretrain(before, network(), epochs=1, progress=False)
    assert [data.keys() for data in before] == keys


def test_numbers_that_only_graphs_kept_apart_have():
    """No ring in the training part: the error is not measured in units of zero spread."""
    chains = [smiles_to_data("C" * length) for length in range(3, 60)]
    few = [*chains, smiles_to_data("C1CC1")]
    for seed in range(4):
        assert pretrain(few, network(), epochs=1, seed=seed, progress=False) < 100


def test_a_file_for_the_encoding(tmp_path):
    file = tmp_path / "new" / "own.safetensors"
    table = tmp_path / "own.csv"
    table.write_text("\n".join(["smiles", *molecules(20), "C", "nonsense", "C" * 201, ""]) + "\n")
    found = pretrain_molecules(file, table, options=SMALL, epochs=1, progress=False)
    assert (found.molecules, found.left_out) == (20, 4)
    assert 0 < found.error < 10
    assert "20 molecules (4 rows left out" in str(found)
    encode = PretrainedOGEAug(3, source=str(file))
    assert encode.network.out_channels == 64
    assert encode.network.message_norm == "sym"
    assert encode.spectrum.k == 40


def test_refused(tmp_path):
    with pytest.raises(UserError, match="9 graphs with edges are too few"):
        pretrain(graphs(9), network(), progress=False)
    with pytest.raises(UserError, match="sees no node features"):
        pretrain(graphs(20), OGEAug(6, in_channels=3, hidden_channels=8), progress=False)
    table = tmp_path / "own.csv"
    table.write_text("smiles,name\nnothing,CCO\nno,CC\n")
    with pytest.raises(UserError, match=r"none of the 2 rows .* is 'smiles' the column of SMILES"):
        pretrain_molecules(tmp_path / "a", table, progress=False)
    with pytest.raises(UserError, match="no column 'text'"):
        pretrain_molecules(tmp_path / "a", table, "text", progress=False)
    with pytest.raises(UserError, match="is a folder"):
        pretrain_molecules(tmp_path, progress=False)
    assert not (tmp_path / "a").exists()


def test_ctrl_c_says_that_nothing_was_written(tmp_path, monkeypatch):
    def stop(self, batch, index):
        raise KeyboardInterrupt

    monkeypatch.setattr(Pretraining, "training_step", stop)
    table = tmp_path / "own.csv"
    table.write_text("\n".join(["smiles", *molecules(20)]) + "\n")
    with pytest.raises(KeyboardInterrupt, match="nothing was written"):
        pretrain_molecules(tmp_path / "a", table, options=SMALL, progress=False)
    assert not (tmp_path / "a").exists()
