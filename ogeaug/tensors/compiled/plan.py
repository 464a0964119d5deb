"""The plan of a batch for the compiled layers: sizes, windows and neighbours."""

import ctypes
from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.native.struct import fields
from ogeaug.spectrum.bands import Bands
from ogeaug.spectrum.record import SpectrumBatch


class CPlan(ctypes.Structure):
    """``struct Plan`` of ``src/plan.h``."""

    _fields_ = fields(
        "node eig pair row1 row2 low high first rho2 start neighbour weight",
        graphs=ctypes.c_int64,
        channels=ctypes.c_int64,
        threads=ctypes.c_int64,
    )


@dataclass(frozen=True, eq=False)
class Plan:
    """Sorted eigenvalues make each row of the bands one window, so that a few numbers for each
    eigenpair say where all rows of W1 and W2 are: no list has an entry for each row.

    Attributes:
        node, eig, pair: ``[B + 1]`` int64, the first node, eigenpair and pair of each graph.
        row1, row2: ``[B + 1]`` int64, the first row of W1 and W2 of each graph.
        low, high: ``[sum K]`` int32, eigenpair k sees low <= l < high, numbered in its graph.
        first: ``[sum K]`` int32, its first pair, numbered in its graph.
        rho2: ``[P]`` the squared smoothing.
        start: ``[N + 1]`` int64, the first neighbour of each node.
        neighbour: ``[E]`` int64.
        weight: ``[E]`` of each neighbour; None if all are 1.
    """

    node: Tensor
    eig: Tensor
    pair: Tensor
    row1: Tensor
    row2: Tensor
    low: Tensor
    high: Tensor
    first: Tensor
    rho2: Tensor
    start: Tensor
    neighbour: Tensor
    weight: Tensor | None

    @property
    def num_rows(self) -> tuple[int, int, int]:
        """The rows of W0, W1 and W2."""
        return int(self.node[-1]), int(self.row1[-1]), int(self.row2[-1])

    def to_c(self, channels: int) -> CPlan:
        """For a call of the core; valid as long as this plan is."""
        pointers = {
            name: None if value is None else value.data_ptr() for name, value in vars(self).items()
        }
        return CPlan(len(self.node) - 1, channels, torch.get_num_threads(), **pointers)


def make_plan(
    spectra: SpectrumBatch,
    bands: Bands,
    edge_index: Tensor,
    edge_weight: Tensor | None,
    dtype: torch.dtype,
) -> Plan | None:
    """The plan of a batch, or None if some eigenpair sees others that do not lie together.

    Args:
        spectra: The eigenpairs.
        bands: The pairs.
        edge_index: Undirected edges, each in both directions, sorted by their first node.
        edge_weight: One weight an edge, the same in both directions; 1 if absent.
        dtype: Of the numbers.
    """
    sizes, counts, pairs = spectra.num_nodes, spectra.num_eigvals, bands.num_pairs
    num_eigs = int(counts.sum())
    width = torch.bincount(bands.left, minlength=num_eigs)  # [sum K]
    first = width.cumsum(0) - width
    low = bands.right[first]  # every eigenpair sees itself: no window is empty
    if not torch.equal(low + width - 1, bands.right[first + width - 1]):
        return None
    graph = torch.repeat_interleave(counts)  # [sum K]
    eig, pair = _starts(counts), _starts(pairs)
    low = low - eig[graph]
    degree = torch.bincount(edge_index[0], minlength=int(sizes.sum()))
    return Plan(
        node=_starts(sizes),
        eig=eig,
        pair=pair,
        row1=_starts(sizes * counts),
        row2=_starts(sizes * pairs),
        low=low.int(),
        high=(low + width).int(),
        first=(first - pair[graph]).int(),
        rho2=bands.rho.square().to(dtype),
        start=_starts(degree),
        neighbour=edge_index[1].contiguous(),
        weight=None if edge_weight is None else edge_weight.to(dtype).contiguous(),
    )


def _starts(counts: Tensor) -> Tensor:
    return torch.cat([counts.new_zeros(1), counts.cumsum(0)])
