"""Spectra of ordinary graphs in one call of the compiled core, where it is at hand."""

import ctypes
import functools
from array import array

import torch
from torch import Tensor

from ogeaug.native.build import load_if_built
from ogeaug.native.struct import call, fields
from ogeaug.spectrum.draw import Draw


class SpectraArgs(ctypes.Structure):
    """``struct SpectraArgs`` of ``native/src/spectra.h``."""

    _fields_ = fields(
        "dsyev dsyevd size edge weight place noise eigvals eigvecs",
        graphs=ctypes.c_int64,
        edges=ctypes.c_int64,
        scale=ctypes.c_double,
    )


def decompose_fast(
    edge_index: Tensor, sizes: list[int], edge_weight: Tensor | None, drawn: Draw
) -> tuple[Tensor, Tensor] | None:
    """All eigenpairs of L = D - A of each graph; None if that must be done with care.

    A call from Python takes as long as a part of a small decomposition: here one call assembles
    all matrices, has LAPACK decompose them and undoes the renumbering.

    Args:
        edge_index: Edges of all graphs, nodes numbered through.
        sizes: Nodes of each graph.
        edge_weight: One weight an edge.
        drawn: Noise and permutation.

    Shapes:
        - edge_index ``[2, E]``, edge_weight ``[E]`` -> eigvals ``[sum n]``, eigvecs ``[sum n n]``
    """
    core = load_if_built()
    ordinary = edge_index.dim() == 2 and edge_index.size(0) == 2 and len(sizes) > 0
    if core is None or not ordinary or edge_index.dtype != torch.int64:
        return None
    if edge_weight is not None:
        if edge_weight.shape != edge_index.shape[1:]:
            return None
        edge_weight = edge_weight.detach().cpu().double().contiguous()
    edges = edge_index.detach().cpu().contiguous()
    eigvals = torch.empty(sum(sizes), dtype=torch.float64, device="cpu")
    eigvecs = torch.zeros(sum(n * n for n in sizes), dtype=torch.float64, device="cpu")
    numbers = array("q", sizes)  # a tensor of a few numbers takes longer to make
    arguments = SpectraArgs(
        len(sizes),
        edges.size(1),
        drawn.scale,
        *_lapack(),
        numbers.buffer_info()[0],
        edges.data_ptr(),
        None if edge_weight is None else edge_weight.data_ptr(),
        None if drawn.place is None else drawn.place.data_ptr(),
        None if drawn.noise is None else drawn.noise.data_ptr(),
        eigvals.data_ptr(),
        eigvecs.data_ptr(),
    )
    return (eigvals, eigvecs) if call(core, "spectra", arguments) == 0 else None


@functools.cache
def _lapack() -> tuple[int, int]:
    """The addresses of LAPACK's dsyev and dsyevd, as SciPy offers them to compiled code."""
    from scipy.linalg import cython_lapack  # a fifth of a second, for those who need it

    name, pointer = ctypes.pythonapi.PyCapsule_GetName, ctypes.pythonapi.PyCapsule_GetPointer
    name.restype, name.argtypes = ctypes.c_char_p, [ctypes.py_object]
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    dsyev, dsyevd = (cython_lapack.__pyx_capi__[key] for key in ("dsyev", "dsyevd"))
    return pointer(dsyev, name(dsyev)), pointer(dsyevd, name(dsyevd))
