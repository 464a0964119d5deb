"""The contract between the door (:mod:`ogeaug.spectrum.solve`) and the solvers behind it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from ogeaug.graph.edges import Floats
from ogeaug.spectrum.noise import Draw, draw
from ogeaug.spectrum.options import Disturbance, SpectrumOptions
from ogeaug.spectrum.spectra import SpectrumBatch


@dataclass(frozen=True, eq=False)
class Problem:
    """Graphs of a batch whose Laplacians are to be decomposed.

    Attributes:
        edge_index: ``[2, E]`` plain (``plain_edges``), nodes numbered through.
        sizes: Nodes of each graph.
        edge_weight: ``[E]``, or None if all are 1.
        options: Which matrix, and how much of its spectrum is wanted.
        disturbance: Whether it is to be disturbed.
    """

    edge_index: Tensor
    sizes: list[int]
    edge_weight: Tensor | None
    options: SpectrumOptions = SpectrumOptions()  # noqa: RUF009 (frozen)
    disturbance: Disturbance = Disturbance()  # noqa: RUF009 (frozen)

    @property
    def drawn(self) -> Draw:
        """The disturbance, drawn when a solver first asks; the same for all that ask."""
        kept = self.__dict__.get("_drawn")  # a cached_property would take a lock
        if kept is None:
            kept = draw(self.sizes, self.disturbance.noise, self.disturbance.permute)
            self.__dict__["_drawn"] = kept
        return kept


@dataclass(frozen=True, eq=False)
class Solution:
    """Eigenpairs of each graph, ascending from the lowest: all of them, or at least those wanted.

    A solver that finds some gives the k lowest and one more (or more), so that the door can cut
    them by its rule (:mod:`ogeaug.spectrum.truncate`).

    Attributes:
        eigvals: ``[sum K]``, graph after graph, float64.
        eigvecs: ``[sum n K]``, each graph's ``[n, K]`` row by row.
        sizes: n of each graph.
        counts: K of each graph.
        cutoff: The first eigenvalue of each graph that is not there, or the last one that is if
            nobody knows it; infinity if all are.
        digest: Of one graph (:mod:`ogeaug.spectrum.digest`), if the solver has it at hand.
        largest: A bound of each graph's eigenvalues, not much above the largest; None if the last
            one that is there is it.
        certified: Whether those of each graph are proven to be the lowest; None if all are.
    """

    eigvals: Tensor
    eigvecs: Tensor
    sizes: Sequence[int]
    counts: Sequence[int]
    cutoff: Sequence[float]
    digest: int | None = None
    largest: Sequence[float] | None = None
    certified: Sequence[bool] | None = None

    @classmethod
    def whole(
        cls, eigvals: Tensor, eigvecs: Tensor, sizes: list[int], digest: int | None = None
    ) -> "Solution":
        """All eigenpairs."""
        return cls(eigvals, eigvecs, sizes, sizes, [math.inf] * len(sizes), digest)

    def to_batch(self) -> SpectrumBatch:
        nodes = torch.from_numpy(np.array(self.sizes, np.int64))
        whole = self.counts == self.sizes
        counts = nodes if whole else torch.from_numpy(np.array(self.counts, np.int64))
        cutoff = torch.from_numpy(np.array(self.cutoff, np.float64))
        return SpectrumBatch(self.eigvals, self.eigvecs, cutoff, nodes, counts)


FEWER = " A few eigenpairs (AddSpectrum(k=64)) need far less, without noise or negative weights."
"""What users of a dense solver may not know."""
SCALE = 1e6
"""Of the entries of a random walk's eigenvectors: their fourth powers still fit into float32."""


def check_scale(scale: Floats, names: list[str]) -> None:
    """Refuses eigenvectors of the random walk that no feature could hold.

    Shapes:
        - scale ``[B, n]``, a name per graph
    """
    if scale.max() > SCALE:
        graph, node = np.argwhere(scale > SCALE)[0]
        raise ValueError(
            f"{names[graph]}: the weights at node {node} sum to less than {SCALE**-2:g} of what "
            "the other nodes have, which normalization='rw' divides by; drop its edges, or use "
            "normalization='sym'"
        )


class Solver(Protocol):
    """Finds eigenpairs. A new one is a file beside this and a line in ``SOLVERS``."""

    def can(self, problem: Problem) -> bool:
        """Whether it does such a problem here, as far as kind, sizes and options tell."""

    def solve(self, problem: Problem) -> Solution | None:
        """The eigenpairs; None if the edges turn out to be for the next solver.

        Says first what it takes (:func:`ogeaug.spectrum.memory.announce`), then asks for
        ``problem.drawn``.
        """
