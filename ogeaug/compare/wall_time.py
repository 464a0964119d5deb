"""As many epochs as fit into a wall time."""

import time

import torch
from torch.optim import AdamW

from ogeaug.errors import UserError
from ogeaug.model.graph_model import GraphModel
from ogeaug.tasks import make_task
from ogeaug.training.add_spectra import add_spectra
from ogeaug.training.batches import GraphBatches
from ogeaug.training.config import Config
from ogeaug.training.prepare import Parts


def epoch_seconds(config: Config, parts: Parts, batches: int = 4) -> float:
    """An estimate of the wall time of an epoch, from a few batches of it."""
    t = config.training
    few = Parts(parts.train[: (batches + 1) * t.batch_size], parts.val[:1])
    with torch.random.fork_rng(devices=[]):
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
            bucket=False,
            seed=t.seed,
        ).train_dataloader()
        optimizer = AdamW(model.parameters())
        seconds = []
        start = time.perf_counter()
        for batch in loader:
            optimizer.zero_grad()
            predicted, y = task.predictions(model(batch), batch), task.labels(batch)
            task.loss(predicted, y, std=task.std(model.head)).backward()
            optimizer.step()
            seconds.append(time.perf_counter() - start)
            start = time.perf_counter()
    one = sorted(seconds)[len(seconds) // 2]
    # A pass without gradients costs about a third.
    return one * (len(parts.train) + len(parts.val) / 3) / t.batch_size


def within(configs: dict[str, Config], parts: Parts, minutes: float) -> dict[str, Config]:
    """As many epochs for each encoding as fit into the same wall time."""
    seconds = {name: epoch_seconds(config, parts) for name, config in configs.items()}
    short = {name: s for name, s in seconds.items() if s > 60 * minutes}
    if short:
        worst = max(short.values()) / 60
        listed = ", ".join(f"{name} {s / 60:.1f}" for name, s in short.items())
        raise UserError(
            f"{minutes:g} minutes are too few for one epoch of {listed} (minutes per epoch, "
            f"estimated); allow at least {1.2 * worst:.1f}, or use data.limit"
        )
    return {
        name: config.model_copy(
            update={"training": config.training.with_epochs(int(60 * minutes / seconds[name]))}
        )
        for name, config in configs.items()
    }
