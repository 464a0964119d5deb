"""Spectra of a PyG graph or batch: those stored on it, checked, or else computed."""

import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.graph.adjacencies import adjacencies, graph_names
from ogeaug.graph.batch import check_tensors, counts_between, graph_sizes
from ogeaug.graph.edges import plain_edges
from ogeaug.spectrum.digest import digest_graphs
from ogeaug.spectrum.solve import SpectrumOptions, compute_spectra
from ogeaug.spectrum.solvers.base import SCALE
from ogeaug.spectrum.spectra import Spectrum, SpectrumBatch
from ogeaug.spectrum.spectral_data import Recipe

LARGEST_EIGVAL = 1e18
"""Its square still fits into float32; the allowed edge weights give less."""


def read_spectra(data: Data, options: SpectrumOptions, *, training: bool) -> SpectrumBatch:
    """The spectra of a graph or batch: those stored on it, or else computed now (no gradient).

    Outside training, spectra that were disturbed for training are computed again without noise.

    Args:
        data: A PyG ``Data`` or ``Batch`` with ``edge_index`` and ``num_nodes``.
        options: How to compute what is missing.
        training: Whether to use spectra with training noise.

    Shapes:
        - a batch of B graphs -> B spectra, on the device of ``edge_index``
    """
    check_tensors(data)
    sizes = graph_sizes(data)
    stored = [key for key in ("eigvals", "eigvecs") if key in data]
    if len(stored) == 1:
        raise ValueError(
            f"the data has {stored[0]} but not its partner; use AddSpectrum, or set both"
        )
    if not stored:
        return _compute(data, sizes, options)
    spectra = _stored(data, sizes)
    recipes = _recipes(data, check_batch(data, sizes)[0], options)
    if training or not any(recipe.disturbed for recipe in recipes):
        return spectra
    exact: list[Spectrum] = list(spectra)
    for made_by in {recipe.options for recipe in recipes if recipe.disturbed}:
        computed = list(_compute(data, sizes, made_by))
        for g, recipe in enumerate(recipes):
            if recipe.disturbed and recipe.options == made_by:
                exact[g] = computed[g]
    return SpectrumBatch.stack(exact)


def check_batch(data: Data, sizes: Tensor, *, tags: bool = False) -> tuple[Tensor, Tensor | None]:
    """Refuses what computing a spectrum would refuse: edges that leave their graph, bad weights.

    Returns:
        The digests ``[B]`` of the graphs, and if asked for the tags ``[E]`` of the edges; see
        :mod:`ogeaug.spectrum.digest`.
    """
    edges, weight = plain_edges(data.edge_index), data.get("edge_weight", None)
    found = digest_graphs(edges, sizes, weight, tags=tags)
    if found is None:
        adjacencies(data.edge_index, sizes, weight)  # names the culprit
        raise ValueError("edge_index or edge_weight do not describe the graphs of this batch")
    return found


def _compute(data: Data, sizes: Tensor, options: SpectrumOptions) -> SpectrumBatch:
    edges, weight = data.edge_index, data.get("edge_weight", None)
    return compute_spectra(edges, sizes, weight, options).to(edges.device)


def _recipes(data: Data, digests: Tensor, options: SpectrumOptions) -> list[Recipe]:
    """How each stored spectrum was made; none for those that a user made by hand."""
    table = data.get("spectrum_recipe", None)
    if table is None:
        return []
    recipes = [Recipe.from_row(row) for row in table.tolist()]
    wanted = options.normalization
    other = [r for r in recipes if wanted is not None and r.options.normalization != wanted]
    if other:
        raise ValueError(
            f"the encoding wants normalization={wanted!r}, the stored spectrum has "
            f"{other[0].options.normalization!r}; use AddSpectrum(normalization={wanted!r})"
        )
    if len(recipes) != len(digests):
        raise UserError(
            f"the stored spectra are of {len(recipes)} graph(s), the data has {len(digests)}; use "
            "Batch.from_data_list or a PyG DataLoader, or compute them again by AddSpectrum"
        )
    found = digests.tolist()
    changed = [g for g, r in enumerate(recipes) if r.graph < 0 and r.graph != found[g]]
    if any(r.graph >= 0 for r in recipes):
        changed += _other_number_of_edges(data, [r.graph for r in recipes])
    if changed:
        (name,) = graph_names(changed[:1], len(recipes))
        raise UserError(
            f"{name} was changed after AddSpectrum: its nodes, edges or edge weights are not those "
            "of the stored spectrum. Add the spectrum last, after all that changes the graph (or "
            "delete data.eigvals, data.eigvecs and data.spectrum_recipe: encodings compute what "
            "is not there)"
        )
    return recipes


def _other_number_of_edges(data: Data, expected: list[int]) -> list[int]:
    """The graphs that have not the number of edges that earlier versions stored."""
    ends = graph_sizes(data).cumsum(0)
    owner = torch.bucketize(plain_edges(data.edge_index)[0].cpu(), ends, right=True)
    counts = torch.bincount(owner, minlength=len(ends)).tolist()
    return [g for g, number in enumerate(expected) if number >= 0 and number != counts[g]]


def _stored(data: Data, sizes: Tensor) -> SpectrumBatch:
    eigvals, flat = data["eigvals"].flatten(), data["eigvecs"].flatten()
    if eigvals.is_complex() or flat.is_complex():
        raise TypeError("eigvals and eigvecs of a Laplacian are real, got complex numbers")
    # The smallest of the whole numbers has no absolute value, and would pass for a small one.
    eigvals, flat = (t if t.is_floating_point() else t.double() for t in (eigvals, flat))
    counts = _eigvals_per_graph(data, sizes, eigvals)
    fits = int(counts.sum()) == eigvals.numel() and not (counts > sizes).any()
    if not fits or int((sizes * counts).sum()) != flat.numel():
        raise ValueError(
            f"eigvals ({eigvals.numel()}) and eigvecs ({list(data['eigvecs'].shape)}) do not fit "
            f"{len(sizes)} graph(s) with {int(sizes.sum())} nodes: [n, K] eigenvectors with K <= n "
            "are expected for each. Was the graph changed after AddSpectrum? Add the spectrum last"
        )
    # Not NaN, and not so large that features would be.
    if not ((eigvals.abs() <= LARGEST_EIGVAL).all() and (flat.abs() <= SCALE).all()):
        raise ValueError(
            "eigvals or eigvecs hold NaN or infinity, or numbers beyond "
            f"{LARGEST_EIGVAL:g} and {SCALE:g}; compute them by AddSpectrum"
        )
    graph = torch.repeat_interleave(counts).to(eigvals.device)
    falls = (eigvals.diff() < -1e-9 * eigvals.abs().clamp(min=1)[1:]) & (graph.diff() == 0)
    if falls.any():
        at = int(graph[int(falls.int().argmax())])
        raise ValueError(f"eigvals of graph {at} do not ascend; sort them and their eigenvectors")
    cutoff = data.get("eigval_cutoff", None)
    if cutoff is None:
        truncated = (counts < sizes).nonzero().flatten().tolist()
        if truncated:
            raise ValueError(
                f"graph {truncated[0]} has {int(counts[truncated[0]])} eigenpairs for "
                f"{int(sizes[truncated[0]])} nodes, but no data.eigval_cutoff, the first "
                "eigenvalue left out; use AddSpectrum(k=...), or set it (infinity: never fade)"
            )
        cutoff = eigvals.new_full((len(sizes),), float("inf"))
    if cutoff.numel() != len(sizes):
        raise ValueError(f"eigval_cutoff must be [{len(sizes)}], got {list(cutoff.shape)}")
    if cutoff.isnan().any():
        raise ValueError("eigval_cutoff holds NaN; infinity says that nothing was left out")
    return SpectrumBatch(eigvals, flat, cutoff.flatten(), sizes, counts)


def _eigvals_per_graph(data: Data, sizes: Tensor, eigvals: Tensor) -> Tensor:
    if len(sizes) == 1:
        return torch.tensor([eigvals.numel()], device="cpu")
    slices = getattr(data, "_slice_dict", {}).get("eigvals")
    if slices is not None and len(slices) == len(sizes) + 1:
        return counts_between(slices, "the batch's list of eigvals")
    if eigvals.numel() == int(sizes.sum()):  # full spectra
        return sizes
    raise ValueError(
        "this batch does not tell which eigvals belong to which graph; build it by "
        "Batch.from_data_list or a PyG DataLoader"
    )
