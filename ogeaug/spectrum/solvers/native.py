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
from ogeaug.spectrum.solvers.base import Problem, Solution

ARGUMENTS = Struct(
    "size:int64:B edge:int64:2E weight:f64:E place:int64:N noise:f32:triangles eigvals:f64:N "
    "eigvecs:f64:squares digest:int64:B",
    graphs=ctypes.c_int64,
    nodes=ctypes.c_int64,
    edges=ctypes.c_int64,
    scale=ctypes.c_double,
    dsyev=ctypes.c_void_p,
    dsyevd=ctypes.c_void_p,
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
        sizes = problem.sizes
        announce("a spectrum", sizes, copies=COPIES, work=WORK)
        digest = torch.from_numpy(np.empty(len(sizes), np.int64)) if problem.digest else None
        found = decompose(problem.edge_index, sizes, problem.edge_weight, problem.drawn, digest)
        return None if found is None else Solution.whole(*found, sizes, digest)


def decompose(
    edge_index: Tensor,
    sizes: list[int],
    edge_weight: Tensor | None,
    drawn: Draw,
    digest: Tensor | None = None,
) -> tuple[Tensor, Tensor] | None:
    """All eigenpairs of L = D - A of each graph; None if the core does not do them.

    Args:
        edge_index: Edges of all graphs, nodes numbered through.
        sizes: Nodes of each graph.
        edge_weight: One weight per edge.
        drawn: Noise and permutation.
        digest: Filled with a digest for each graph (:mod:`ogeaug.spectrum.digest`), if given.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> eigvals ``[sum n]``, eigvecs ``[sum n n]``
    """
    count, nodes = edge_index.size(1), sum(sizes)
    if edge_weight is not None:
        edge_weight = edge_weight.detach().cpu().double().contiguous()
    squares = sum(n * n for n in sizes)
    eigvals = torch.empty(nodes, dtype=torch.float64, device="cpu")
    eigvecs = torch.zeros(squares, dtype=torch.float64, device="cpu")
    dsyev, dsyevd = _lapack()
    arguments = ARGUMENTS.fill(
        {
            "graphs": len(sizes),
            "nodes": nodes,
            "edges": count,
            "scale": drawn.scale,
            "dsyev": dsyev,
            "dsyevd": dsyevd,
        },
        {
            "B": len(sizes),
            "N": nodes,
            "E": count,
            "2E": 2 * count,
            "squares": squares,
            "triangles": (squares + nodes) // 2,
        },
        {
            "size": torch.from_numpy(
                np.array(sizes, np.int64)
            ),  # a fifth of the time of torch.tensor
            "edge": edge_index.detach().cpu().contiguous(),
            "weight": edge_weight,
            "place": drawn.place,
            "noise": drawn.noise,
            "eigvals": eigvals,
            "eigvecs": eigvecs,
            "digest": digest,
        },
    )
    return (eigvals, eigvecs) if call("spectra_", arguments) == 0 else None


@functools.cache
def _lapack() -> tuple[int, int]:
    """The addresses of LAPACK's dsyev and dsyevd, as SciPy offers them to compiled code."""
    from scipy.linalg import cython_lapack  # a fifth of a second, for those who need it

    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    dsyev, dsyevd = (cython_lapack.__pyx_capi__[key] for key in ("dsyev", "dsyevd"))
    return pointer(dsyev, name(dsyev)), pointer(dsyevd, name(dsyevd))
