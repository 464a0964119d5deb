"""The figures of a run on a benchmark's files are those of a plain loop over its outputs."""

import math

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug.data.load import load_data
from ogeaug.model.config import TaskConfig
from ogeaug.model.file import load_model
from ogeaug.tasks import make_task
from ogeaug.training import fit
from ogeaug.training.config import load_config
from tests.data.sets.published import (
    write_contact,
    write_drugood,
    write_molhiv,
    write_qm9,
    write_sbm,
)
from tests.tasks.test_links import by_loop

SMALL = [
    *("training.epochs=2", "training.batch_size=3", "training.tensorboard=false"),
    *("backbone.layers=1", "backbone.channels=40", "training.lr=0.01"),
]


def auroc(scores, labels):
    """The part of pairs of a positive and a negative that are in order; ties count half."""
    pairs = [
        (s, t) for s, y in zip(scores, labels, strict=True) if y for t in negatives(scores, labels)
    ]
    return sum((s > t) + 0.5 * (s == t) for s, t in pairs) / len(pairs)


def negatives(scores, labels):
    return [score for score, label in zip(scores, labels, strict=True) if not label]


@pytest.mark.parametrize("seed", range(5))
def test_auroc_by_pairs(seed):
    generator = torch.Generator().manual_seed(seed)
    scores = torch.randn(30, 1, generator=generator)
    scores = scores.round() if seed % 2 else scores  # ties
    y = torch.randint(0, 2, (30, 1), generator=generator).double()
    task = make_task(TaskConfig(type="classification", targets=["y"]))
    wanted = auroc(scores.flatten().tolist(), y.flatten().tolist())
    assert task.metrics(scores, y)["auroc"] == pytest.approx(wanted, abs=1e-6)


def run(folder, name, config, targets=None):
    """The result of a short run, its model, its graphs."""
    values = {"data.name": name, "data.path": str(folder / "data")}
    values |= {"task.targets": targets} if targets else {}
    chosen = load_config(config, SMALL, values)
    result = fit(chosen, folder / "run", progress=False)
    found = load_data(chosen.data, chosen.split, chosen.features, chosen.task, progress=False)
    return result, load_model(folder / "run").eval(), found.parts


@torch.no_grad()
def outputs(model, graphs):
    """Of each graph by itself."""
    return [model(Batch.from_data_list([data])) for data in graphs]


def test_drugood_has_an_auroc_of_each_part(tmp_path):
    write_drugood(tmp_path / "data")
    result, model, parts = run(tmp_path, "drugood_assay", "drugood_oge")
    for part in ("val", "test", "test_iid_val", "test_iid_test"):
        graphs = parts.part(part)
        scores = [float(out) for out in outputs(model, graphs)]
        wanted = auroc(scores, [data.y.item() for data in graphs])
        assert result.metrics[part]["auroc"] == pytest.approx(wanted, abs=1e-6), part


def test_molhiv_has_auroc(tmp_path):
    write_molhiv(tmp_path / "data")
    sets = ["backbone.channels=64"]
    values = {"data.path": str(tmp_path / "data")}
    result = fit(load_config("molhiv_oge_rwse", SMALL + sets, values), tmp_path / "run")
    assert result.main == "auroc"
    assert result.rows["test"] == 2


def test_qm9_has_the_error_of_each_target_in_its_unit(tmp_path):
    write_qm9(tmp_path / "data", smiles=["CCO", "CCN", "CO", "CN", "C", "CC", "CCC", "CCCO"] * 2)
    result, model, parts = run(tmp_path, "qm9", "qm9_mu", ["u0", "cv"])
    assert result.units == {"u0": "Hartree", "cv": "cal/(mol K)"}
    found = outputs(model, parts.val)
    for i, name in enumerate(["u0", "cv"]):
        errors = [
            abs(float(out[0, i]) - float(data.y[0, i]))
            for out, data in zip(found, parts.val, strict=True)
        ]
        wanted = sum(errors) / len(errors)
        assert result.metrics["val"][f"mae.{name}"] == pytest.approx(wanted, rel=1e-4)


def test_pattern_has_the_mean_over_classes(tmp_path):
    write_sbm(tmp_path / "data", "PATTERN", (4, 3, 3))
    result, model, parts = run(tmp_path, "pattern", "pattern")
    hits, sizes = [0, 0], [0, 0]
    logits, labels = [], []
    for out, data in zip(outputs(model, parts.test), parts.test, strict=True):
        for row, label in zip(out.tolist(), data.y.tolist(), strict=True):
            sizes[label] += 1
            hits[label] += row.index(max(row)) == label
            logits.append(row)
            labels.append(label)
    wanted = sum(hit / size for hit, size in zip(hits, sizes, strict=True)) / 2
    assert result.metrics["test"]["accuracy"] == pytest.approx(wanted)
    weights = [1 - size / len(labels) for size in sizes]
    above = sum(
        weights[y] * (math.log(sum(map(math.exp, row))) - row[y])
        for row, y in zip(logits, labels, strict=True)
    )
    below = sum(weights[y] for y in labels)
    assert result.metrics["test"]["loss"] == pytest.approx(above / below, rel=1e-4)


def test_contacts_are_ranked_among_all_nodes(tmp_path):
    write_contact(tmp_path / "data")
    result, model, parts = run(tmp_path, "pcqm_contact", "contact_oge_lap")
    each = []
    for out, data in zip(outputs(model, parts.test), parts.test, strict=True):
        links = data.edge_label_index[:, data.edge_label > 0]
        each.append(by_loop(out.double() @ out.double().T, links))
    for name in each[0]:
        wanted = sum(one[name] for one in each) / len(each)
        assert result.metrics["test"][name] == pytest.approx(wanted), name
