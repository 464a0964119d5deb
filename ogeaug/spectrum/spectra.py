"""Records: the spectrum of one graph, and of a batch of graphs of different sizes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The lowest eigenpairs of one graph's Laplacian.

    Attributes:
        eigvals: ``[K]`` ascending, float64.
        eigvecs: ``[n, K]`` orthonormal columns, float64.
        cutoff: The first eigenvalue left out; infinity if none was.
        digest: Of the graph (:mod:`ogeaug.spectrum.digest`); None if it was made by hand.
        certified: Whether all eigenvalues below the cutoff are proven to be there (but for those
            that are nearer to it than 1e-6 of the largest, which it fades). They are where the
            whole spectrum was computed (:func:`~ogeaug.compute_spectrum` without k, or of a small
            graph), and of most large graphs; False if nobody knows.

    Example:
        >>> from ogeaug import compute_spectrum
        >>> spectrum = compute_spectrum(torch.tensor([[0, 1], [1, 2]]), 3, k=2)
        >>> spectrum.eigvals.round(decimals=6), round(spectrum.cutoff, 6)
        (tensor([0., 1.], dtype=torch.float64), 3.0)
    """

    eigvals: Tensor
    eigvecs: Tensor
    cutoff: float
    digest: int | None = None
    certified: bool = False

    @property
    def num_nodes(self) -> int:
        return self.eigvecs.size(0)

    @property
    def num_eigvals(self) -> int:
        return self.eigvals.numel()

    def to(self, *args: object, **kwargs: object) -> "Spectrum":
        """Moves or casts both tensors; takes what :meth:`torch.Tensor.to` takes."""
        return replace(
            self,
            eigvals=self.eigvals.to(*args, **kwargs),  # type: ignore[call-overload]
            eigvecs=self.eigvecs.to(*args, **kwargs),  # type: ignore[call-overload]
        )

    def eigenspaces(self, tolerance: float = 1e-6) -> list[slice]:
        """The columns of each eigenspace: runs of eigenvalues less than ``tolerance`` apart."""
        if self.num_eigvals == 0:
            return []
        ends = (self.eigvals.diff() >= tolerance).nonzero().flatten() + 1
        bounds = [0, *ends.tolist(), self.num_eigvals]
        return [slice(a, b) for a, b in pairwise(bounds)]


@dataclass(frozen=True, eq=False)
class SpectrumBatch:
    """Spectra of B graphs, one after another, nothing padded.

    Attributes:
        eigvals: ``[sum K]``, graph after graph.
        eigvecs: ``[sum n K]``, each graph's ``[n, K]`` matrix flattened row by row.
        cutoff: ``[B]``.
        num_nodes: ``[B]`` int64, on the CPU.
        num_eigvals: ``[B]`` int64, on the CPU.
    """

    eigvals: Tensor
    eigvecs: Tensor
    cutoff: Tensor
    num_nodes: Tensor
    num_eigvals: Tensor

    @classmethod
    def stack(cls, spectra: list[Spectrum]) -> "SpectrumBatch":
        return cls(
            eigvals=torch.cat([s.eigvals for s in spectra]),
            eigvecs=torch.cat([s.eigvecs.flatten() for s in spectra]),
            cutoff=torch.tensor([s.cutoff for s in spectra], dtype=torch.float64),
            num_nodes=torch.tensor([s.num_nodes for s in spectra]),
            num_eigvals=torch.tensor([s.num_eigvals for s in spectra]),
        )

    def __len__(self) -> int:
        return self.num_nodes.numel()

    def __iter__(self) -> Iterator[Spectrum]:
        nodes, counts = self.num_nodes.tolist(), self.num_eigvals.tolist()
        vals = self.eigvals.split(counts)
        vecs = self.eigvecs.split([n * k for n, k in zip(nodes, counts, strict=True)])
        for val, vec, n, cut in zip(vals, vecs, nodes, self.cutoff.tolist(), strict=True):
            yield Spectrum(val, vec.view(n, val.numel()), cut)

    def to(self, device: torch.device | str) -> "SpectrumBatch":
        """Moves the spectra; the sizes stay on the CPU."""
        return SpectrumBatch(
            self.eigvals.to(device),
            self.eigvecs.to(device),
            self.cutoff.to(device),
            self.num_nodes,
            self.num_eigvals,
        )
