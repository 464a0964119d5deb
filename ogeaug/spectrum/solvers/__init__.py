"""Eigensolvers behind :mod:`ogeaug.spectrum.solve`, one per file.

The first of ``SOLVERS`` that can does a problem; the last one can do all, or says what is wrong.
"""

from ogeaug.spectrum.solvers.base import Solver
from ogeaug.spectrum.solvers.lapack import Lapack
from ogeaug.spectrum.solvers.native import Native
from ogeaug.spectrum.solvers.sparse.solver import Sparse

SOLVERS: tuple[Solver, ...] = (Sparse(), Native(), Lapack())
