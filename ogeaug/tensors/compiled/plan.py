"""The plan of a batch for the compiled layers: sizes, windows and neighbours."""

import ctypes
from dataclasses import dataclass

import torch
from torch import Tensor

from ogeaug.native.build import load_core
from ogeaug.native.struct import call, fields
from ogeaug.spectrum.record import SpectrumBatch
from ogeaug.spectrum.smoothing import Smoothing
from ogeaug.tensors.compiled.neighbours import Neighbours


class CPlan(ctypes.Structure):
    """``struct Plan`` of ``native/src/plan.h``."""

    _fields_ = fields(
        "node eig pair row1 row2 low high first rho2 start neighbour weight",
        graphs=ctypes.c_int64,
        channels=ctypes.c_int64,
        threads=ctypes.c_int64,
    )


class WindowArgs(ctypes.Structure):
    """``struct WindowArgs`` of ``native/src/windows.h``."""

    _fields_ = fields(
        "nodes eigs node eig eigvals low high first pair row1 row2 distance rho rho2",
        graphs=ctypes.c_int64,
        reach=ctypes.c_double,
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
        half: Rows of W1 and W2 and factors of matrix products in bfloat16, sums in float32.
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
    half: bool = False

    @property
    def num_rows(self) -> tuple[int, int, int]:
        """The rows of W0, W1 and W2."""
        return int(self.node[-1]), int(self.row1[-1]), int(self.row2[-1])

    @property
    def row_dtype(self) -> torch.dtype:
        """How the rows of W1 and W2 are stored."""
        return torch.bfloat16 if self.half else self.rho2.dtype

    def row_bytes(self, channels: int) -> int:
        """Of W1 and W2 together."""
        return sum(self.num_rows[1:]) * channels * self.row_dtype.itemsize

    def to_c(self, channels: int) -> CPlan:
        """For a call of the core; valid as long as this plan is."""
        c = CPlan(len(self.node) - 1, channels, torch.get_num_threads())
        for name, value in vars(self).items():
            if isinstance(value, Tensor):
                setattr(c, name, value.data_ptr())
        return c


def make_plan(
    spectra: SpectrumBatch,
    smoothing: Smoothing,
    neighbours: Neighbours,
    dtype: torch.dtype,
    *,
    half: bool = False,
) -> Plan | None:
    """The plan of a batch, or None if some eigenpair sees others that do not lie together.

    The pairs are those of :func:`ogeaug.spectrum.bands.find_bands`.

    Args:
        spectra: The eigenpairs.
        smoothing: Who sees whom.
        neighbours: Of each node, in both directions with the same weight.
        dtype: Of the numbers.
        half: Rows of W1 and W2 and factors of matrix products in bfloat16, sums in float32.
    """
    core = load_core()
    sizes, counts = spectra.num_nodes.contiguous(), spectra.num_eigvals.contiguous()
    eigvals = spectra.eigvals.double().contiguous()
    starts = {
        name: sizes.new_empty(len(sizes) + 1) for name in ("node", "eig", "pair", "row1", "row2")
    }
    windows = {
        name: torch.empty(len(eigvals), dtype=torch.int32) for name in ("low", "high", "first")
    }
    arguments = WindowArgs(len(counts), smoothing.delta * (1 + 1e-6))
    inputs = {"nodes": sizes, "eigs": counts, "eigvals": eigvals}
    for name, tensor in (inputs | starts | windows).items():
        setattr(arguments, name, tensor.data_ptr())
    total = call(core, "find_windows", arguments)
    distance = torch.empty(total, dtype=torch.float64)
    arguments.distance = distance.data_ptr()
    call(core, "window_distances", arguments)
    rho = smoothing(distance).contiguous()
    arguments.rho, arguments.rho2 = rho.data_ptr(), distance.data_ptr()
    total = call(core, "trim_windows", arguments)
    if total < 0:
        return None
    weight = neighbours.weight
    plan = Plan(
        **starts,
        **windows,
        rho2=distance[:total].to(dtype),
        start=neighbours.start,
        neighbour=neighbours.neighbour,
        weight=None if weight is None else weight.to(dtype).contiguous(),
        half=half,
    )
    _check_neighbours(plan)
    return plan


def _check_neighbours(plan: Plan) -> None:
    """The core follows edges blindly, so that they must stay in their graphs."""
    total = int(plan.node[-1])
    if len(plan.start) - 1 != total:
        raise ValueError(f"the data has {len(plan.start) - 1} nodes, its graphs have {total}")
    at = call(load_core(), "foreign_neighbour", plan.to_c(0))
    if at >= 0:
        raise ValueError(
            f"node {at} has an edge to a node of another graph, or to none; are edge_index and "
            "the batch vector right?"
        )
