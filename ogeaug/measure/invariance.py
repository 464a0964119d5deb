"""How much an encoding changes under what must not change it: numbers, no verdicts."""

import torch
from torch import Generator, Tensor, nn
from torch_geometric.data import Data

from ogeaug.spectrum.solve import SpectrumOptions, compute_spectrum
from ogeaug.spectrum.spectra import Spectrum
from ogeaug.spectrum.spectral_data import attach_spectrum
from ogeaug.walks.stored import STATISTICS

STORED_KEYS = (
    *("eigvals", "eigvecs", "eigval_cutoff", "spectrum_recipe"),
    *STATISTICS,
    *(f"{key}_digest" for key in STATISTICS),
)


def permutation_error(encoding: nn.Module, data: Data, generator: Generator | None = None) -> float:
    r"""Relative change under a random renumbering of the nodes, with spectra computed anew.

    .. math:: \max |Z(P G) - P Z(G)| \, / \, \max |Z(G)|

    Args:
        encoding: In eval mode, or its own randomness counts as error.
        data: One graph.
        generator: Of the permutation.

    Example:
        >>> from ogeaug import OGEAug
        >>> path = Data(edge_index=torch.tensor([[0, 1, 2], [1, 2, 3]]), num_nodes=4)
        >>> encode = OGEAug(8, hidden_channels=8).double().eval()
        >>> permutation_error(encode, path) < 1e-9
        True
    """
    plain = without_spectrum(data)
    perm = torch.randperm(data.num_nodes, generator=generator)
    before = _encode(encoding, plain)
    after = _encode(encoding, permute_nodes(plain, perm))
    on_edges = getattr(encoding, "level", "node") == "edge"  # the edges keep their order
    return _relative(after, before if on_edges else before[perm])


def basis_error(encoding: nn.Module, data: Data, generator: Generator | None = None) -> float:
    r"""Relative change under a random orthogonal map inside every eigenspace.

    Args:
        encoding: In eval mode; its ``spectrum`` options, if any, are used.
        data: One graph.
        generator: Of the orthogonal maps.
    """
    spectrum = own_spectrum(encoding, data)
    return _relative(
        _encode(encoding, with_spectrum(data, change_basis(spectrum, generator))),
        _encode(encoding, with_spectrum(data, spectrum)),
    )


def sign_error(encoding: nn.Module, data: Data, generator: Generator | None = None) -> float:
    """Relative change under random signs of the eigenvectors; arguments as in basis_error."""
    spectrum = own_spectrum(encoding, data)
    signs = torch.randint(0, 2, (spectrum.num_eigvals,), generator=generator) * 2 - 1
    flipped = Spectrum(spectrum.eigvals, spectrum.eigvecs * signs, spectrum.cutoff)
    return _relative(
        _encode(encoding, with_spectrum(data, flipped)),
        _encode(encoding, with_spectrum(data, spectrum)),
    )


def permute_nodes(data: Data, perm: Tensor) -> Data:
    """The same graph with node ``perm[i]`` in place i; a stored spectrum is dropped.

    Shapes:
        - n nodes, perm ``[n]`` -> n nodes
    """
    out = without_spectrum(data)
    place = torch.empty_like(perm)
    place[perm] = torch.arange(len(perm))
    for key, value in out.to_dict().items():
        if key != "edge_index" and isinstance(value, Tensor) and out.is_node_attr(key):
            out[key] = value[perm]
    out.edge_index = place[data.edge_index]
    return out


def change_basis(spectrum: Spectrum, generator: Generator | None = None) -> Spectrum:
    """Turns each eigenspace by a random orthogonal matrix Q."""
    eigvecs = spectrum.eigvecs.clone()
    for columns in spectrum.eigenspaces():
        p = columns.stop - columns.start
        Q = torch.linalg.qr(torch.randn(p, p, dtype=eigvecs.dtype, generator=generator)).Q
        signs = torch.randint(0, 2, (p,), generator=generator) * 2 - 1  # QR prefers some signs
        eigvecs[:, columns] = eigvecs[:, columns] @ (Q * signs)
    return Spectrum(spectrum.eigvals, eigvecs, spectrum.cutoff)


def without_spectrum(data: Data) -> Data:
    """A copy of the graph without what AddSpectrum, AddRandomWalk and AddHodge add."""
    kept = {key: value for key, value in data.to_dict().items() if key not in STORED_KEYS}
    return Data.from_dict(kept | {"num_nodes": data.num_nodes})


def with_spectrum(data: Data, spectrum: Spectrum) -> Data:
    """A copy of the graph with this spectrum in place of its own."""
    return attach_spectrum(without_spectrum(data), spectrum)


def own_spectrum(encoding: nn.Module, data: Data) -> Spectrum:
    """The spectrum that an encoding would compute for a graph."""
    options = getattr(encoding, "spectrum", SpectrumOptions())
    return compute_spectrum(
        data.edge_index,
        data.num_nodes,
        data.get("edge_weight", None),
        k=options.k,
        normalization=options.normalization,
        directed=options.directed,
    )


@torch.no_grad()
def _encode(encoding: nn.Module, data: Data) -> Tensor:
    return encoding(data)


def _relative(found: Tensor, expected: Tensor) -> float:
    if expected.numel() == 0:  # an edge encoding of a graph without edges
        return 0.0
    scale = float(expected.abs().max())
    return float((found - expected).abs().max()) / (scale if scale > 0 else 1.0)
