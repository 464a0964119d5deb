"""How long an epoch takes, by a few batches of it."""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import torch
from lightning.pytorch import Callback, Trainer
from torch_geometric.data import Batch

from ogeaug.model.graph_model import GraphModel
from ogeaug.tasks import make_task
from ogeaug.training.add_spectra import add_spectra
from ogeaug.training.batches import GraphBatches
from ogeaug.training.config import Config
from ogeaug.training.module import GraphModule
from ogeaug.training.prepare import Parts
from ogeaug.training.processes import Processes
from ogeaug.training.surroundings import data_settled, own_threads, quiet
from ogeaug.training.trainer import make_trainer


def epoch_seconds(config: Config, parts: Parts, batches: int = 4) -> float:
    """An estimate of the wall time of an epoch, by training on a few batches of it.

    By Lightning's trainer, since clipping, schedule and its own work count, too. Not measured: an
    average of the weights (``training.ema``), and checkpoints.
    """
    t = config.training.model_copy(update={"epochs": 1, "patience": None, "tensorboard": False})
    # Any of them: files may be sorted by size.
    order = np.random.default_rng(t.seed).permutation(len(parts.train))
    drawn = [parts.train[i] for i in order[: (batches + 1) * t.batch_size]]
    few = Parts(drawn, parts.val[:1])
    clock = _Clock()
    with torch.random.fork_rng(devices=[]), quiet(), own_threads(t.threads):
        torch.manual_seed(t.seed)
        model = GraphModel.from_config(config.model_part())
        task = make_task(config.task, t.loss)
        task.fit_head(model.head, parts.train)
        few, transform = add_spectra(few, model, t, progress=False)
        loader = GraphBatches(
            few.train,
            few.val,
            batch_size=t.batch_size,
            transform=transform,
            bucket=t.bucket,
            seed=t.seed,
        )
        module = GraphModule(model, task, t, loader.steps_per_epoch)
        with tempfile.TemporaryDirectory() as place:
            choice = task.choice(few.val)
            trainer = make_trainer(t, Path(place), [clock], False, Processes(), choice)
            trainer.limit_val_batches = 0
            try:
                with data_settled():
                    trainer.fit(module, loader)
            except SystemExit as error:  # what Lightning makes of Ctrl-C
                raise KeyboardInterrupt("while an epoch was measured") from error
    # A pass without gradients costs about a third.
    return clock.per_graph() * (len(parts.train) + len(parts.val) / 3)


class _Clock(Callback):
    """When each batch is done, and how many graphs it has."""

    def __init__(self) -> None:
        self.times: list[float] = []
        self.graphs: list[int] = []

    def on_train_start(self, *_: Any) -> None:
        self.times.append(time.perf_counter())

    def on_train_batch_end(self, _t: Trainer, _m: Any, _o: Any, batch: Batch, _i: int) -> None:
        self.times.append(time.perf_counter())
        self.graphs.append(batch.num_graphs)

    def per_graph(self) -> float:
        """Seconds; of the first batch, in which memory is asked for, only if it is alone."""
        first = 1 if len(self.graphs) > 1 else 0
        return (self.times[-1] - self.times[first]) / sum(self.graphs[first:])
