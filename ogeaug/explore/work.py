"""What a process of the page loads when it begins; the server itself stays without torch."""

from typing import Any

from ogeaug.explore.workers import Workers


def load_jobs() -> dict[str, Any]:
    """The jobs by name; called in a process of its own."""
    from ogeaug.explore.jobs import make_jobs  # loads torch

    return make_jobs()


def make_workers(**options: Any) -> Workers:
    """The processes of the page; options are those of :class:`Workers`."""
    return Workers(load_jobs, **options)
