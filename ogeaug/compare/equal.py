"""Which runs a comparison of encodings makes: equal backbone, parameters and budget."""

import time
from collections.abc import Callable
from typing import Any, Literal

import torch
from pydantic import ValidationError
from torch.optim import AdamW

from ogeaug.compare.early import check_one_encoding
from ogeaug.compare.entries import read_entries
from ogeaug.encodings import ENCODINGS, about_edges, encoding_options, needs_features
from ogeaug.errors import UserError
from ogeaug.model.config import EncodingConfig
from ogeaug.model.graph_model import GraphModel
from ogeaug.strict import explain
from ogeaug.tasks import make_task
from ogeaug.training.batches import GraphBatches
from ogeaug.training.config import Config
from ogeaug.training.prepare import Parts
from ogeaug.training.spectra import add_spectra

SHARED = ("hidden_channels", "num_layers", "k", "normalization", "directed")
"""Options that other encodings take over from the configuration's own."""
NOISY = ("oge_aug", "general")
"""Encodings whose authors train with noise on the Laplacian; the others train without, as theirs.
Vanilla OGE-Aug and BasisNet could not: noise parts every eigenspace, so that their networks for
multiplicities of 2 and more would be used in evaluation without ever having been trained."""


def equal_configs(
    config: Config, encodings: list[str], options: dict[str, dict[str, Any]] | None = None
) -> dict[str, Config]:
    """One configuration for each encoding, with parameter counts within 10 % of each other.

    The first encoding of ``config`` is the model for the others: same ``out_channels`` and
    ``standardize``, same ``num_layers``, ``k`` and ``features`` where there are such options, and
    ``hidden_channels`` chosen so that the whole model has as many parameters as the configuration's
    own. With ``none``, which has no width, the backbone is made wider instead.

    Args:
        config: The experiment, features and targets filled in.
        encodings: To compare; see :func:`ogeaug.compare.entries.read_entries`.
        options: Further options by label, which are then not changed.
    """
    check_one_encoding(config)
    entries = read_entries(encodings, options)
    target = count_parameters(config)
    found = {}
    for label, entry in entries.items():
        name, own = entry.name, entry.options
        planned = config
        if name not in NOISY:
            quiet = config.training.model_copy(update={"noise": 0.0, "permute": False})
            planned = config.model_copy(update={"training": quiet})
        if name != config.encodings[0].name or own:
            try:
                planned = _fit_width(_replace(planned, name, own), own, target, name)
            except UserError as error:
                raise UserError(f"{label} cannot serve this configuration: {error}") from error
        found[label] = planned
    return found


def count_parameters(config: Config) -> int:
    """Trainable parameters of the model of a configuration."""
    with torch.random.fork_rng(devices=[]):
        return GraphModel.from_config(config.model_part()).num_parameters


def _replace(config: Config, name: str, own: dict[str, Any]) -> Config:
    first, known = config.encodings[0], encoding_options(name)
    update: dict[str, Any] = {"encodings": []}
    if name == "none" and own:
        raise UserError(f"it has no options, got {', '.join(own)}")
    unknown = [key for key in own if key not in (*known, *EncodingConfig.model_fields)]
    if unknown and name != "none":
        edges = f" ({about_edges(name)})" if ENCODINGS.level(name) == "edge" else ""
        raise UserError(
            f"{name!r} has no option {', '.join(unknown)}; it has {', '.join(known)}{edges}"
        )
    if name != "none":
        shared = {k: v for k, v in first.options.items() if k in SHARED and k in known}
        taken = (first.options if name == first.name else shared) | own
        features = taken.pop("features", _features(first, name, known))
        taken = {"out_channels": first.out_channels, "standardize": first.standardize} | taken
        try:
            encoding = EncodingConfig(name=name, features=features, **taken)
        except ValidationError as error:
            raise UserError(f"options of {name}: {explain(error)}") from error
        update["encodings"] = [encoding]
    return config.model_copy(update=update)


def _features(first: EncodingConfig, name: str, known: tuple[str, ...]) -> bool | Literal["all"]:
    """As the configuration's own encoding has it, as far as another one can."""
    if first.features == "all" and "edge_channels" in known:
        return "all"
    return needs_features(name) or (bool(first.features) and "in_channels" in known)


def _fit_width(config: Config, own: dict[str, Any], target: int, name: str) -> Config:
    """The width that brings the parameters closest to the target; refuses more than 10 % off."""
    if "hidden_channels" in own:
        best = config
    elif config.encodings:
        encoding = config.encodings[0]

        def widen(width: int) -> Config:
            wider = encoding.model_copy(update={"hidden_channels": width})
            return config.model_copy(update={"encodings": [wider]})

        best = closest(widen, target, 4, 8192)
    else:
        step = config.backbone.heads or 1

        def widen(width: int) -> Config:
            wider = config.backbone.model_copy(update={"channels": width * step})
            return config.model_copy(update={"backbone": wider})

        best = closest(widen, target, 1, 8192 // step)
    parameters = count_parameters(best)
    if abs(parameters - target) > 0.1 * target and "hidden_channels" not in own:
        raise UserError(
            f"{name} cannot be given about {target:,} parameters: the closest is {parameters:,}. "
            "Change the width of the configuration's own encoding, or give the options of "
            f"{name} yourself"
        )
    return best


def closest(widen: Callable[[int], Config], target: int, low: int, high: int) -> Config:
    """Bisects a width in [low, high] for the parameter count closest to the target."""
    while high - low > 1:
        middle = (low + high) // 2
        # Doubling from below keeps the models that are built on the way small.
        middle = min(middle, 2 * low)
        if count_parameters(widen(middle)) <= target:
            low = middle
        else:
            high = middle
    return min((widen(low), widen(high)), key=lambda c: abs(count_parameters(c) - target))


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
            update={
                "training": config.training.model_copy(
                    update={"epochs": int(60 * minutes / seconds[name])}
                )
            }
        )
        for name, config in configs.items()
    }
