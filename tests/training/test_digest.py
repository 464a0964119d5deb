"""Graphs that have changed are noticed; what is computed from them does not count."""

import copy

import pytest
import torch
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.training.config import load_config
from ogeaug.training.digest import digest_parts
from ogeaug.training.fitting import fit, resume
from ogeaug.training.prepare import Parts, prepare
from ogeaug.transforms.add_random_walk import AddRandomWalk
from ogeaug.transforms.add_spectrum import AddSpectrum
from tests.training.test_fitting import ring
from tests.training.tiny import tiny_config


def parts() -> Parts:
    graphs = [ring(n, x=torch.eye(n)[:, :2], y=torch.tensor([float(n)])) for n in (4, 5, 6, 7)]
    return Parts(graphs[:2], graphs[2:3], graphs[3:])


def change_value(p):
    p.test[0].x[0, 0] += 1e-6


def change_edge(p):
    p.train[0].edge_index[0, 0] += 1


def change_order(p):
    p.train.reverse()


def change_part(p):
    p.val.append(p.test.pop())


def change_type(p):
    p.train[0].x = p.train[0].x.double()


def change_shape(p):
    p.train[0].y = p.train[0].y.view(1, 1)


def change_nodes(p):
    p.train[0].num_nodes += 1


def add_weight(p):
    p.train[0].edge_weight = torch.ones(p.train[0].edge_index.size(1))


def add_text(p):
    p.train[0].name = "one"


def add_nested(p):
    p.train[0].more = {"a": [torch.zeros(1), 2.0]}


CHANGES = [change_value, change_edge, change_order, change_part, change_type, change_shape]
CHANGES += [change_nodes, add_weight, add_text, add_nested]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_every_change_is_seen(change):
    changed = parts()
    change(changed)
    assert digest_parts(changed) != digest_parts(parts()) == digest_parts(copy.deepcopy(parts()))


def test_what_is_computed_from_the_graph_does_not_count():
    def added(data: Data) -> Data:
        return AddRandomWalk(3)(AddSpectrum()(data))

    p = parts()
    spectral = Parts(*([added(data) for data in p.part(name)] for name in ("train", "val", "test")))
    assert digest_parts(spectral) == digest_parts(p)


def test_generated_graphs_have_one_digest():
    one, same, other = (
        prepare(load_config("pattern", ["data.limit=3", f"split.seed={seed}"])).parts
        for seed in (0, 0, 1)
    )
    assert digest_parts(one) == digest_parts(same) != digest_parts(other)


def test_runs_on_given_graphs_notice_a_change(tmp_path):
    options = ["features={kind: own, node_channels: 2}", "task.targets=[y]", "training.epochs=1"]
    fit(tiny_config(tmp_path, *options), tmp_path / "r", parts=parts(), progress=False)
    (tmp_path / "r" / "results.json").unlink()
    changed = parts()
    change_value(changed)
    with pytest.raises(UserError, match="has changed since it was started"):
        resume(tmp_path / "r", parts=changed, progress=False)
    with pytest.raises(UserError, match="graphs that were given to it"):
        resume(tmp_path / "r", progress=False)
    assert resume(tmp_path / "r", parts=parts(), progress=False).epochs == 1
    (tmp_path / "r" / "results.json").unlink()
    (tmp_path / "r" / "started.json").write_text('{"checksum": "given"}')  # of version 0.1.0
    assert resume(tmp_path / "r", parts=parts(), progress=False).epochs == 1
