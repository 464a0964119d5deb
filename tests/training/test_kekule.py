"""The option training.kekule: another Kekulé structure at each access of a training molecule."""

import pytest

from ogeaug.errors import UserError
from ogeaug.training.early import check_training
from ogeaug.training.fitting import fit, resume
from ogeaug.training.module import GraphModule
from tests.training.tiny import fit_interrupted, tiny_config, write_csv


@pytest.fixture
def table(tmp_path):
    rows = [f"c1ccc({'C' * (n % 5)}Cl)cc1,{n % 5}" for n in range(40)]
    return write_csv(tmp_path / "rings.csv", rows=rows)


def config(table, *more):
    return tiny_config(table, "features.kind=zinc", "training.kekule=true", *more)


def test_training_molecules_are_drawn_and_others_are_not(table, tmp_path, monkeypatch):
    seen, kept = [], []
    train, validate = GraphModule.training_step, GraphModule.validation_step

    def watched(into, step):
        def at_work(self, batch, index):
            into.extend(
                (int(data.row), tuple(data.edge_attr[:, 0].tolist()))
                for data in batch.to_data_list()
            )
            return step(self, batch, index)

        return at_work

    monkeypatch.setattr(GraphModule, "training_step", watched(seen, train))
    monkeypatch.setattr(GraphModule, "validation_step", watched(kept, validate))
    fit(config(table), tmp_path / "run", progress=False)
    rows = {row for row, _ in seen}
    assert len(set(seen)) > 1.5 * len(rows)  # of two structures, four epochs see both of most
    assert len(set(kept)) == len({row for row, _ in kept})


def test_resumed_bit_for_bit(table, tmp_path):
    whole = fit(config(table), tmp_path / "whole", progress=False)
    fit_interrupted(config(table), tmp_path / "parts", epoch=3)
    assert resume(tmp_path / "parts", progress=False).metrics == whole.metrics


@pytest.mark.parametrize("kind", ["molecule", "ogb"])
def test_refused_where_bonds_are_aromatic(table, tmp_path, kind):
    refused = tiny_config(table, f"features.kind={kind}", "training.kekule=true")
    message = "training.kekule would change nothing: features .* have no kekulised bonds"
    with pytest.raises(UserError, match=message):
        check_training(refused, tmp_path / "run")
    with pytest.raises(UserError, match=message):
        fit(refused, tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()
