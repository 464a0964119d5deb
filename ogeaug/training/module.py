"""The Lightning module: loss, optimiser, schedule, evaluation."""

import math
import time
from typing import Any

import torch
from lightning.pytorch import LightningModule
from torch import Tensor, distributed
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR
from torch_geometric.data import Batch

from ogeaug.errors import TrainingStopped, UserError
from ogeaug.model.graph_model import GraphModel
from ogeaug.tasks import Task
from ogeaug.tasks.base import Outputs
from ogeaug.training.batches import epoch_seed
from ogeaug.training.config import TrainingConfig
from ogeaug.training.statistics import keep_statistics


class GraphModule(LightningModule):
    """Trains a :class:`GraphModel`, in one process or several.

    Losses and metrics are those of all processes together, as if there were one: the loss of all
    labels of a batch, and the metrics of the whole validation part.

    Args:
        model: The model.
        task: What it predicts.
        training: How to train.
        steps_per_epoch: For the schedule.
    """

    def __init__(
        self, model: GraphModel, task: Task, training: TrainingConfig, steps_per_epoch: int
    ) -> None:
        super().__init__()
        self.model, self.task, self.training_config = model, task, training
        self.steps_per_epoch = steps_per_epoch
        self.outputs: list[Outputs] = []
        self.total = 0.0
        self.weight = 0.0
        self.started = 0.0
        self.last_loss: Tensor | None = None

    def on_load_checkpoint(self, checkpoint: dict[str, Any]) -> None:
        """Refuses weights of another model, before Lightning stumbles over them."""
        found = {n: getattr(t, "shape", None) for n, t in checkpoint["state_dict"].items()}
        wanted = {n: t.shape for n, t in self.state_dict().items()}
        differ = [n for n in {**wanted, **found} if wanted.get(n) != found.get(n)]
        if differ:
            raise UserError(
                f"the checkpoint is of another model: {len(differ)} tensors differ, {differ[0]} "
                "among them; restore the one of this run, or delete it to begin anew by --resume"
            )

    def on_train_epoch_start(self) -> None:
        self.total, self.weight, self.started = 0.0, 0.0, time.perf_counter()
        if self.training_config.keep_statistics:
            keep_statistics(self.model)

    def training_step(self, batch: Batch, index: int) -> Tensor:
        # Dropout must depend on (seed, epoch, batch) only, or a resumed run would differ.
        seed = epoch_seed(self.training_config.seed, self.current_epoch, self.global_rank) + index
        torch.default_generator.manual_seed(seed)  # see NoisyGraphs
        if torch.cuda.is_available():
            torch.cuda.manual_seed_all(seed)
        predicted, y = self.task.predictions(self.model(batch), batch), self.task.labels(batch)
        sizes = self._sizes(y)
        value = self.task.loss(predicted, y, std=self.task.std(self.model.head), sizes=sizes)
        if not value.isfinite():
            raise TrainingStopped(
                f"the loss is {value.item()} in epoch {self.current_epoch + 1}, batch {index + 1} "
                f"({_name(batch)}). Look for extreme targets or graphs in these rows, or lower "
                f"training.lr; {self._kept()}"
            )
        weight = self.task.weight(y, sizes)
        self.total += float(value.detach() * weight)
        self.weight += float(weight)
        self.last_loss = value.detach()  # for the progress bar; self.log is slow
        if self.trainer.world_size == 1:
            return value
        # Gradients are averaged over processes, but one may have more labels than another.
        mean = self._reduce(weight, "mean").clamp(min=1e-9)  # 0 if no process has a label
        return value * (weight / mean).to(value.dtype)

    def validation_step(self, batch: Batch, index: int) -> None:
        self.outputs.append(self.task.outputs(self.model(batch), batch))

    def on_validation_epoch_start(self) -> None:
        if self.trainer.world_size > 1:
            self._share_buffers()

    def on_validation_epoch_end(self) -> None:
        found = self._gather(self.outputs)
        record = self.task.evaluate(found, std=self.task.std(self.model.head))
        self.outputs.clear()
        if not math.isfinite(record["loss"]):
            raise TrainingStopped(
                f"the validation loss is {record['loss']} in epoch {self.current_epoch + 1}; lower "
                f"training.lr; {self._kept()}"
            )
        for key, value in record.items():
            self.log(f"val_{key}", value, prog_bar=key == self.task.main, batch_size=1)
        # TensorBoard's x-axis; Lightning's own counts from 0.
        self.log("epoch", float(self.current_epoch + 1), batch_size=1)

    def epoch_record(self) -> dict[str, float]:
        """What the last epoch gave: losses, metrics, learning rate, seconds."""
        found = {k: float(v) for k, v in self.trainer.callback_metrics.items()}
        rate = self.trainer.optimizers[0].param_groups[0]["lr"]
        seconds = time.perf_counter() - self.started
        sums = torch.tensor([self.total, self.weight], dtype=torch.float64, device=self.device)
        total, weight = self._reduce(sums, "sum").tolist()
        return {
            "epoch": self.current_epoch + 1,
            "lr": float(rate),
            "train_loss": total / weight if weight else 0.0,
            **{k: found[k] for k in sorted(found) if k.startswith("val_")},
            "seconds": round(seconds, 3),
        }

    def configure_optimizers(self) -> Any:
        t = self.training_config
        # Fused: one call for all tensors, not a dozen for each. Not in mixed precision, where
        # Lightning lets no fused optimiser have its gradients clipped.
        fused = t.precision == "32"
        optimizer = AdamW(self.parameters(), lr=t.lr, weight_decay=t.weight_decay, fused=fused)
        warm = t.warmup_epochs * self.steps_per_epoch
        schedule = LambdaLR(optimizer, warm_cosine(warm, t.epochs * self.steps_per_epoch))
        return {
            "optimizer": optimizer,
            "lr_scheduler": {"scheduler": schedule, "interval": "step"},
        }

    def _sizes(self, y: Tensor) -> Tensor | None:
        """What the loss takes from the labels of a batch, in whichever process they are."""
        sizes = self.task.sizes(y)
        if sizes is None or self.trainer.world_size == 1:
            return sizes
        return self._reduce(sizes, "sum")

    def _kept(self) -> str:
        if self.current_epoch == 0:
            return "no epoch was completed, so there is no checkpoint"
        return "the last checkpoint was kept"

    def _reduce(self, value: Tensor, operation: str) -> Tensor:
        """The sum or mean over all processes."""
        return self.trainer.strategy.reduce(value.clone().double(), reduce_op=operation)

    def _gather(self, found: list[Outputs]) -> list[Outputs]:
        """The lists of all processes, one after another."""
        if self.trainer.world_size == 1:
            return found
        lists: list[Any] = [None] * self.trainer.world_size
        distributed.all_gather_object(lists, found)
        return [item for part in lists for item in part]

    def _share_buffers(self) -> None:
        """Gives all processes the same buffers: means of running statistics, all flags set."""
        for buffer in self.model.buffers():
            mean = self._reduce(buffer, "mean")
            buffer.copy_(mean > 0 if buffer.dtype == torch.bool else mean)


def warm_cosine(warm: float, total: int) -> Any:
    """The factor of the learning rate at a step: a linear rise, then half a cosine to zero.

    Example:
        >>> factor = warm_cosine(10, 110)
        >>> [round(factor(step), 2) for step in (0, 4, 9, 10, 60, 110)]
        [0.1, 0.5, 1.0, 1.0, 0.5, 0.0]
    """

    def factor(step: int) -> float:
        if step < warm:
            return (step + 1) / (warm + 1) if warm < 1 else min(1.0, (step + 1) / warm)
        part = min(1.0, (step - warm) / max(1.0, total - warm))
        return 0.5 * (1 + math.cos(math.pi * part))

    return factor


def _name(batch: Batch) -> str:
    rows = batch.get("row", None)
    if rows is None:
        return f"{batch.num_graphs} graphs"
    shown = ", ".join(str(int(row) + 1) for row in rows[:40])
    return f"rows {shown}{', ...' if len(rows) > 40 else ''}"
