"""The layout of a batch for the compiled layers: sizes, windows and neighbours."""

import ctypes
import functools
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from ogeaug.native.gate import KINDS, Struct, call
from ogeaug.spectrum.smoothing import Smoothing
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.compiled.neighbours import Neighbours

LAYOUT = Struct(
    "node:int64:B+1 eig:int64:B+1 pair:int64:B+1 row1:int64:B+1 row2:int64:B+1 low:int32:K "
    "high:int32:K first:int32:K rho2:T:P start:int64:N+1 neighbour:int64:E weight:T:E",
    graphs=ctypes.c_int64,
    channels=ctypes.c_int64,
    threads=ctypes.c_int64,
    nodes=ctypes.c_int64,
    eigs=ctypes.c_int64,
    pairs=ctypes.c_int64,
    edges=ctypes.c_int64,
)
"""``struct Layout`` of ``native/src/layout.h``."""
FITS, TORN, ONE_SIDED = -1, -2, -3
"""What ``check_layout`` of the same file says, if it names no node."""

WINDOWS = Struct(
    "nodes:int64:B eigs:int64:B node:int64:B+1 eig:int64:B+1 eigvals:f64:K low:int32:K "
    "high:int32:K first:int32:K pair:int64:B+1 row1:int64:B+1 row2:int64:B+1 distance:f64:P "
    "rho:f64:P rho2:f64:P",
    graphs=ctypes.c_int64,
    all_nodes=ctypes.c_int64,
    all_eigs=ctypes.c_int64,
    reach=ctypes.c_double,
)
"""``struct WindowArgs`` of ``native/src/windows.h``."""
BAD_COUNTS, TOO_MANY = -1, -2
"""What ``find_windows`` of the same file says, if it finds none."""


@dataclass(frozen=True, eq=False)
class CoreLayout:
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
    _filled: dict[tuple[int, int], Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        """The layers follow a layout blindly, so that there is none that is not whole."""
        kinds = (torch.float32,) if self.half else (torch.float32, torch.float64)
        if self.rho2.dtype not in kinds:
            raise TypeError(f"the compiled core calculates in {kinds}, not in {self.rho2.dtype}")
        found = call("check_layout_", self.to_c(0))
        if found == FITS:
            return
        if found == TORN:
            raise ValueError("the sizes, rows and lists of this layout do not fit together")
        if found == ONE_SIDED:
            raise OneSidedError("some eigenpair sees another that does not see it")
        raise ValueError(
            f"node {found} has an edge to a node of another graph, or to none; are edge_index and "
            "the batch vector right?"
        )

    @functools.cached_property
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

    def to_c(self, channels: int) -> Any:
        """For a call of the core; checked and filled once, since every layer asks for it."""
        threads = torch.get_num_threads()
        if (channels, threads) not in self._filled:
            self._filled[channels, threads] = self._fill(channels, threads)
        return self._filled[channels, threads]

    def _fill(self, channels: int, threads: int) -> Any:
        graphs, nodes = self.node.numel() - 1, self.start.numel() - 1
        eigs, pairs = self.low.numel(), self.rho2.numel()
        edges = self.neighbour.numel()
        numbers = {
            "graphs": graphs,
            "channels": channels,
            "threads": threads,
            "nodes": nodes,
            "eigs": eigs,
            "pairs": pairs,
            "edges": edges,
        }
        lengths = {"B+1": graphs + 1, "N+1": nodes + 1, "K": eigs, "P": pairs, "E": edges}
        mine = vars(self)
        tensors = {name: mine[name] for name in LAYOUT.slots}
        return LAYOUT.fill(numbers, lengths, tensors, KINDS | {"T": self.rho2.dtype})


class OneSidedError(ValueError):
    """The windows are not symmetric, so that the core cannot use them."""


def lay_out_core(
    spectra: SpectrumBatch,
    smoothing: Smoothing,
    neighbours: Neighbours,
    dtype: torch.dtype,
    *,
    half: bool = False,
) -> CoreLayout | None:
    """The layout of a batch, or None if some eigenpair sees others that do not lie together, or if
    there are too many pairs to be numbered: PyTorch does those, or says what is too large.

    The pairs are those of :func:`ogeaug.spectrum.bands.find_bands`.

    Args:
        spectra: The eigenpairs.
        smoothing: Who sees whom.
        neighbours: Of each node, in both directions with the same weight.
        dtype: Of the numbers.
        half: Rows of W1 and W2 and factors of matrix products in bfloat16, sums in float32.
    """
    nodes, count = neighbours.start.numel() - 1, spectra.eigvals.numel()
    graphs = len(spectra)
    starts = _rows(("node", "eig", "pair", "row1", "row2"), graphs + 1, torch.int64)
    windows = _rows(("low", "high", "first"), count, torch.int32)
    reach = smoothing.delta * (1 + 1e-6)
    numbers = {"graphs": graphs, "all_nodes": nodes, "all_eigs": count, "reach": reach}
    lengths = {"B": graphs, "B+1": graphs + 1, "K": count}
    inputs = {
        "nodes": spectra.num_nodes.contiguous(),
        "eigs": spectra.num_eigvals.contiguous(),
        "eigvals": spectra.eigvals.detach().double().contiguous(),
    }
    arguments = WINDOWS.fill(numbers, lengths, inputs | starts | windows)
    total = call("find_windows_", arguments)
    if total == TOO_MANY:
        return None
    if total == BAD_COUNTS:
        raise ValueError(
            f"the graphs have {spectra.num_nodes.tolist()} nodes and "
            f"{spectra.num_eigvals.tolist()} eigenvalues, but the data has {nodes} and {count}"
        )
    distance = torch.empty(total, dtype=torch.float64, device="cpu")
    pairs = {"P": total}
    WINDOWS.add(arguments, pairs, {"distance": distance})
    call("window_distances_", arguments)
    rho = smoothing(distance).double().contiguous()
    WINDOWS.add(arguments, pairs, {"rho": rho, "rho2": distance})
    total = call("trim_windows_", arguments)
    if total < 0:
        return None
    weight = neighbours.weight
    try:
        return CoreLayout(
            **starts,
            **windows,
            rho2=distance[:total].to(dtype),
            start=neighbours.start,
            neighbour=neighbours.neighbour,
            weight=None if weight is None else weight.to(dtype).contiguous(),
            half=half,
        )
    except OneSidedError:
        return None


def _rows(names: tuple[str, ...], count: int, dtype: torch.dtype) -> dict[str, Tensor]:
    """Vectors to be filled, made at once; on the CPU whatever the default device is."""
    rows = torch.empty(len(names), count, dtype=dtype, device="cpu")
    return dict(zip(names, rows.unbind(), strict=True))
