"""Lightning's trainer as a run wants it: one process, or several that share each batch."""

from pathlib import Path
from typing import Any

import torch
from lightning.pytorch import LightningModule, Trainer
from lightning.pytorch.callbacks import Callback, EarlyStopping, RichProgressBar
from lightning.pytorch.loggers import Logger, TensorBoardLogger
from lightning.pytorch.strategies import DDPStrategy

from ogeaug.errors import UserError
from ogeaug.tasks import Choice
from ogeaug.training.checkpoint import LastCheckpoint, SafeCheckpointIO
from ogeaug.training.config import TrainingConfig
from ogeaug.training.processes import Processes


def make_trainer(
    t: TrainingConfig,
    folder: Path,
    callbacks: list[Callback],
    progress: bool,
    processes: Processes,
    choice: Choice,
    run: str | None = None,
) -> Trainer:
    """The trainer of a run.

    Args:
        t: How to train.
        folder: For checkpoints and logs.
        callbacks: Besides those that checkpoints, early stopping and progress bars need.
        progress: Whether to show a progress bar.
        processes: With more than one, DistributedDataParallel averages their gradients.
        choice: What decides whether an epoch was better, for early stopping.
        run: The name of the run, by which it knows its checkpoints.
    """
    callbacks = [*callbacks, LastCheckpoint(folder / "checkpoints")]
    if t.patience is not None:
        mode = "min" if choice.lower else "max"
        stop = EarlyStopping(f"val_{choice.metric}", patience=t.patience, mode=mode)
        callbacks.insert(0, stop)
    if progress:
        callbacks.append(_ProgressBar(leave=False))
    logger: Logger | bool = False
    if t.tensorboard:
        logger = TensorBoardLogger(folder, name="logs", version="", default_hp_metric=False)
    gpu = _use_gpu(t.accelerator)
    several = processes.count > 1
    return Trainer(
        max_epochs=t.epochs,
        accelerator="cuda" if gpu else "cpu",
        devices=processes.local,
        num_nodes=processes.machines,
        strategy=_distributed() if several else "auto",
        # Batches are shared out by GraphBatches: no graph is seen twice to fill up a share.
        use_distributed_sampler=False,
        sync_batchnorm=several and gpu,  # torch has none for the CPU
        precision="bf16-mixed" if t.precision == "bf16" else "32-true",
        gradient_clip_val=t.clip,
        deterministic=t.deterministic,
        callbacks=callbacks,
        logger=logger,
        plugins=[SafeCheckpointIO(run)],
        num_sanity_val_steps=0,
        enable_progress_bar=progress,
        enable_model_summary=False,
        default_root_dir=folder,
    )


class _ProgressBar(RichProgressBar):
    """Counts epochs from 1, as all that a person reads does, and shows the loss of the batch."""

    def get_metrics(self, trainer: Trainer, pl_module: LightningModule) -> dict[str, Any]:
        shown = super().get_metrics(trainer, pl_module)
        loss = getattr(pl_module, "last_loss", None)
        return shown if loss is None else {"loss": float(loss), **shown}

    def _get_train_description(self, current_epoch: int) -> str:
        text = f"Epoch {current_epoch + 1}/{self.trainer.max_epochs}"
        return text.ljust(len(self.validation_description))  # else the bar jumps between the two


def _distributed() -> DDPStrategy:
    # Not every batch uses every parameter (Vanilla OGE-Aug has some for each multiplicity); buffers
    # are shared by GraphModule before validation, whose batches may differ in number.
    return DDPStrategy(find_unused_parameters=True, broadcast_buffers=False)


def _use_gpu(accelerator: str) -> bool:
    # Spectra are float64, which Apple's accelerator does not have: a GPU is one with CUDA.
    there = torch.cuda.is_available()
    if accelerator == "gpu" and not there:
        raise UserError("there is no GPU with CUDA here; use --accelerator cpu (or auto)")
    return there and accelerator != "cpu"
