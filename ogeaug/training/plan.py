"""plan.json: which runs a folder of several holds, those of an ensemble or of a comparison."""

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BaseModel, Field, model_validator

from ogeaug.errors import UserError
from ogeaug.files.json_text import check_record, parse_json, read_text
from ogeaug.training.run_folder import PLAN

MOST_RUNS = 100_000
"""Runs of a plan: more are a mistake."""


class EnsemblePlan(BaseModel):
    """Runs of one configuration, whose models may be averaged.

    Attributes:
        folds: Of a cross-validation; 1 if it is none.
        ensemble_size: Members of each fold, which differ by the seed.
        checksum: Of the data that all share; plans of version 0.1.0 have none.
    """

    folds: Annotated[int, Field(ge=1)]
    ensemble_size: Annotated[int, Field(ge=1)]
    checksum: str | None = None

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.folds * self.ensemble_size > MOST_RUNS:
            raise ValueError(f"{self.folds} folds of {self.ensemble_size} models are too many")
        return self

    def places(self, folder: Path) -> Iterator[tuple[int, int, Path]]:
        """Fold, member and folder of each run.

        Example:
            >>> plan = EnsemblePlan(folds=1, ensemble_size=2)
            >>> [str(place) for fold, member, place in plan.places(Path("runs"))]
            ['runs/model_0', 'runs/model_1']
        """
        for fold in range(self.folds):
            for member in range(self.ensemble_size):
                place = folder / f"fold_{fold}" if self.folds > 1 else folder
                yield fold, member, place / f"model_{member}" if self.ensemble_size > 1 else place


class ComparisonPlan(BaseModel):
    """Runs of different encodings, each with its own configuration.

    Attributes:
        asked: What the comparison was called with.
        configs: The configuration of each encoding, as YAML.
    """

    asked: dict[str, Any]
    configs: dict[str, str]


def read_plan(folder: Path) -> EnsemblePlan | ComparisonPlan | None:
    """The plan of a folder; None if it has none.

    Raises:
        UserError: It is damaged, or something else of this name.
    """
    file = folder / PLAN
    if not file.is_file():
        return None
    fix = "restore it, or choose another folder"
    found = parse_json(read_text(file, fix), str(file), fix)
    if isinstance(found, dict) and "asked" in found:
        return check_record(found, ComparisonPlan, str(file), fix)
    return check_record(found, EnsemblePlan, str(file), fix)


def read_ensemble(folder: Path) -> EnsemblePlan | None:
    """The plan of an ensemble; None if there is none, refused if it is that of a comparison."""
    plan = read_plan(folder)
    if isinstance(plan, ComparisonPlan):
        raise UserError(
            f"{folder} holds a comparison; continue it by calling  ogeaug compare  again with the "
            "same arguments"
        )
    return plan
