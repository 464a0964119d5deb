import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch
from torch.optim import AdamW
from torch_geometric.data import Data

from ogeaug import load_model
from ogeaug.data.molecule import smiles_to_data
from ogeaug.errors import UserError
from ogeaug.inference.predict import predict_table
from ogeaug.model.config import FeaturesConfig, TaskConfig
from ogeaug.training import module
from ogeaug.training.ensemble import fit_all, resume_all
from ogeaug.training.fitting import fit, resume
from ogeaug.training.module import GraphModule, TrainingStopped
from ogeaug.training.prepare import Parts
from tests.training.tiny import fit_interrupted, molecules, tiny_config, write_csv


def test_learns_and_writes_everything(table, tmp_path):
    config = tiny_config(table, "training.epochs=60", "task.units={y: characters}")
    result = fit(config, tmp_path / "run", progress=False)
    lengths = torch.tensor([float(len(smiles)) for smiles in molecules()])
    assert result.metrics["val"]["rmse"] < lengths.std()
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert {"config.yaml", "config.json", "model.safetensors", "split.csv"} < names
    assert {"metrics.csv", "results.json", "test_predictions.csv", "checkpoints"} < names
    record = json.loads((tmp_path / "run" / "results.json").read_text())
    assert record["result"]["units"] == {"y": "characters"}
    assert record["result"]["parameters"] == load_model(tmp_path / "run").num_parameters
    assert record["versions"]["torch"] == torch.__version__
    with (tmp_path / "run" / "metrics.csv").open() as file:
        epochs = list(csv.DictReader(file))
    assert [row["epoch"] for row in epochs] == [str(i + 1) for i in range(60)]
    assert float(epochs[-1]["train_loss"]) < 0.8 * float(epochs[0]["train_loss"])


def same_weights(one: Path, other: Path) -> bool:
    a, b = (load_model(folder).state_dict() for folder in (one, other))
    return all(torch.equal(a[name], b[name]) for name in a)


def same_state(one: Path, other: Path) -> bool:
    from ogeaug.files.tensors import read_tensors

    a, b = (read_tensors(f / "checkpoints" / "last.safetensors")[0] for f in (one, other))
    return a.keys() == b.keys() and all(torch.equal(a[name], b[name]) for name in a)


def test_same_seed_same_weights(table, tmp_path):
    for name in ("a", "b"):
        fit(tiny_config(table), tmp_path / name, progress=False)
    assert same_weights(tmp_path / "a", tmp_path / "b")
    fit(tiny_config(table, "training.seed=1"), tmp_path / "c", progress=False)
    assert not same_weights(tmp_path / "a", tmp_path / "c")


@pytest.mark.parametrize("stop_at", [0, 1, 3])
def test_resumes_bit_for_bit(table, tmp_path, monkeypatch, stop_at):
    config = tiny_config(table, "training.permute=true", "training.patience=3")
    whole = fit(config, tmp_path / "whole", progress=False)
    step = GraphModule.training_step

    def interrupted(self, batch, index):
        if self.current_epoch == stop_at and index == 2:
            raise RuntimeError("pulled the plug")
        return step(self, batch, index)

    with monkeypatch.context() as patch:
        patch.setattr(GraphModule, "training_step", interrupted)
        with pytest.raises(RuntimeError, match="pulled the plug"):
            fit(config, tmp_path / "parts", progress=False)
    resumed = resume(tmp_path / "parts", progress=False)
    assert same_weights(tmp_path / "whole", tmp_path / "parts")
    assert same_state(tmp_path / "whole", tmp_path / "parts")
    assert resumed.metrics == whole.metrics
    assert resumed.epochs == whole.epochs == 4


def test_killed_at_any_moment(table, tmp_path):
    script = (
        "import sys; from pathlib import Path; from ogeaug.training.fitting import fit;"
        "from tests.training.tiny import fit_interrupted, tiny_config;"
        "fit(tiny_config(Path(sys.argv[1]), 'training.epochs=3000'), sys.argv[2], progress=False)"
    )
    run = tmp_path / "run"
    process = subprocess.Popen([sys.executable, "-c", script, str(table), str(run)])
    deadline = time.monotonic() + 120
    while not (run / "checkpoints" / "last.safetensors").exists():
        assert process.poll() is None, "training ended by itself"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(0.3)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert load_model(run)(smiles_to_data("CCO")).isfinite().all()
    (run / "started.json").write_text(
        json.dumps({"checksum": json.loads((run / "started.json").read_text())["checksum"]})
    )  # as version 0.1.0 wrote it, so that epochs may be fewer
    text = (run / "config.yaml").read_text().replace("epochs: 3000", "epochs: 15")
    (run / "config.yaml").write_text(text)
    assert resume(run, progress=False).epochs >= 1


def test_interrupted_by_hand(table, tmp_path):
    fit_interrupted(
        tiny_config(table), tmp_path / "run", epoch=3, match=r"in epoch 3; continue by .*--resume"
    )
    assert resume(tmp_path / "run", progress=False).epochs == 4


def test_a_complete_run_is_not_trained_again(run):
    before = (run / "metrics.csv").stat().st_mtime_ns
    assert resume(run, progress=False).epochs == 4
    assert (run / "metrics.csv").stat().st_mtime_ns == before


def test_a_run_begun_with_another_optimiser_ends_with_it(table, tmp_path, monkeypatch):
    """Earlier versions stepped tensor by tensor, which rounds otherwise."""
    step = GraphModule.training_step

    def interrupted(self, batch, index):
        if self.current_epoch == 2:
            raise RuntimeError("pulled the plug")
        return step(self, batch, index)

    config = tiny_config(table)
    with monkeypatch.context() as earlier:
        earlier.setattr(module, "AdamW", lambda *args, **kw: AdamW(*args, **kw | {"fused": None}))
        whole = fit(config, tmp_path / "whole", progress=False)
        earlier.setattr(GraphModule, "training_step", interrupted)
        with pytest.raises(RuntimeError, match="pulled the plug"):
            fit(config, tmp_path / "r", progress=False)
    assert resume(tmp_path / "r", progress=False).metrics == whole.metrics


def test_resume_notices_changed_data(table, tmp_path):
    config = tiny_config(table)
    fit(config, tmp_path / "run", progress=False)
    (tmp_path / "run" / "results.json").unlink()
    table.write_text(table.read_text() + "CCC,3\n")
    with pytest.raises(UserError, match="has changed"):
        resume(tmp_path / "run", progress=False)


def test_nothing_to_resume(tmp_path):
    with pytest.raises(UserError, match="holds no run"):
        resume(tmp_path, progress=False)


@pytest.mark.parametrize(
    "option",
    [
        "training.precision=bf16",
        "training.deterministic=true",
        "training.bucket=true",
        "training.noise=0",
        "training.tensorboard=true",
        "training.loss=mae",
        "encodings=[]",
        "training.clip=null",
    ],
)
def test_options(table, tmp_path, option):
    config = tiny_config(table, "training.epochs=20", "training.lr=0.005", option)
    fit(config, tmp_path / "run", progress=False)
    with (tmp_path / "run" / "metrics.csv").open() as file:
        losses = [float(row["train_loss"]) for row in csv.DictReader(file)]
    assert losses[-1] < 0.8 * losses[0]
    assert not torch.are_deterministic_algorithms_enabled()
    if "tensorboard" in option:
        assert list((tmp_path / "run" / "logs").glob("events*"))


def test_early_stopping(table, tmp_path):
    config = tiny_config(table, "training.patience=1", "training.epochs=50", "training.lr=1e-9")
    assert fit(config, tmp_path / "run", progress=False).epochs < 50


def test_noise_is_for_training_only(table, tmp_path):
    """A model trained with noise gives the exact prediction, whatever the data carry."""
    config = tiny_config(table, "training.noise=0.1", "training.epochs=1")
    result = fit(config, tmp_path / "run", progress=False)
    with (tmp_path / "run" / "test_predictions.csv").open() as file:
        rows = list(csv.DictReader(file))
    model = load_model(result.folder)
    for row in rows:
        exact = model(smiles_to_data(molecules()[int(row["row"])])).item()
        assert float(row["pred_y"]) == pytest.approx(exact, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("task", ["classification", "multiclass"])
def test_classes(tmp_path, task):
    rows = [f"{s},{len(s) % 2 if i % 7 else ''}" for i, s in enumerate(molecules())]
    path = write_csv(tmp_path / "c.csv", rows=rows)
    extra = ["task.num_classes=2"] if task == "multiclass" else []
    result = fit(tiny_config(path, f"task.type={task}", *extra), tmp_path / "r", progress=False)
    assert 0 <= result.metrics["val"]["accuracy"] <= 1
    assert result.rows["skipped"] == 6
    # test_predictions.csv holds what predict gives: probabilities.
    predict_table(path, [tmp_path / "r"], tmp_path / "p.csv", progress=False)
    with (tmp_path / "p.csv").open() as file:
        predicted = list(csv.DictReader(file))
    with (tmp_path / "r" / "test_predictions.csv").open() as file:
        tested = list(csv.DictReader(file))
    for row in tested:
        shown = {key: float(value) for key, value in row.items() if key.startswith("pred_")}
        same = {key: float(predicted[int(row["row"])][key]) for key in shown}
        assert shown == pytest.approx(same, rel=1e-4)
        assert all(0 < value < 1 for value in shown.values())


def test_one_class_in_validation(tmp_path):
    rows = [f"{s},{i % 2},{'val' if i % 4 == 1 else 'train'}" for i, s in enumerate(molecules())]
    path = write_csv(tmp_path / "c.csv", header="smiles,y,part", rows=rows)
    config = tiny_config(
        path, "task={type: classification, targets: [y]}", "split={type: column, column: part}"
    )
    result = fit(config, tmp_path / "r", progress=False)
    assert result.metrics["val"]["auroc"] != result.metrics["val"]["auroc"]
    assert json.loads((tmp_path / "r" / "results.json").read_text())


def test_nan_loss_names_the_batch_and_keeps_the_checkpoint(table, tmp_path, monkeypatch):
    step = GraphModule.training_step

    def poisoned(self, batch, index):
        if self.current_epoch == 2 and index == 1:
            batch.y[0] = float("inf")
        return step(self, batch, index)

    monkeypatch.setattr(GraphModule, "training_step", poisoned)
    with pytest.raises(TrainingStopped, match=r"epoch 3, batch 2 \(rows \d+, .*training.lr"):
        fit(tiny_config(table), tmp_path / "run", progress=False)
    assert (tmp_path / "run" / "checkpoints" / "last.safetensors").exists()
    assert load_model(tmp_path / "run")(smiles_to_data("CC")).isfinite().all()


def ring(n: int, **more) -> Data:
    i = torch.arange(n)
    edges = torch.stack([i, (i + 1) % n])
    return Data(edge_index=torch.cat([edges, edges.flip(0)], 1), num_nodes=n, **more)


def test_nodes_of_own_graphs(tmp_path):
    graphs = [ring(n, x=torch.eye(n)[:, :2].float(), y=torch.eye(n)[:, 0].long()) for n in (5, 6)]
    config = tiny_config(tmp_path).model_copy(
        update={
            "features": FeaturesConfig(kind="own", node_channels=2),
            "task": TaskConfig(type="node_classification", num_classes=2),
        }
    )
    result = fit(config, tmp_path / "r", parts=Parts(graphs, graphs, graphs), progress=False)
    assert 0 <= result.metrics["test"]["plain_accuracy"] <= 1


def test_links_of_own_graphs(tmp_path):
    pairs = torch.tensor([[0, 0, 0, 1, 1], [2, 3, 4, 3, 4]])
    label = torch.tensor([1.0, 0, 0, 1, 0])
    graphs = [ring(6, edge_label_index=pairs, edge_label=label) for _ in range(4)]
    config = tiny_config(tmp_path).model_copy(
        update={"features": FeaturesConfig(kind="own"), "task": TaskConfig(type="link_ranking")}
    )
    result = fit(config, tmp_path / "r", parts=Parts(graphs, graphs), progress=False)
    assert 0 < result.metrics["val"]["mrr"] <= 1


def test_own_tasks_cannot_come_from_a_table(table, tmp_path):
    with pytest.raises(UserError, match="from Python"):
        fit(tiny_config(table, "task.type=link_ranking"), tmp_path / "r", progress=False)


def test_runs_on_given_graphs_are_not_resumed_without_them(tmp_path):
    parts = Parts([ring(n, y=torch.tensor([n])) for n in (4, 5, 6)], [ring(7, y=torch.tensor([7]))])
    config = tiny_config(tmp_path, "features.kind=own", "task.targets=[y]", "training.epochs=1")
    fit(config, tmp_path / "r", parts=parts, progress=False)
    (tmp_path / "r" / "results.json").unlink()
    with pytest.raises(UserError, match="graphs that were given to it"):
        resume(tmp_path / "r", progress=False)
    assert resume(tmp_path / "r", parts=parts, progress=False).epochs == 1


def test_ensembles_and_folds(table, tmp_path):
    config = tiny_config(table, "training.epochs=1", "split.num_folds=3")
    results = list(fit_all(config, tmp_path / "r", ensemble_size=2, progress=False))
    assert len(results) == 6
    assert results[0].folder.endswith("fold_0/model_0")
    assert [r.rows["test"] for r in results] == [14, 14, 13, 13, 13, 13]
    assert len(list(resume_all(tmp_path / "r", progress=False))) == 6
    with pytest.raises(UserError, match="already holds a run"):
        list(fit_all(config, tmp_path / "r", ensemble_size=2, progress=False))
    with pytest.raises(UserError, match="already holds a run"):
        fit(tiny_config(table), tmp_path / "r", progress=False)


def test_an_ensemble_that_could_not_start_may_be_started_again(table, tmp_path):
    wrong = tiny_config(table, "training.epochs=1", "task.targets=[x]")
    with pytest.raises(UserError, match="no column 'x'"):
        list(fit_all(wrong, tmp_path / "r", ensemble_size=2, progress=False))
    right = tiny_config(table, "training.epochs=1")
    assert len(list(fit_all(right, tmp_path / "r", ensemble_size=2, progress=False))) == 2


def test_a_learned_laplacian_is_trained_and_predicts(table, tmp_path):
    latent = "encodings=[{name: latent, out_channels: 4, hidden_channels: 4, features: all}]"
    noisy = "training.noise=1e-5", "training.permute=true"
    fit(tiny_config(table, latent, *noisy, "training.epochs=1"), tmp_path / "run", progress=False)
    counts = predict_table(table, [tmp_path / "run"], tmp_path / "preds.csv", progress=False)
    assert counts == {"read": 40, "failed": 0}
