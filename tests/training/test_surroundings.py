"""What holds while a model is trained."""

import contextlib
import gc

import torch
from lightning.pytorch import LightningModule, Trainer

from ogeaug.training.surroundings import data_settled
from ogeaug.training.trainer import _ProgressBar


def test_data_are_settled_while_a_model_is_trained_and_free_again_after() -> None:
    before = gc.get_freeze_count()  # Python 3.12 begins with some hundred
    frozen = 0
    with contextlib.suppress(KeyboardInterrupt), data_settled():
        frozen = gc.get_freeze_count()
        raise KeyboardInterrupt
    assert frozen > before + 1000  # this very process has more objects
    assert gc.get_freeze_count() == 0


def test_the_bar_shows_the_loss_of_the_batch() -> None:
    trainer = Trainer(logger=False, enable_checkpointing=False, accelerator="cpu")
    module = LightningModule()
    assert "loss" not in _ProgressBar().get_metrics(trainer, module)
    module.last_loss = torch.tensor(0.25)  # type: ignore[assignment]
    assert _ProgressBar().get_metrics(trainer, module)["loss"] == 0.25
