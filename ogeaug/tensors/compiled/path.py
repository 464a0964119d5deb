"""The network by the compiled core."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import torch
from torch import Tensor

from ogeaug.graph.edges import neighbours
from ogeaug.native import build
from ogeaug.tensors.compiled.functions import Start
from ogeaug.tensors.compiled.layers import pair
from ogeaug.tensors.compiled.layout import CoreLayout, lay_out_core
from ogeaug.tensors.compiled.neighbours import Neighbours, list_neighbours, neighbours_of_sorted
from ogeaug.tensors.memory import check_bytes
from ogeaug.tensors.network import First, Graphs, Network, Run
from ogeaug.tensors.recompute import KEEP_LAYERS, run_steps
from ogeaug.tensors.rows.message import normalize_messages


class CompiledPath:
    """Order 2 without transposes, on CPUs, without gradients for the spectrum.

    Large tensors are not kept for the backward pass but computed again
    (:func:`~ogeaug.tensors.recompute.run_steps`); with a batch norm they are kept, since its
    running statistics would count the batch twice.
    """

    def prepare(self, network: Network, graphs: Graphs) -> Run | None:
        if (
            network.order != 2
            or network.transposes
            or not at_hand(network.weight, graphs, network.kernel)
        ):
            return None
        layout = lay_out_batch(network, graphs)
        if layout is None:
            return None
        spectra, channels = graphs.spectra, network.weight.size(-1)
        least = 2 * layout.row_bytes(channels)  # what goes into a layer and comes out
        if least > KEEP_LAYERS:
            check_bytes(least, spectra, network.smoothing, network.order, channels)
        kept = len(network.products) * least

        def run(first: First) -> Sequence[Tensor]:
            both = zip(network.products, network.messages, strict=True)
            pairs = [partial(pair, product, message, layout) for product, message in both]
            (q,) = first.q

            def start(w0: Tensor, e: Tensor) -> tuple[Tensor, ...]:
                return pairs[0](w0, *Start.apply(layout, first.eigvecs, first.scale, e, q))

            again = kept > KEEP_LAYERS and network.norm != "batch" and torch.is_grad_enabled()
            return run_steps([start, *pairs[1:]], first.w0, first.e, recompute=again)

        return run


def lay_out_batch(network: Network, graphs: Graphs) -> CoreLayout | None:
    """The layout of a batch for the core; None if its windows have holes, which PyTorch can do."""
    found = list_batch_neighbours(graphs)
    if network.message_norm is not None:
        source = torch.repeat_interleave(found.start.diff())
        weight = normalize_messages(source, found.neighbour, found.weight, graphs.num_nodes)
        found = replace(found, weight=weight)
    half = network.kernel == "compiled_bf16"
    return lay_out_core(graphs.spectra, network.smoothing, found, network.weight.dtype, half=half)


def list_batch_neighbours(graphs: Graphs) -> Neighbours:
    """The neighbours of each node of a batch, in both directions with the same weight."""
    num_nodes = graphs.num_nodes
    found = list_neighbours(graphs.edge_index, num_nodes, graphs.edge_weight)
    if found is None:
        edges, weight = neighbours(graphs.edge_index, num_nodes, graphs.edge_weight)
        found = neighbours_of_sorted(edges, num_nodes, weight)
    return found


def at_hand(weight: Tensor, graphs: Graphs, kernel: str) -> bool:
    """Whether the core is there and fit for the precision, the device and the gradients.

    Args:
        weight: A parameter ``[..., h, h]``.
        graphs: The batch.
        kernel: What the user asks for; if it is the core, an error says why it is not.
    """
    if kernel == "torch":
        return False
    constant = (graphs.spectra.eigvals, graphs.spectra.eigvecs, graphs.edge_weight)
    unfit = None
    if weight.device.type != "cpu":
        unfit = f"is for CPUs, and the encoding is on {weight.device}"
    elif weight.dtype not in (torch.float32, torch.float64):
        unfit = f"is for float32 and float64, and the encoding is {weight.dtype}"
    elif any(t is not None and t.requires_grad for t in constant):
        unfit = "gives no gradients for eigenvalues, eigenvectors and edge weights"
    if kernel == "auto":
        return unfit is None and build.available()
    if unfit is not None:
        raise ValueError(f"the compiled kernel {unfit}; use kernel='auto' or 'torch'")
    core = build.load_core()
    if kernel == "compiled_bf16":
        _check_half(core.bf16_channels(), weight)
    return True


def _check_half(multiple: int, weight: Tensor) -> None:
    if not multiple or weight.size(-1) % multiple or weight.dtype != torch.float32:
        raise ValueError(
            "kernel='compiled_bf16' needs a processor with AVX512-BF16 "
            f"({'this is one' if multiple else 'this is none'}), float32 (this is "
            f"{weight.dtype}) and hidden_channels in multiples of 64 (these are "
            f"{weight.size(-1)}); use kernel='auto'"
        )
