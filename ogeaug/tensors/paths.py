"""The ways to compute a tensor network, best first; the first one that can does it."""

from ogeaug.tensors.blocks.path import BlockPath
from ogeaug.tensors.compiled.path import CompiledPath
from ogeaug.tensors.network import Graphs, Network, Path, Run
from ogeaug.tensors.rows.path import RowPath

PATHS: tuple[Path, ...] = (CompiledPath(), RowPath(), BlockPath())
KERNELS = ("auto", "torch", "compiled", "compiled_bf16")


def prepare(network: Network, graphs: Graphs) -> Run:
    """Lays out a batch for the first path that does it."""
    for path in PATHS:
        if (run := path.prepare(network, graphs)) is not None:
            return run
    raise RuntimeError(f"no path does order {network.order}, transposes={network.transposes}")


def check_kernel(kernel: str, order: int, transposes: bool) -> None:
    """Refuses a kernel that does not exist, or that does not do this order."""
    if kernel not in KERNELS:
        raise ValueError(f"unknown kernel {kernel!r}; choose from {', '.join(KERNELS)}")
    if kernel.startswith("compiled") and (order != 2 or transposes):
        raise ValueError("the compiled kernel is for order 2 as it is; use kernel='auto'")
