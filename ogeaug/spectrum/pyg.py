"""Spectra of a PyG graph or batch: those stored on it, checked, or else computed."""

import torch
from torch import Tensor
from torch_geometric import EdgeIndex
from torch_geometric.data import Data

from ogeaug.spectrum.adjacencies import adjacencies
from ogeaug.spectrum.eigen import SpectrumOptions, compute_spectra
from ogeaug.spectrum.record import Spectrum, SpectrumBatch
from ogeaug.spectrum.spectral_data import Recipe


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
    if not isinstance(data, Data):
        raise TypeError(f"an encoding takes a PyG Data or Batch, got {type(data).__name__}")
    if data.edge_index is None:
        raise ValueError(
            "the data has no edge_index; a graph without edges has one of shape [2, 0]"
        )
    sizes = graph_sizes(data)
    stored = [key for key in ("eigvals", "eigvecs") if key in data]
    if len(stored) == 1:
        raise ValueError(
            f"the data has {stored[0]} but not its partner; use AddSpectrum, or set both"
        )
    if not stored:
        return _compute(data, sizes, options)
    spectra = _stored(data, sizes)
    check_batch(data, sizes)
    recipes = _recipes(data, sizes, options)
    if training or not any(recipe.disturbed for recipe in recipes):
        return spectra
    exact: list[Spectrum] = list(spectra)
    for made_by in {recipe.options for recipe in recipes if recipe.disturbed}:
        computed = list(_compute(data, sizes, made_by))
        for g, recipe in enumerate(recipes):
            if recipe.disturbed and recipe.options == made_by:
                exact[g] = computed[g]
    return SpectrumBatch.stack(exact)


def check_batch(data: Data, sizes: Tensor) -> None:
    """Refuses edges that leave their graph, bad weights: what computing a spectrum would find."""
    edges, weight = plain_edges(data.edge_index), data.get("edge_weight", None)
    fine = edges.dim() == 2 and edges.size(0) == 2 and not edges.is_floating_point()
    fine = fine and (weight is None or weight.shape == edges.shape[1:])
    if fine and edges.numel():
        ends = sizes.cumsum(0).to(edges.device)
        owner = torch.bucketize(edges.contiguous(), ends, right=True)  # [2, E]
        bad = (edges < 0) | (edges >= ends[-1]) | (owner[0] != owner[1])
        if weight is not None:
            bad = bad | ~weight.isfinite()
        fine = not bool(bad.any())
    if not fine:
        adjacencies(data.edge_index, sizes, weight)  # names the culprit
        raise ValueError("edge_index or edge_weight do not describe the graphs of this batch")


def plain_edges(edge_index: Tensor) -> Tensor:
    """A plain int64 tensor, also from narrower integers and from PyG's ``EdgeIndex``."""
    edges = edge_index.as_tensor() if isinstance(edge_index, EdgeIndex) else edge_index
    return edges.long() if edges.dtype in (torch.int8, torch.int16, torch.int32) else edges


def _compute(data: Data, sizes: Tensor, options: SpectrumOptions) -> SpectrumBatch:
    edges, weight = plain_edges(data.edge_index), data.get("edge_weight", None)
    return compute_spectra(edges, sizes, weight, options).to(edges.device)


def _recipes(data: Data, sizes: Tensor, options: SpectrumOptions) -> list[Recipe]:
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
    if len(recipes) != len(sizes) or sum(r.num_edges for r in recipes) != data.edge_index.size(1):
        raise ValueError(
            f"the stored spectra are of {len(recipes)} graph(s) with "
            f"{sum(r.num_edges for r in recipes)} edges, the data has {len(sizes)} with "
            f"{data.edge_index.size(1)}: the graph was changed after AddSpectrum; add it last"
        )
    return recipes


def graph_sizes(data: Data) -> Tensor:
    """The number of nodes of each graph ``[B]``, on the CPU."""
    if data.num_nodes is None:
        raise ValueError("the data does not tell its number of nodes; set data.num_nodes")
    if data.get("ptr", None) is not None:
        return _checked(counts_between(data["ptr"], "data.ptr"), data)
    if data.get("batch", None) is None:
        return torch.tensor([data.num_nodes], device="cpu")
    batch = whole_numbers(data["batch"], "data.batch")
    if (batch.diff() < 0).any() or (batch[:1] < 0).any():
        raise ValueError("the batch vector must ascend from 0: the nodes of a graph stand together")
    if batch.numel() and int(batch[-1]) > MOST_EMPTY * batch.numel():
        raise ValueError(
            f"the batch vector names graph {int(batch[-1])}, but there are only {batch.numel()} "
            "nodes; number the graphs from 0"
        )
    return _checked(torch.bincount(batch), data)


def _checked(sizes: Tensor, data: Data) -> Tensor:
    if int(sizes.sum()) != data.num_nodes:
        raise ValueError(
            f"batch or ptr speak of {int(sizes.sum())} nodes, the data of {data.num_nodes}"
        )
    return sizes


MOST_EMPTY = 1000
"""Graphs that a batch vector may name for each node: more are a mistake, and fill the memory."""


def whole_numbers(numbers: Tensor, name: str) -> Tensor:
    """An int64 vector on the CPU, from any integers; refuses all else."""
    if not isinstance(numbers, Tensor):
        raise TypeError(f"{name} must be a tensor, got {type(numbers).__name__}")
    if numbers.is_floating_point() or numbers.is_complex() or numbers.dtype == torch.bool:
        raise TypeError(f"{name} must hold whole numbers, got {numbers.dtype}")
    if numbers.dim() != 1:
        raise ValueError(f"{name} must be a vector, got {list(numbers.shape)}")
    return numbers.detach().cpu().long()


def counts_between(bounds: Tensor, name: str) -> Tensor:
    """How many things lie between bounds that ascend from 0.

    Shapes:
        - bounds ``[B + 1]`` of any integers -> ``[B]`` int64, on the CPU

    Example:
        >>> counts_between(torch.tensor([0, 2, 5], dtype=torch.int32), "data.ptr")
        tensor([2, 3])
    """
    bounds = whole_numbers(bounds, name)
    counts = bounds.diff()
    if bounds.numel() == 0 or int(bounds[0]) != 0 or (counts < 0).any():
        raise ValueError(
            f"{name} must ascend from 0, one bound more than there are graphs; got "
            f"{bounds.numel()} bounds: {bounds[:5].tolist()} ..."
        )
    return counts


def _stored(data: Data, sizes: Tensor) -> SpectrumBatch:
    eigvals, flat = data["eigvals"].flatten(), data["eigvecs"].flatten()
    if eigvals.is_complex() or flat.is_complex():
        raise TypeError("eigvals and eigvecs of a Laplacian are real, got complex numbers")
    counts = _eigvals_per_graph(data, sizes, eigvals)
    fits = int(counts.sum()) == eigvals.numel() and not (counts > sizes).any()
    if not fits or int((sizes * counts).sum()) != flat.numel():
        raise ValueError(
            f"eigvals ({eigvals.numel()}) and eigvecs ({list(data['eigvecs'].shape)}) do not fit "
            f"{len(sizes)} graph(s) with {int(sizes.sum())} nodes: [n, K] eigenvectors with K <= n "
            "are expected for each. Was the graph changed after AddSpectrum? Add the spectrum last"
        )
    if not (eigvals.isfinite().all() and flat.isfinite().all()):
        raise ValueError("eigvals or eigvecs hold NaN or infinity; compute them by AddSpectrum")
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
