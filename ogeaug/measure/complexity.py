"""Time and memory of an encoding against the number of nodes and against the multiplicity."""

import ctypes
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
import torch
from torch import nn
from torch_geometric.data import Data

from ogeaug.encodings.base import Encoding
from ogeaug.measure.named_graphs import from_networkx
from ogeaug.spectrum.bands import find_bands
from ogeaug.spectrum.spectra import Spectrum
from ogeaug.transforms.add_spectrum import AddSpectrum

STATUS = Path("/proc/self/status")
RESET = Path("/proc/self/clear_refs")


@dataclass(frozen=True)
class Cost:
    """What one forward pass takes.

    Attributes:
        nodes, edges: Of the graph; edges are counted once.
        multiplicity: The largest of an eigenvalue.
        seconds: Processor time of the fastest of several passes; the spectrum is not included.
        mebibytes: Growth of the resident memory at its peak; NaN where Linux's /proc is missing.
        within: The most eigenvalues within delta of one; of an encoding without a smoothing, the
            largest multiplicity.
    """

    nodes: int
    edges: int
    multiplicity: int
    seconds: float
    mebibytes: float
    within: int

    @property
    def paper(self) -> int:
        r"""The paper's count, :math:`(n^2 \mu + m) \mu` with the largest multiplicity."""
        return (self.nodes**2 * self.multiplicity + self.edges) * self.multiplicity

    @property
    def counted(self) -> int:
        r"""The same with what is there: :math:`(n^2 \mu + m n) \mu`.

        :math:`\mu` counts eigenvalues within delta, and an edge carries the :math:`n \mu` numbers
        of order 2.
        """
        return (self.nodes**2 * self.within + self.edges * self.nodes) * self.within


def growing_cycles(sizes: Iterable[int] = (25, 50, 100, 200)) -> Iterator[Data]:
    """Cycles: the multiplicity stays 2 while n grows."""
    return (from_networkx(nx.cycle_graph(n)) for n in sizes)


def growing_multiplicity(
    nodes: int = 60, multiplicities: Iterable[int] = (1, 2, 4, 10, 20, 30)
) -> Iterator[Data]:
    """Equal paths side by side: n stays, their number is the multiplicity of each eigenvalue."""
    for m in multiplicities:
        if nodes % m:
            raise ValueError(f"{nodes} nodes cannot be shared by {m} equal paths")
        yield from_networkx(nx.disjoint_union_all([nx.path_graph(nodes // m)] * m))


@torch.no_grad()
def cost(encoding: nn.Module, data: Data, *, repeats: int = 3) -> Cost:
    """Measures a forward pass.

    Args:
        encoding: In eval mode; it must have ``spectrum`` options.
        data: One graph.
        repeats: Passes, after one to warm up.
    """
    data = AddSpectrum()(data.clone())
    longest = max(space.stop - space.start for space in _spectrum(data).eigenspaces())
    encoding(data)
    before = _resetpeak_memory()
    encoding(data)
    grown = (peak_memory() - before) / 1024
    seconds = min(_timed(encoding, data) for _ in range(repeats))
    within = longest
    if isinstance(encoding, Encoding) and hasattr(encoding, "smoothing"):
        bands = find_bands(encoding.read_spectra(data), encoding.smoothing)  # type: ignore[arg-type]
        within = int(torch.bincount(bands.left).max())
    return Cost(int(data.num_nodes or 0), data.num_edges // 2, longest, seconds, grown, within)


def _spectrum(data: Data) -> Spectrum:
    return Spectrum(data.eigvals, data.eigvecs, float("inf"))


def _timed(encoding: nn.Module, data: Data) -> float:
    start = time.process_time()
    encoding(data)
    return time.process_time() - start


def _resetpeak_memory() -> float:
    """Resets the peak of the resident memory to what is in use, and returns it in KiB."""
    if not RESET.exists():
        return float("nan")
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)  # what is free, but not given back to the system, would hide growth
    RESET.write_text("5")
    return peak_memory()


def peak_memory() -> float:
    """The most resident memory of this process so far, in KiB; NaN where it is not told."""
    if not STATUS.exists():
        return float("nan")
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return float(line.split()[1])
