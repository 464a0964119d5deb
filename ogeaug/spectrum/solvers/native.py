"""Spectra of ordinary graphs in one call of the compiled core, where it is at hand."""

import ctypes
import functools

import numpy as np
import torch
from torch import Tensor

from ogeaug.graph.edges import looks_ordinary
from ogeaug.native.build import load_if_built
from ogeaug.native.gate import Struct, call
from ogeaug.spectrum.memory import announce
from ogeaug.spectrum.noise import Draw
from ogeaug.spectrum.solvers.base import FEWER, Problem, Solution

ARGUMENTS = Struct(
    "size:int64:B edge:int64:2E weight:f64:E place:int64:N noise:f32:triangles eigvals:f64:N "
    "eigvecs:f64:squares",
    graphs=ctypes.c_int64,
    nodes=ctypes.c_int64,
    edges=ctypes.c_int64,
    scale=ctypes.c_double,
    dsyev=ctypes.c_void_p,
    dsyevd=ctypes.c_void_p,
    digest=ctypes.c_int64,
)
"""``struct SpectraArgs`` of ``native/src/spectra.h``."""
MOST_NODES = 30_000
"""Of a graph: LAPACK counts its workspace in 32 bits (``kLargest`` of the same file)."""
COPIES, WORK = 1.0, 3.5
"""Matrices alive at once: of each graph, and of the one at work (measured for one graph: 4.2)."""


class Native:
    """All eigenpairs of L = D - A of ordinary graphs (:mod:`ogeaug.graph.edges`).

    A call from Python takes as long as a part of a small decomposition: here one call assembles
    all matrices, has LAPACK decompose them and undoes the renumbering.
    """

    def can(self, problem: Problem) -> bool:
        sizes = problem.sizes
        return (
            problem.options.normalization is None
            and load_if_built() is not None
            and len(sizes) > 0
            and min(sizes) >= 1
            and max(sizes) <= MOST_NODES
            and looks_ordinary(problem.edge_index, problem.edge_weight)
        )

    def solve(self, problem: Problem) -> Solution | None:
        """None if the edges are not ordinary, a weight is negative, or LAPACK does not converge."""
        announce("a spectrum", problem.sizes, copies=COPIES, work=WORK, hint=FEWER)
        return decompose(problem.edge_index, problem.sizes, problem.edge_weight, problem.drawn)


def decompose(
    edge_index: Tensor, sizes: list[int], edge_weight: Tensor | None, drawn: Draw
) -> Solution | None:
    """All eigenpairs of L = D - A of each graph; None if the core does not do them.

    Args:
        edge_index: Edges of all graphs, nodes numbered through.
        sizes: Nodes of each graph.
        edge_weight: One weight per edge.
        drawn: Noise and permutation.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> eigvals ``[sum n]``, eigvecs ``[sum n n]``
    """
    if edge_weight is not None:
        edge_weight = edge_weight.detach().cpu().double().contiguous()
    graphs, edges, nodes = len(sizes), edge_index.size(1), sum(sizes)
    squares = sum([n * n for n in sizes])
    # By way of NumPy: torch takes longer to make a small tensor.
    eigvals = torch.from_numpy(np.empty(nodes))
    eigvecs = torch.from_numpy(np.zeros(squares))
    dsyev, dsyevd = _lapack()
    arguments = ARGUMENTS.fill(
        {
            "graphs": graphs,
            "nodes": nodes,
            "edges": edges,
            "scale": drawn.scale,
            "dsyev": dsyev,
            "dsyevd": dsyevd,
        },
        {
            "B": graphs,
            "N": nodes,
            "E": edges,
            "2E": 2 * edges,
            "squares": squares,
            "triangles": (squares + nodes) // 2,
        },
        {
            "size": None if graphs == 1 else torch.from_numpy(np.array(sizes, np.int64)),
            "edge": edge_index.cpu().contiguous(),
            "weight": edge_weight,
            "place": drawn.place,
            "noise": drawn.noise,
            "eigvals": eigvals,
            "eigvecs": eigvecs,
        },
    )
    if call("spectra_", arguments) != 0:
        return None
    digest = arguments.digest if graphs == 1 else None
    return Solution.whole(eigvals, eigvecs, sizes, digest)


@functools.cache
def _lapack() -> tuple[int, int]:
    """The addresses of LAPACK's dsyev and dsyevd, as SciPy offers them to compiled code."""
    from scipy.linalg import cython_lapack  # a fifth of a second, for those who need it

    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    dsyev, dsyevd = (cython_lapack.__pyx_capi__[key] for key in ("dsyev", "dsyevd"))
    return pointer(dsyev, name(dsyev)), pointer(dsyevd, name(dsyevd))
