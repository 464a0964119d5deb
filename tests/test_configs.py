"""Every shipped configuration is built and stepped once."""

import pytest
import torch
from torch_geometric.data import Batch

from ogeaug.data.convert import with_sizes
from ogeaug.data.molecule import smiles_to_data
from ogeaug.model.graph_model import GraphModel
from ogeaug.tasks import make_task
from ogeaug.training.config import load_config, shipped_configs
from ogeaug.training.early import check_task_options

# The paper's own counts (both hyperparameter tables).
PAPER = {
    "qm9_oge": 783_249,
    "zinc_gine_oge": 617_677,
    "zinc_gps_oge": 505_905,
    "alchemy_oge": 1_968_352,
    "contact_oge_lap": 845_632,
    "cluster_oge_lap": 934_798,
    "pattern_oge_lap": 424_517,
    "molhiv_oge_rwse": 574_673,
    "drugood_oge": 183_533,
}


def test_every_setting_of_the_paper_is_shipped():
    ours = {"default", "demo", "zinc", "qm9_mu", "cycles", "pattern", "cluster"}
    assert set(PAPER) | ours == set(shipped_configs())


@pytest.mark.parametrize("name", shipped_configs())
def test_builds_and_steps(name):
    config = load_config(name)
    config = config.model_copy(update={"features": with_sizes(config.features)})
    model = GraphModel.from_config(config.model_part())
    kind = "zinc" if config.features.kind == "zinc" else "ogb"
    graphs = [smiles_to_data(s, features=kind) for s in ("CCO", "CC(=O)N", "c1ccccc1")]
    for data in graphs:
        if config.features.kind == "own" and len(config.features.node_sizes) == 1:
            data.x, data.edge_attr = data.x[:, 7:8], None
        data.edge_label_index = torch.tensor([[0, 0], [1, 2]])
        data.edge_label = torch.tensor([1, 0])
        nodes = config.task.type == "node_classification"
        data.y = torch.zeros(data.num_nodes if nodes else max(1, len(config.task.targets)))
    task, batch = make_task(config.task, config.training.loss), Batch.from_data_list(graphs)
    check_task_options(config)
    predicted = task.predictions(model(batch), batch)
    value = task.loss(predicted, task.labels(batch), std=task.std(model.head))
    value.backward()
    assert value.isfinite()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


@pytest.mark.parametrize("name", PAPER)
def test_parameters_are_of_the_paper_s_order(name):
    config = load_config(name)
    config = config.model_copy(update={"features": with_sizes(config.features)})
    count = GraphModel.from_config(config.model_part()).num_parameters
    assert 0.6 < count / PAPER[name] < 1.0


@pytest.mark.parametrize("name", PAPER)
def test_the_paper_s_settings_are_followed(name):
    own, *others = load_config(name).encodings
    assert own.features is True
    assert own.options.get("k") == {"qm9": 29, "zinc": 37, "alchemy": 12}.get(name.split("_")[0])
    beside = {"contact": "lap_pe", "pattern": "lap_pe", "cluster": "es_lap_pe", "molhiv": "rwse"}
    expected = beside.get(name.split("_")[0])
    assert [other.name for other in others] == ([expected] if expected else [])
    for other in others:
        assert other.options.get("normalization") is None  # one spectrum, and its noise, for both
