"""Laplacians of many ordinary graphs at once, by the compiled core where it is at hand."""

import ctypes
from array import array
from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.native.build import load_if_built
from ogeaug.native.struct import call, fields
from ogeaug.spectrum.laplacian import Floats


class LaplacianArgs(ctypes.Structure):
    """``struct LaplacianArgs`` of ``native/src/laplacian.h``."""

    _fields_ = fields(
        "size offset edge weight place noise out",
        graphs=ctypes.c_int64,
        edges=ctypes.c_int64,
        scale=ctypes.c_double,
    )


@dataclass(frozen=True, eq=False)
class Draw:
    """The random numbers that disturb the Laplacians of a batch in training.

    Attributes:
        place: ``[N]`` int64, the new number of each node in its graph; None to leave the order.
        noise: ``[sum n (n + 1) / 2]`` float64, standard normal, each graph's lower triangle row by
            row; None for none.
        scale: Standard deviation of the noise.
    """

    place: Tensor | None
    noise: Tensor | None
    scale: float


def draw(sizes: list[int], variance: float, permute: bool) -> Draw:
    """Draws from torch's global generator, the same numbers whatever uses them."""
    place = noise = None
    if variance > 0:
        noise = torch.randn(sum(n * (n + 1) // 2 for n in sizes), dtype=torch.float64)
    if permute:
        orders = [torch.randperm(n) for n in sizes]
        place = orders[0] if len(orders) == 1 else torch.cat(orders)
    return Draw(place, noise, variance**0.5)


def assemble(
    edge_index: Tensor,
    edge_weight: Tensor | None,
    sizes: list[int],
    offsets: list[int],
    drawn: Draw,
) -> Floats | None:
    """The matrices to decompose, D - A, one after another; None if that must be done with care.

    Noise is added to the lower triangle only, the one that ``eigh`` reads.

    Args:
        edge_index: Edges of all graphs, nodes numbered through.
        edge_weight: One weight an edge.
        sizes: Nodes of each graph.
        offsets: Where the matrix of each graph begins.
        drawn: Noise and permutation.

    Shapes:
        - edge_index ``[2, E]`` -> ``[sum n^2]``
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
    out = torch.zeros(sum(n * n for n in sizes), dtype=torch.float64)
    numbers = array("q", [*sizes, *offsets])  # a tensor of a few numbers takes longer to make
    address, _ = numbers.buffer_info()
    arguments = LaplacianArgs(
        len(sizes),
        edges.size(1),
        drawn.scale,
        address,
        address + len(sizes) * numbers.itemsize,
        edges.data_ptr(),
        None if edge_weight is None else edge_weight.data_ptr(),
        None if drawn.place is None else drawn.place.data_ptr(),
        None if drawn.noise is None else drawn.noise.data_ptr(),
        out.data_ptr(),
    )
    return out.numpy() if call(core, "laplacians", arguments) == 0 else None
