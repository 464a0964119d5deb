"""What encodings need on the graphs of a run: stored once; noisy spectra made at each access."""

from rich.progress import track
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.errors import UserError
from ogeaug.model.graph_model import GraphModel
from ogeaug.spectrum.options import Disturbance
from ogeaug.training.config import TrainingConfig
from ogeaug.training.prepare import Parts
from ogeaug.transforms.add_spectrum import AddSpectrum
from ogeaug.transforms.base import Addition
from ogeaug.transforms.needed import declared

TOGETHER = 64
"""Graphs that are done at a time."""


def add_spectra(
    parts: Parts, model: GraphModel, t: TrainingConfig, progress: bool
) -> tuple[Parts, AddSpectrum | None]:
    """Stores what the encodings need on all graphs, or gives the transform of noisy spectra.

    Spectra that conflict (:func:`ogeaug.transforms.needed.declared`) are not stored: each encoding
    computes its own (slower, and without noise).
    """
    groups = declared(model.encodings)
    spectra = [s for group in groups for s in group if isinstance(s, AddSpectrum)]
    noisy = None
    for encoding in model.encodings:
        if getattr(encoding, "learns_laplacian", False):  # its spectra are made in each step
            encoding.disturbance = Disturbance(t.noise, t.permute)  # type: ignore[assignment]
    if t.noise or t.permute:
        if len(spectra) > 1:
            wanted = ", ".join(str(spectrum.options) for spectrum in spectra)
            raise UserError(
                f"the encodings use different Laplacians ({wanted}); give "
                "them the same k and normalization, or set training.noise=0"
            )
        noisy = spectra[0].with_noise(t.noise, t.permute) if spectra else None
    stored = [group[0] for group in groups if len(group) == 1]

    def added(part: str) -> list[Data]:
        graphs = parts.part(part)
        mine = [s for s in stored if not (noisy and part == "train" and s in spectra)]
        starts = range(0, len(graphs), TOGETHER)
        shown = progress and bool(mine)
        return [
            data
            for start in track(starts, f"Spectra ({part})", transient=True, disable=not shown)
            for data in _add(mine, graphs[start : start + TOGETHER])
        ]

    return parts.map(added), noisy


def _add(transforms: list[BaseTransform], graphs: list[Data]) -> list[Data]:
    for transform in transforms:
        if not isinstance(transform, Addition):
            graphs = [transform(data) for data in graphs]
            continue
        # Walks that are on the data already are taken as they are; spectra are the model's.
        kept = not isinstance(transform, AddSpectrum)
        there = [kept and transform.is_on(data) for data in graphs]
        new = iter(
            transform.add_to_graphs([d for d, t in zip(graphs, there, strict=True) if not t])
        )
        graphs = [d if t else next(new) for d, t in zip(graphs, there, strict=True)]
    return graphs
