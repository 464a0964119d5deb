"""V diag(phi) V^T of all graphs of a batch, in few blocks of matrices of about one size."""

import torch
from torch import Tensor

from ogeaug.ragged import ragged_arange
from ogeaug.spectrum.spectra import SpectrumBatch

PADDING = 1.5
"""How much larger a block's matrices are than its smallest one, at most."""


def sandwich(spectra: SpectrumBatch, phi: Tensor) -> Tensor:
    """The matrices V diag(phi_l) V^T of each graph, its entries row by row.

    Graphs of about one size share a block, filled up with zeros: a product per block, not per
    graph.

    Shapes:
        - B spectra, phi ``[sum K, m]`` -> ``[sum n^2, m]``
    """
    device, m = phi.device, phi.size(1)
    sizes, counts = spectra.num_nodes, spectra.num_eigvals  # on the CPU
    first_eig, first_entry = counts.cumsum(0) - counts, (sizes * counts).cumsum(0) - sizes * counts
    products, first, width, taken = [phi.new_zeros(0, m)], sizes.clone(), sizes.clone(), 0
    for graphs in _blocks(sizes):
        n, K = sizes[graphs], counts[graphs].unsqueeze(1)  # [b], [b, 1]
        most, wide = int(n.max()), int(K.max())
        node, column = torch.arange(most, device="cpu"), torch.arange(wide, device="cpu")
        outside = column >= K  # [b, wide]
        eig = (first_eig[graphs, None] + column).masked_fill_(outside, 0)
        entry = first_entry[graphs, None, None] + (node * K).unsqueeze(2) + column
        outside = outside.unsqueeze(1) | (node >= n[:, None]).unsqueeze(2)  # [b, most, wide]
        V = spectra.eigvecs.to(phi.dtype)[entry.masked_fill_(outside, 0).to(device)]
        V = V.masked_fill(outside.to(device), 0)
        right = V.transpose(1, 2).unsqueeze(3) * phi[eig.to(device)].unsqueeze(2)
        products.append((V @ right.flatten(2)).view(-1, m))  # [b most^2, m]
        first[graphs] = taken + most**2 * torch.arange(len(graphs), device="cpu")
        width[graphs] = most
        taken += most**2 * len(graphs)
    area = sizes * sizes
    graph, entry = torch.repeat_interleave(area), ragged_arange(area)  # [sum n^2]
    row = entry.div(sizes[graph], rounding_mode="floor")
    place = first[graph] + entry + row * (width - sizes)[graph]
    return torch.cat(products).index_select(0, place.to(device))


def _blocks(sizes: Tensor) -> list[Tensor]:
    """Graphs ``[b]`` of about one size, smallest first; those without nodes are left out."""
    order = sizes.argsort()
    order = order[sizes[order] > 0]
    bounds: list[int] = []
    first = 0
    for i, size in enumerate(sizes[order].tolist()):
        if not bounds or size > PADDING * first:
            bounds.append(i)
            first = size
    return list(order.tensor_split(bounds[1:])) if bounds else []
