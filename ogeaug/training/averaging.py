"""A moving average of the weights: what is validated and kept, while training goes on without."""

from typing import Any

import torch
from lightning.pytorch import Callback, LightningModule, Trainer
from torch import Tensor, nn

FIRST = 3
"""At first the average forgets the start sooner: step n counts at least 3 / (2 + n), so that it is
over about a third of the steps so far."""


class AverageWeights(Callback):
    r"""Keeps a moving average of the weights, and puts it in their place during validation.

    .. math:: \bar w \mathrel{+}= a_n (w - \bar w), \qquad
        a_n = \max\big(1 / \text{steps},\; 3 / (2 + n)\big)

    Steps at a high learning rate jump about a good place; their average is nearer to it, and the
    curve of the validation part is smooth. Running statistics of batch norms are averaged, too.

    Must come after the callbacks that keep models: they find the average in place.

    Args:
        steps: Over about how many the average is, at least 1.
    """

    def __init__(self, steps: float) -> None:
        self.steps = max(1.0, steps)
        self.count = 0
        self.average: dict[str, Tensor] = {}

    def on_train_batch_end(
        self, trainer: Trainer, pl_module: LightningModule, outputs: Any, batch: Any, batch_idx: int
    ) -> None:
        self.count += 1
        self.update(pl_module, max(1 / self.steps, FIRST / (FIRST - 1 + self.count)))

    def on_validation_start(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self.swap(pl_module)

    def on_validation_end(self, trainer: Trainer, pl_module: LightningModule) -> None:
        self.swap(pl_module)

    @torch.no_grad()
    def update(self, module: nn.Module, part: float) -> None:
        """Moves the average towards the weights by a part of the way, 1 for all of it."""
        for name, value in _state(module):
            average = self.average.get(name)
            if average is None or not value.is_floating_point():
                self.average[name] = value.clone()
            else:  # a resumed run has read it on the CPU
                self.average[name] = torch.lerp(average.to(value.device), value, part)

    @torch.no_grad()
    def swap(self, module: nn.Module) -> None:
        """Exchanges weights and average."""
        if not self.average:  # before the first step
            return
        for name, value in _state(module):
            kept = value.clone()
            value.copy_(self.average[name])
            self.average[name] = kept

    def state_dict(self) -> dict[str, Any]:
        return {"count": self.count, "average": self.average}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        self.count, self.average = state_dict["count"], dict(state_dict["average"])


def _state(module: nn.Module) -> list[tuple[str, Tensor]]:
    """Parameters and buffers, by name; their own memory, not copies."""
    return [(name, value.detach()) for name, value in module.state_dict(keep_vars=True).items()]
