"""What a process of the page loads when it begins; the server itself stays without torch."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ogeaug.explore.workers import Workers
from ogeaug.inference.early import check_models


@dataclass(frozen=True)
class Model:
    """A model that the page predicts with, checked.

    Attributes:
        folder: That was named.
        parts: Folders of its models.
    """

    folder: Path
    parts: list[Path]


def find_explored(folder: Path, *, allow_unfinished: bool = False) -> Model:
    """The model of a folder; refuses what cannot predict graphs."""
    return Model(folder, check_models([folder], allow_unfinished=allow_unfinished))


def load_jobs(model: Model | None = None) -> dict[str, Any]:
    """The jobs by name; called in a process of its own."""
    from ogeaug.explore.jobs import make_jobs  # loads torch
    from ogeaug.explore.model_jobs import ModelJobs, table_jobs

    own = {} if model is None else ModelJobs(model.folder, model.parts).jobs()
    return make_jobs() | table_jobs() | own


def make_workers(model: Model | None = None, **options: Any) -> Workers:
    """The processes of the page; options are those of :class:`Workers`."""
    return Workers(load_jobs, model, **options)
