"""Spectra of Laplacians that are learned: with gradients, cut and disturbed like all others."""

from dataclasses import replace
from itertools import accumulate

import torch
from torch import Tensor

from ogeaug.spectrum.differentiable import differentiable_eigh
from ogeaug.spectrum.noise import draw
from ogeaug.spectrum.options import Disturbance
from ogeaug.spectrum.spectra import Spectrum, SpectrumBatch
from ogeaug.spectrum.truncate import truncate_one


def learned_spectra(
    laplacians: list[Tensor],
    ks: list[int | None],
    disturbance: Disturbance = Disturbance(),  # noqa: B008 (frozen)
) -> tuple[SpectrumBatch, tuple[SpectrumBatch, SpectrumBatch]]:
    """The spectra of some matrices, and those beside them that carry the gradients.

    The gradient of a function of them is the mean of its gradients at the two beside; see
    :mod:`ogeaug.spectrum.differentiable`. Cutoffs have gradients, too.

    Args:
        laplacians: Symmetric, one per graph.
        ks: How many eigenpairs to keep of each (:mod:`ogeaug.spectrum.truncate`); None for all.
        disturbance: Noise and permutation of training, drawn from torch's generator.

    Shapes:
        - B matrices ``[n, n]`` -> B spectra, three times

    Example:
        >>> L = torch.tensor([[1.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 1.0]])
        >>> spectra, _ = learned_spectra([L], [2])
        >>> spectra.eigvals.abs().round(decimals=6), spectra.cutoff.round(decimals=6)
        (tensor([0., 1.], dtype=torch.float64), tensor([3.], dtype=torch.float64))
    """
    sizes = [len(laplacian) for laplacian in laplacians]
    drawn = draw(sizes, disturbance.noise, disturbance.permute)
    places = [None] * len(sizes) if drawn.place is None else drawn.place.split(sizes)
    ends = list(accumulate(n * (n + 1) // 2 for n in sizes))
    exact, beside = list[Spectrum](), list[tuple[Spectrum, Spectrum]]()
    cutoffs = list[tuple[Tensor, Tensor]]()
    for laplacian, k, place, end in zip(laplacians, ks, places, ends, strict=True):
        n, matrix = len(laplacian), laplacian.double()
        if place is not None:
            order = place.argsort()
            matrix = matrix[order][:, order]
        if drawn.noise is not None:
            lower = torch.zeros(n, n, dtype=torch.float64)
            i, j = torch.tril_indices(n, n)
            lower[i, j] = drawn.noise[end - len(i) : end].double() * drawn.scale
            matrix = matrix + (lower + lower.tril(-1).T).to(matrix.device)
        pairs = differentiable_eigh(matrix)
        back = torch.arange(n) if place is None else place
        whole = Spectrum(pairs.eigvals, pairs.eigvecs[back], float("inf"))
        cut = truncate_one(whole, k)
        kept = cut.num_eigvals
        exact.append(cut)
        one, two = (
            Spectrum(values[:kept], vectors[back][:, :kept], cut.cutoff)
            for values, vectors in pairs.beside
        )
        beside.append((one, two))
        # Where the cutoff is an eigenvalue, it moves with it.
        follows = kept < n and abs(float(pairs.eigvals[kept]) - cut.cutoff) < 1e-8 * cut.cutoff
        left, right = (
            values[kept] if follows else values.new_tensor(cut.cutoff) for values, _ in pairs.beside
        )
        cutoffs.append((left, right))
    sides = [
        replace(SpectrumBatch.stack(list(side)), cutoff=torch.stack(cutoff))
        for side, cutoff in zip(zip(*beside, strict=True), zip(*cutoffs, strict=True), strict=True)
    ]
    return SpectrumBatch.stack(exact), (sides[0], sides[1])
