r"""Eigenpairs with gradients that stay finite and right at repeated eigenvalues.

Let F be a function of the eigenpairs that does not change under a change of basis inside an
eigenspace, so that it is a function of L, and let it be smooth as such. Where all eigenvalues are
simple, with :math:`G_\lambda = \partial F / \partial \lambda`,
:math:`G_V = \partial F / \partial V` and :math:`M = V^T G_V`,

.. math::
    \frac{\partial F}{\partial L} = V \, \big( \operatorname{diag}(G_\lambda) + B \big) \, V^T,
    \qquad B_{kl} = \frac{M_{kl} - M_{lk}}{2 (\lambda_l - \lambda_k)}.

Turning :math:`v_k, v_l` into each other changes F at the rate :math:`M_{kl} - M_{lk}`, so
invariance makes the numerator vanish as :math:`\lambda_l \to \lambda_k`, and the quotient has a
limit: a mixed second derivative of F, by the angle and by the gap. For :math:`F = e(L)_{ij}` it is
:math:`e'(\lambda) (v_{ik} v_{jl} + v_{jk} v_{il}) / 2`. It is not zero, and no backward pass at the
degenerate point itself can know it: there, numerator and denominator are both zero.

So we take the gradient at two points beside it, with the same eigenvectors,

.. math:: L_\pm = V \operatorname{diag}(\lambda \pm \epsilon d) \, V^T, \qquad
    \frac{\partial F}{\partial L}(L) = \frac12 \Big( \frac{\partial F}{\partial L}(L_+) +
    \frac{\partial F}{\partial L}(L_-) \Big) + O(\epsilon^2),

where d numbers the eigenvalues of each cluster of gaps below :math:`\epsilon / 2` (0 for single
ones). In both points all gaps inside a cluster are at least :math:`\epsilon / 2`, so rounding errs
by :math:`10^{-16} / \epsilon`; with :math:`\epsilon = 10^{-5}` both errors are near
:math:`10^{-10}`. The value of F is still taken at L itself.
"""

from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

EPSILONS = (1e-5, 1.7e-5, 0.6e-5, 3e-5, 1e-4)


@dataclass(frozen=True, eq=False)
class Eigenpairs:
    """Eigenpairs of one matrix, to be used for values, and beside it, to be used for gradients.

    Attributes:
        eigvals: ``[n]`` ascending, no gradient.
        eigvecs: ``[n, n]``, no gradient.
        beside: Pairs (eigvals, eigvecs) with gradients; F's gradient is the mean of theirs.
    """

    eigvals: Tensor
    eigvecs: Tensor
    beside: tuple[tuple[Tensor, Tensor], ...]


def differentiable_eigh(matrix: Tensor) -> Eigenpairs:
    """The eigenpairs of a symmetric matrix, with what is needed for gradients.

    Args:
        matrix: Symmetric; decomposed in float64.

    Shapes:
        - matrix ``[n, n]`` -> eigvals ``[n]``, eigvecs ``[n, n]``, twice more beside

    Example:
        >>> L = torch.tensor([[1.0, -1.0], [-1.0, 1.0]], requires_grad=True)
        >>> pairs = differentiable_eigh(L)
        >>> sum(values[1] for values, _ in pairs.beside).backward()
        >>> (L.grad / 2).round(decimals=4)  # d lambda / d L = v v^T
        tensor([[ 0.5000, -0.5000],
                [-0.5000,  0.5000]])
    """
    double = matrix.double()
    eigvals, eigvecs = torch.linalg.eigh(double.detach())
    beside = []
    offset = _offsets(eigvals)
    for sign in (1.0, -1.0):
        moved, order = (eigvals + sign * offset).sort()
        beside.append(_Eigenpairs.apply(double, moved, eigvecs[:, order]))
    return Eigenpairs(eigvals, eigvecs, tuple(beside))


def _offsets(eigvals: Tensor) -> Tensor:
    """``epsilon d``, with the first epsilon that brings no two eigenvalues together."""
    scale = max(1.0, float(eigvals.abs().max())) if len(eigvals) else 1.0
    best, widest = torch.zeros_like(eigvals), -1.0
    for size in EPSILONS:
        epsilon = size * scale
        apart = eigvals.diff() > epsilon / 2
        cluster = torch.cat([apart.new_zeros(1), apart]).cumsum(0)  # [n]
        count = torch.bincount(cluster)
        first = count.cumsum(0) - count
        number = torch.arange(len(eigvals)) - first[cluster]  # [n]
        d = number - (count[cluster] - 1) / 2
        gaps = [(eigvals + s * epsilon * d).sort().values.diff() for s in (1.0, -1.0)]
        narrowest = float(torch.cat(gaps).min()) / epsilon if len(eigvals) > 1 else 1.0
        if narrowest > widest:
            best, widest = epsilon * d, narrowest
        if narrowest >= 0.25:
            break
    return best


class _Eigenpairs(torch.autograd.Function):
    """Hands out given eigenpairs; the gradient is the textbook's at these eigenvalues."""

    @staticmethod
    def forward(ctx: Any, matrix: Tensor, eigvals: Tensor, eigvecs: Tensor) -> Any:
        ctx.save_for_backward(eigvals, eigvecs)
        return eigvals.clone(), eigvecs.clone()

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, of_eigvals: Tensor, of_eigvecs: Tensor) -> Any:
        eigvals, V = ctx.saved_tensors
        M = V.T @ of_eigvecs  # [n, n]
        gap = eigvals[None, :] - eigvals[:, None]
        tiny = gap.abs() < 1e-13  # the diagonal
        B = torch.where(tiny, 0.0, (M - M.T) / (2 * torch.where(tiny, 1.0, gap)))
        return V @ (torch.diag(of_eigvals) + B) @ V.T, None, None
