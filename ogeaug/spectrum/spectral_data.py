"""Spectra stored on PyG data objects, and how they were made."""

import functools
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import torch
from torch import Tensor
from torch_geometric.data import Batch, Data

from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.spectrum.solve import SpectrumOptions
from ogeaug.spectrum.spectra import Spectrum, SpectrumBatch


class SpectralData(Data):
    """A PyG ``Data`` whose ``eigvecs [n, K]`` can be batched with those of other sizes.

    The matrix is stored flat, so that PyG's collation concatenates without padding, and seen as
    ``[n, K]``. It stays flat, ``[sum n K]``, in a ``Batch`` and in ``to_dict()``.

    Attributes:
        eigvals: ``[K]`` ascending.
        eigvecs: ``[n, K]``; may be assigned as such.
        eigval_cutoff: ``[1]`` the first eigenvalue left out, infinity if none.
        spectrum_recipe: ``[1, 5]`` int64, how they were made; see :class:`Recipe`.
    """

    @property
    def eigvecs(self) -> Tensor:
        if "eigvecs" not in self._store:
            raise AttributeError("this data has no eigvecs; add them by AddSpectrum")
        flat: Tensor = self._store["eigvecs"]
        if isinstance(self, Batch) or "eigvals" not in self._store:
            return flat
        shape = (self.num_nodes, self._store["eigvals"].numel())
        return flat.view(shape) if flat.numel() == shape[0] * shape[1] else flat

    @eigvecs.setter
    def eigvecs(self, value: Tensor) -> None:
        self._store["eigvecs"] = value.flatten()

    def __getitem__(self, key: str) -> Any:
        return self.eigvecs if key == "eigvecs" else super().__getitem__(key)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value.flatten() if key == "eigvecs" else value)

    def get(self, key: str, default: Any = None) -> Any:
        return self[key] if key in self._store else default


# PyG reloads processed data sets by torch.load(weights_only=True), which admits listed classes.
torch.serialization.add_safe_globals([SpectralData])


@dataclass(frozen=True)
class Recipe:
    """How a stored spectrum was made: numbers only, so that PyG batches and saves it as a tensor.

    Attributes:
        options: Which matrix, and how much of its spectrum.
        disturbed: Whether it carries the noise or permutation of training.
        graph: The graph's digest (:mod:`ogeaug.spectrum.digest`), which is negative. Data stored by
            earlier versions has the number of columns of edge_index there; it is checked by that.
    """

    options: SpectrumOptions
    disturbed: bool
    graph: int

    def to_tensor(self) -> Tensor:
        """``[1, 5]`` int64."""
        k, options = self.options.k or 0, self.options
        kind, directed = NORMALIZATIONS.index(options.normalization), options.directed
        row = [k, kind, int(directed == "refuse"), int(self.disturbed), self.graph]
        return torch.from_numpy(np.array([row]))  # a fifth of the time of torch.tensor

    @classmethod
    def from_row(cls, row: list[int]) -> "Recipe":
        k, kind, refuse, disturbed, graph = row
        return cls(_options(k, kind, bool(refuse)), bool(disturbed), graph)


NORMALIZATIONS: tuple[Normalization | None, ...] = (None, *get_args(Normalization))


@functools.lru_cache(maxsize=64)  # the graphs of a batch have the same ones
def _options(k: int, kind: int, refuse: bool) -> SpectrumOptions:
    directed: Directed = "refuse" if refuse else "symmetrize"
    return SpectrumOptions(k or None, NORMALIZATIONS[kind], directed)


def attach_spectrum(
    data: Data,
    spectrum: Spectrum,
    options: SpectrumOptions | None = None,
    *,
    disturbed: bool = False,
) -> Data:
    """Stores a spectrum on a data object (in place).

    Plain ``Data`` becomes :class:`SpectralData`. A user's subclass stays what it is, with
    ``data.eigvecs`` flat, ``[n K]``; derived from ``SpectralData`` it shows ``[n, K]``, too.

    Args:
        data: The graph.
        spectrum: Its spectrum.
        options: What it was made by; None if it was made by hand. With options, the spectrum
            knows the digest of its graph, and a graph that is changed later is noticed.
        disturbed: Whether it carries the noise or permutation of training.
    """
    if type(data) is Data:
        object.__setattr__(data, "__class__", SpectralData)
    # Straight into the store: PyG's attribute access costs as much as a small eigh.
    stored: dict[str, Any] = data._store._mapping
    stored["eigvals"] = spectrum.eigvals
    stored["eigvecs"] = spectrum.eigvecs.flatten()
    stored["eigval_cutoff"] = torch.from_numpy(np.array([spectrum.cutoff]))
    stored.pop("spectrum_recipe", None)
    if options is not None:
        if spectrum.digest is None:
            raise ValueError("a spectrum made by hand has no options; attach it without")
        stored["spectrum_recipe"] = Recipe(options, disturbed, spectrum.digest).to_tensor()
    if not data.edge_index.is_cpu:
        for key in ("eigvals", "eigvecs", "eigval_cutoff", "spectrum_recipe"):
            if key in stored:
                stored[key] = stored[key].to(data.edge_index.device)
    return data


def attach_spectra(batch: Batch, spectra: SpectrumBatch) -> None:
    """Stores the spectra of a batch on it (in place), to be read by several encodings at once.

    They are not recorded for taking the batch apart again: add those of single graphs before
    batching.

    Args:
        batch: Made by ``Batch.from_data_list``.
        spectra: Of its graphs.
    """
    batch["eigvals"], batch["eigvecs"] = spectra.eigvals, spectra.eigvecs
    batch["eigval_cutoff"] = spectra.cutoff
    bounds = torch.cat([spectra.num_eigvals.new_zeros(1), spectra.num_eigvals.cumsum(0)])
    batch._slice_dict["eigvals"] = bounds.cpu()
