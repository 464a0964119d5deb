"""The network on dense blocks, by PyTorch: a tensor per node and cluster of eigenvalues."""

from collections.abc import Sequence

from torch import Tensor

from ogeaug.tensors.blocks.layout import lay_out_blocks, start_blocks
from ogeaug.tensors.memory import check_memory
from ogeaug.tensors.network import First, Graphs, Network, Run, run_pairs


class BlockPath:
    """Orders 2 to 4 with transposes, on any device, with gradients for the spectrum."""

    def prepare(self, network: Network, graphs: Graphs) -> Run | None:
        if not network.transposes:
            return None
        spectra, smoothing, weight = graphs.spectra, network.smoothing, network.weight
        edges, edge_weight = graphs.message_edges(network.message_norm)
        check_memory(spectra, smoothing, network.order, weight.size(-1), weight.dtype)
        layout = lay_out_blocks(spectra, edges, edge_weight, smoothing, weight.dtype)

        def run(first: First) -> Sequence[Tensor]:
            w = start_blocks(first.w0, first.eigvecs, first.scale, first.e, first.q, layout)
            return run_pairs(network, w, layout)

        return run
