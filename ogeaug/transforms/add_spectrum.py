"""The PyG transform that adds eigenvalues and eigenvectors."""

from typing import Self

from torch import Tensor
from torch_geometric.data import Batch, Data

from ogeaug.graph.batch import check_tensors
from ogeaug.graph.edges import Directed
from ogeaug.graph.laplacian import Normalization
from ogeaug.spectrum.pyg import read_spectra
from ogeaug.spectrum.solve import Disturbance, SpectrumOptions, decompose_one
from ogeaug.spectrum.spectral_data import attach_spectra, attach_spectrum
from ogeaug.transforms.base import Addition


class AddSpectrum(Addition):
    r"""Adds ``data.eigvals [K]``, ``data.eigvecs [n, K]`` and ``data.eigval_cutoff [1]``.

    Use it as ``transform`` or ``pre_transform`` of a data set, after all transforms that change
    the graph: an encoding refuses the spectrum of a graph that was changed since
    (:mod:`ogeaug.spectrum.digest`). ``data.edge_weight`` is respected if it is there.

    ``noise`` and ``permute`` are for training: they are drawn anew (from torch's generator) at
    each access, so they belong into ``transform``, not ``pre_transform``. They never reach an
    evaluation: an encoding in eval mode replaces a spectrum that carries them by the exact one.

    Args:
        k: How many eigenpairs to keep at most (more only of a graph with more than k components);
            all if absent. See :func:`ogeaug.compute_spectrum`.
        normalization: ``None`` (L = D - A), ``"sym"`` or ``"rw"``.
        noise: Variance of the Gaussian noise on L; 1e-5 in the paper.
        permute: Renumber the nodes at random before the decomposition and undo it after.
        directed: ``"symmetrize"`` or ``"refuse"`` edges listed in one direction only.

    Shapes:
        - n nodes -> eigvals ``[K]``, eigvecs ``[n, K]``

    Example:
        >>> import torch
        >>> data = Data(edge_index=torch.tensor([[0, 1], [1, 2]]), num_nodes=3)
        >>> AddSpectrum(k=2)(data).eigvecs.shape
        torch.Size([3, 2])
        >>> AddSpectrum(k=2)
        AddSpectrum(k=2, normalization=None, noise=0.0, permute=False, directed='symmetrize')
    """

    stores = ("eigvals", "eigvecs")

    def __init__(
        self,
        k: int | None = None,
        normalization: Normalization | None = None,
        noise: float = 0.0,
        permute: bool = False,
        *,
        directed: Directed = "symmetrize",
    ) -> None:
        self.options = SpectrumOptions(k, normalization, directed)
        self.disturbance = Disturbance(noise, permute)

    def forward(self, data: Data) -> Data:
        if not isinstance(data, Data) or isinstance(data, Batch):
            raise TypeError(
                f"AddSpectrum takes one homogeneous graph (Data), got {type(data).__name__}; apply "
                "it before batching (an encoding computes the spectra of a batch by itself)"
            )
        edge_index, num_nodes = data.edge_index, data.num_nodes  # which PyG looks for at each call
        if edge_index is None or num_nodes is None:
            raise ValueError("AddSpectrum needs data.edge_index and data.num_nodes")
        weight = data.get("edge_weight", None)
        if not isinstance(edge_index, Tensor) or not isinstance(weight, Tensor | None):
            check_tensors(data)  # says what is wrong
        spectrum = decompose_one(edge_index, num_nodes, weight, self.options, self.disturbance)
        return attach_spectrum(data, spectrum, self.options, disturbed=bool(self.disturbance))

    def with_noise(self, noise: float, permute: bool) -> "AddSpectrum":
        """The same for training."""
        options = self.options
        return AddSpectrum(
            options.k, options.normalization, noise, permute, directed=options.directed
        )

    def serving(self, other: Addition) -> Self | None:
        return self if repr(self) == repr(other) else None

    def add_to_batch(self, batch: Batch) -> None:
        if self.disturbance:
            raise ValueError("noise and permutations are drawn for each graph, before batching")
        attach_spectra(batch, read_spectra(batch, self.options, training=False))

    def __repr__(self) -> str:
        options, disturbance = self.options, self.disturbance
        return (
            f"{type(self).__name__}(k={options.k}, normalization={options.normalization!r}, "
            f"noise={disturbance.noise}, permute={disturbance.permute}, "
            f"directed={options.directed!r})"
        )
