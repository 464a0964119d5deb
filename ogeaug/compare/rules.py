"""The rules of a comparison, as checked data. Loads no torch."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, ValidationError, model_validator

from ogeaug.encodings import ENCODINGS
from ogeaug.errors import UserError
from ogeaug.presets import NOISY
from ogeaug.strict import Strict, explain
from ogeaug.training.config import Config

GridKeys = ("training.", "backbone.", "encoding.")
MOST_CELLS = 1000


class Rules(Strict):
    """What is alike for all encodings of a comparison.

    Attributes:
        preset: ``authors``: encodings as their authors have them, and the backbone's width chosen
            so that all models have as many parameters; ``equal-width``: the options and the
            backbone of the configuration, parameters as they come.
        parameters: How many the models are to have (``authors`` only); if absent, as many as the
            largest of them has in the configuration's own backbone.
        noise: Who trains with the configuration's noise on the Laplacian: ``none``, ``own`` (those
            whose authors do) or ``all``.
        standardize: Whether ``all`` or ``none`` of the encodings go through a batch norm; absent:
            as the configuration has it for its own, which those without a preset take over.
        hold_out: If the data have no test part, their validation part becomes it, and this fraction
            of the training part chooses the epochs.
        grid: What is tried for each encoding before the runs: values by key, like
            ``{"training.lr": [5e-4, 1e-3]}``; keys begin with ``training.``, ``backbone.`` or
            ``encoding.``. Nothing if absent.
        search_epochs: Epochs of each try; as many as those of a run if absent.
    """

    preset: Literal["authors", "equal-width"] = "authors"
    parameters: Annotated[int, Field(ge=1, le=10**9)] | None = None
    noise: Literal["none", "own", "all"] = "own"
    standardize: Literal["all", "none"] | None = None
    hold_out: Annotated[float, Field(gt=0, lt=1)] | None = None
    grid: dict[str, list[Any]] | None = None
    search_epochs: Annotated[int, Field(ge=1, le=10**6)] | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.parameters is not None and self.preset != "authors":
            raise ValueError(
                "a number of parameters is met by the backbone's width, which preset equal-width "
                "keeps; leave one of them out"
            )
        if self.search_epochs is not None and self.grid is None:
            raise ValueError("search_epochs are those of a search; add --search, or leave them out")
        for key, values in (self.grid or {}).items():
            if not key.startswith(GridKeys) or key in GridKeys:
                raise ValueError(
                    f"a search goes over keys like training.lr, backbone.norm or encoding.k, got "
                    f"{key!r}"
                )
            if not values or any(v in values[:i] for i, v in enumerate(values)):
                raise ValueError(f"{key} needs values to try, each once, got {values}")
        if "training.seed" in (self.grid or {}):
            raise ValueError(
                "cells train with one seed, so that they differ by options alone; leave "
                "training.seed out of the search"
            )
        if "training.epochs" in (self.grid or {}) and self.search_epochs is not None:
            raise ValueError(
                "search_epochs are those of all cells; leave it or training.epochs out"
            )
        if self.standardize is not None and "encoding.standardize" in (self.grid or {}):
            raise ValueError("standardize is set for all encodings and searched; leave one out")
        cells = 1
        for values in (self.grid or {}).values():
            cells *= len(values)
        if cells > MOST_CELLS:
            raise ValueError(f"a search of {cells:,} cells is too large, at most {MOST_CELLS:,}")
        return self


def make_rules(**given: Any) -> Rules:
    """Rules, checked.

    Example:
        >>> make_rules(preset="ours")
        Traceback (most recent call last):
        ogeaug.errors.UserError: preset: Input should be 'authors' or 'equal-width', got 'ours'
    """
    try:
        return Rules(**given)
    except ValidationError as error:
        raise UserError(explain(error)) from error


def standard_grid(config: Config, standardize: str | None = None) -> dict[str, list[Any]]:
    """The small search that is the same for every encoding: rate, norm and batch norm.

    Args:
        config: The experiment.
        standardize: As in :class:`Rules`; if given, it is not searched.

    Example:
        >>> standard_grid(Config())["training.lr"]
        [0.0005, 0.001, 0.002]
    """
    lr = config.training.lr
    grid: dict[str, list[Any]] = {
        "training.lr": [lr / 2, lr, 2 * lr],
        "backbone.norm": ["batch", "layer"],
    }
    return grid if standardize else grid | {"encoding.standardize": [False, True]}


def trains_with_noise(name: str, rules: Rules) -> bool:
    """Whether an encoding has the configuration's noise and permutations.

    Example:
        >>> trains_with_noise("oge_aug", Rules()), trains_with_noise("rwse", Rules(noise="all"))
        (True, False)
    """
    if rules.noise == "all":
        return ENCODINGS.spectral(name)
    return rules.noise == "own" and name in NOISY


def describe(rules: Rules) -> str:
    """The rules of a comparison, in words."""
    presets = {
        "authors": "Encodings as their authors have them; parameters equal to 2 % by the width of "
        "the backbone",
        "equal-width": "Encodings by the options of the configuration; the same backbone, "
        "parameters as they come",
    }
    noise = {
        "none": "no noise on the Laplacian",
        "own": "noise on the Laplacian for those whose authors train with it",
        "all": "noise on the Laplacian for all that read a spectrum",
    }
    said = [presets[rules.preset], noise[rules.noise]]
    if rules.preset == "authors" and not all(
        key.startswith("training.") for key in rules.grid or ()
    ):
        said[0] += " before the search, which may change them"
    if rules.standardize is not None:
        said.append(f"{rules.standardize} of the encodings through a batch norm")
    if rules.hold_out is not None:
        said.append(
            f"the test part is the validation part of the data, {rules.hold_out:g} of the "
            "training part chose the epochs"
        )
    return f"\n{'; '.join(said)}.\n"
