"""What encodings need on the graphs of a run: stored once; noisy spectra made at each access."""

from collections.abc import Iterable

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
        graphs: Iterable[Data] = parts.part(part)
        mine = [s for s in stored if not (noisy and part == "train" and s in spectra)]
        if progress and mine:
            graphs = track(parts.part(part), f"Spectra ({part})", transient=True)
        return [_add(mine, data) for data in graphs]

    return parts.map(added), noisy


def _add(transforms: list[BaseTransform], data: Data) -> Data:
    for transform in transforms:
        # Walks that are on the data already are taken as they are; spectra are the model's.
        kept = isinstance(transform, Addition) and not isinstance(transform, AddSpectrum)
        if not (kept and all(name in data for name in transform.stores)):
            data = transform(data)
    return data
