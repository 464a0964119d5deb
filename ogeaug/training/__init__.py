"""Configuration, training, ensembles, runs of several processes."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.training.config import Config as Config
    from ogeaug.training.config import load_config as load_config
    from ogeaug.training.ensemble import fit_all as fit_all
    from ogeaug.training.ensemble import resume_all as resume_all
    from ogeaug.training.fitting import fit as fit
    from ogeaug.training.fitting import resume as resume
    from ogeaug.training.pictures import draw_run as draw_run
    from ogeaug.training.prepare import Parts as Parts
    from ogeaug.training.result import FitResult as FitResult

__all__ = [
    "Config",
    "FitResult",
    "Parts",
    "draw_run",
    "fit",
    "fit_all",
    "load_config",
    "resume",
    "resume_all",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Config": "config",
        "FitResult": "result",
        "Parts": "prepare",
        "draw_run": "pictures",
        "fit": "fitting",
        "fit_all": "ensemble",
        "load_config": "config",
        "resume": "fitting",
        "resume_all": "ensemble",
    },
)
