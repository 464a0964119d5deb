"""Spectra on the graphs of a run: exact ones stored once, noisy ones made at each access."""

from collections.abc import Iterable
from copy import copy

from rich.progress import track
from torch_geometric.data import Data

from ogeaug.data.splits import PARTS
from ogeaug.encodings.base import Encoding
from ogeaug.errors import UserError
from ogeaug.model.graph_model import GraphModel
from ogeaug.training.config import TrainingConfig
from ogeaug.training.prepare import Parts
from ogeaug.transforms.add_spectrum import AddSpectrum


def add_spectra(
    parts: Parts, model: GraphModel, t: TrainingConfig, progress: bool
) -> tuple[Parts, AddSpectrum | None]:
    """Stores exact spectra on all graphs, or gives the transform that makes noisy ones.

    What else encodings precompute (random walks, say) is stored as well. Spectra on the data are
    read by all encodings alike, so those must agree on the Laplacian. If they do not, each computes
    its own (slower, and without noise).
    """
    encodings: list[Encoding] = list(model.encodings)  # type: ignore[arg-type]
    wanted = {encoding.spectrum for encoding in encodings if encoding.uses_spectrum}
    for encoding in encodings:
        parts = Parts(
            *([encoding.precompute(copy(data)) for data in parts.part(part)] for part in PARTS)
        )
    if not wanted:
        return parts, None
    if len(wanted) > 1:
        if t.noise or t.permute:
            raise UserError(
                f"the encodings use different Laplacians ({', '.join(map(str, wanted))}); give "
                "them the same k and normalization, or set training.noise=0"
            )
        return parts, None
    options = next(iter(wanted))
    exact = AddSpectrum(options.k, options.normalization, directed=options.directed)
    noisy = None
    if t.noise or t.permute:
        noisy = AddSpectrum(
            options.k, options.normalization, t.noise, t.permute, directed=options.directed
        )

    def added(graphs: list[Data], name: str) -> list[Data]:
        shown: Iterable[Data] = graphs
        if progress:
            shown = track(graphs, description=f"Spectra ({name})", transient=True)
        return [exact(data) for data in shown]

    train = parts.train if noisy else added(parts.train, "train")
    return Parts(train, added(parts.val, "val"), added(parts.test, "test")), noisy
