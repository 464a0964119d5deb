"""Spectra on PyG data objects: how they are stored, batched and read."""

from typing import Any

import torch
from torch import Tensor
from torch_geometric.data import Batch, Data

from ogeaug.spectrum.eigen import SpectrumOptions, compute_spectra
from ogeaug.spectrum.record import Spectrum, SpectrumBatch


class SpectralData(Data):
    """A PyG ``Data`` whose ``eigvecs [n, K]`` can be batched with those of other sizes.

    The matrix is stored flat, so that PyG's collation concatenates without padding, and seen as
    ``[n, K]``. In a ``Batch`` it stays flat: ``[sum n K]``.

    Attributes:
        eigvals: ``[K]`` ascending.
        eigvecs: ``[n, K]``; may be assigned as such.
        eigval_cutoff: ``[1]`` the first eigenvalue left out, infinity if none.
        exact_spectrum: How to get the spectrum without noise; only there if it has noise.
    """

    @property
    def eigvecs(self) -> Tensor:
        flat: Tensor = self._store["eigvecs"]
        shape = (self.num_nodes, self._store["eigvals"].numel())
        if isinstance(self, Batch) or flat.numel() != shape[0] * shape[1]:
            return flat
        return flat.view(shape)

    @eigvecs.setter
    def eigvecs(self, value: Tensor) -> None:
        self._store["eigvecs"] = value.flatten()

    def __getitem__(self, key: str) -> Any:
        return self.eigvecs if key == "eigvecs" else super().__getitem__(key)

    def __setitem__(self, key: str, value: Any) -> None:
        super().__setitem__(key, value.flatten() if key == "eigvecs" else value)


# PyG reloads processed data sets by torch.load(weights_only=True), which admits listed classes.
torch.serialization.add_safe_globals([SpectralData])


def attach_spectrum(data: Data, spectrum: Spectrum, exact: SpectrumOptions | None = None) -> Data:
    """Stores a spectrum on a data object (in place), which becomes a :class:`SpectralData`.

    Args:
        data: The graph.
        spectrum: Its spectrum.
        exact: If the spectrum carries training noise, the options that give the exact one.
    """
    object.__setattr__(data, "__class__", _spectral_class(type(data)))
    device = data.edge_index.device
    # Straight into the store: PyG's attribute access costs as much as a small eigh.
    stored: dict[str, Any] = data._store._mapping
    stored["eigvals"] = spectrum.eigvals.to(device)
    stored["eigvecs"] = spectrum.eigvecs.to(device).flatten()
    stored["eigval_cutoff"] = torch.tensor([spectrum.cutoff], dtype=torch.float64, device=device)
    if exact is not None:
        stored["exact_spectrum"] = exact
    else:
        stored.pop("exact_spectrum", None)
    return data


def read_spectra(data: Data, options: SpectrumOptions, *, training: bool) -> SpectrumBatch:
    """The spectra of a graph or batch: those stored on it, or else computed now (no gradient).

    Outside training, spectra that were disturbed for training are computed again without noise.

    Args:
        data: A PyG ``Data`` or ``Batch`` with ``edge_index`` and ``num_nodes``.
        options: How to compute what is missing.
        training: Whether to use spectra with training noise.

    Shapes:
        - a batch of B graphs -> B spectra, on the device of ``edge_index``
    """
    sizes = graph_sizes(data)
    if data.edge_index is None:
        raise ValueError(
            "the data has no edge_index; a graph without edges has one of shape [2, 0]"
        )
    stored = [key for key in ("eigvals", "eigvecs") if key in data]
    if len(stored) == 1:
        raise ValueError(
            f"the data has {stored[0]} but not its partner; use AddSpectrum, or set both"
        )
    exact = None if training else data.get("exact_spectrum", None)
    if stored and exact is None:
        return _stored(data, sizes)
    if exact is not None:
        options = exact[0] if isinstance(exact, list) else exact
    spectra = compute_spectra(data.edge_index, sizes, data.get("edge_weight", None), options)
    return spectra.to(data.edge_index.device)


def graph_sizes(data: Data) -> Tensor:
    """The number of nodes of each graph ``[B]``, on the CPU."""
    if data.num_nodes is None:
        raise ValueError("the data does not tell its number of nodes; set data.num_nodes")
    if data.get("ptr", None) is not None:
        return data.ptr.diff().cpu()
    if data.get("batch", None) is None:
        return torch.tensor([data.num_nodes])
    batch = data.batch.cpu()
    if (batch.diff() < 0).any():
        raise ValueError("the batch vector must ascend: the nodes of a graph stand together")
    return torch.bincount(batch)


def _stored(data: Data, sizes: Tensor) -> SpectrumBatch:
    eigvals, flat = data["eigvals"].flatten(), data["eigvecs"].flatten()
    counts = _eigvals_per_graph(data, sizes, eigvals)
    if (counts > sizes).any() or int((sizes * counts).sum()) != flat.numel():
        raise ValueError(
            f"eigvals ({eigvals.numel()}) and eigvecs ({list(data['eigvecs'].shape)}) do not fit "
            f"{len(sizes)} graph(s) with {int(sizes.sum())} nodes: [n, K] eigenvectors with K <= n "
            "are expected for each. Was the graph changed after AddSpectrum? Add the spectrum last"
        )
    if not (eigvals.isfinite().all() and flat.isfinite().all()):
        raise ValueError("eigvals or eigvecs hold NaN or infinity; compute them by AddSpectrum")
    graph = torch.repeat_interleave(counts).to(eigvals.device)
    falls = (eigvals.diff() < -1e-6) & (graph.diff() == 0)
    if falls.any():
        at = int(graph[int(falls.int().argmax())])
        raise ValueError(f"eigvals of graph {at} do not ascend; sort them and their eigenvectors")
    cutoff = data.get("eigval_cutoff", None)
    if cutoff is None:
        truncated = (counts < sizes).nonzero().flatten().tolist()
        if truncated:
            raise ValueError(
                f"graph {truncated[0]} has {int(counts[truncated[0]])} eigenpairs for "
                f"{int(sizes[truncated[0]])} nodes, but no data.eigval_cutoff, the first "
                "eigenvalue left out; use AddSpectrum(k=...), or set it (infinity: never fade)"
            )
        cutoff = eigvals.new_full((len(sizes),), float("inf"))
    if cutoff.numel() != len(sizes):
        raise ValueError(f"eigval_cutoff must be [{len(sizes)}], got {list(cutoff.shape)}")
    return SpectrumBatch(eigvals, flat, cutoff.flatten(), sizes, counts)


def _eigvals_per_graph(data: Data, sizes: Tensor, eigvals: Tensor) -> Tensor:
    if len(sizes) == 1:
        return torch.tensor([eigvals.numel()])
    if hasattr(data, "_slice_dict"):
        counts: Tensor = data._slice_dict["eigvals"].diff()
        return counts
    if eigvals.numel() == int(sizes.sum()):  # full spectra
        return sizes
    raise ValueError(
        "this batch does not tell which eigvals belong to which graph; build it by "
        "Batch.from_data_list or a PyG DataLoader"
    )


_CLASSES: dict[Any, Any] = {Data: SpectralData}


def _spectral_class(base: Any) -> Any:
    """``SpectralData`` for plain ``Data``; for a user's subclass, one that keeps its behaviour."""
    if issubclass(base, SpectralData):
        return base
    if base in _CLASSES:
        return _CLASSES[base]

    def reduce(self: Data) -> tuple[Any, ...]:
        return _blank, (base,), self.__dict__

    _CLASSES[base] = type(f"Spectral{base.__name__}", (base, SpectralData), {"__reduce__": reduce})
    return _CLASSES[base]


def _blank(base: type[Data]) -> Data:
    cls = _spectral_class(base)
    return cls.__new__(cls)
