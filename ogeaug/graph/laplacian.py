"""From adjacency to Laplacians: dense, symmetric, float64."""

from typing import Literal

import numpy as np

from ogeaug.graph.edges import Floats

Normalization = Literal["sym", "rw"]


def laplacian(adjacency: Floats, normalization: Normalization | None = None) -> Floats:
    r"""The symmetric matrix to decompose, for one graph or a stack of equal size.

    ``None`` gives :math:`L = D - A`. ``"sym"`` and ``"rw"`` both give
    :math:`D^{-1/2} (D - A) D^{-1/2}`: it is similar to the random-walk Laplacian
    :math:`I - D^{-1} A`, whose eigenvectors :func:`random_walk_scale` recovers from it. A node
    without edges has a zero row, so that the multiplicity of 0 counts the components.

    Shapes:
        - adjacency ``[..., n, n]`` -> ``[..., n, n]``
    """
    degree = adjacency.sum(-1)  # [..., n]
    matrix = -adjacency
    diagonal = np.einsum("...ii->...i", matrix)
    diagonal += degree
    if normalization is None:
        return matrix
    scale = inverse_sqrt(degree)
    return matrix * scale[..., :, None] * scale[..., None, :]


def random_walk_scale(adjacency: Floats) -> Floats:
    r"""Row factors that turn eigenvectors of the normalised Laplacian into random-walk ones.

    If :math:`D^{-1/2} (D - A) D^{-1/2} u = \lambda u`, then :math:`D^{-1/2} u` is an eigenvector
    of :math:`I - D^{-1} A`. All columns get one common factor, the root of the mean degree, which
    keeps the invariance under a change of basis (a norm for each column would break it) and gives
    orthonormal vectors on regular graphs; otherwise they are orthonormal with respect to
    :math:`D / \bar d`.

    Shapes:
        - adjacency ``[..., n, n]`` -> ``[..., n]``
    """
    return degree_scale(adjacency.sum(-1))


def degree_scale(degree: Floats) -> Floats:
    """:func:`random_walk_scale`, from the degrees.

    Shapes:
        - degree ``[..., n]`` -> ``[..., n]``
    """
    degree = np.where(degree > 0, degree, 1.0)
    return np.sqrt(degree.mean(-1, keepdims=True) / degree)


def check_degrees(adjacency: Floats, normalization: Normalization | None, graph: str) -> None:
    """Refuses negative degrees where they would be divided by."""
    if normalization is None:
        return
    degree = adjacency.sum(-1)
    if (degree < 0).any():
        at = int(degree.argmin())
        raise ValueError(
            f"{graph}: node {at} has negative degree {degree[at]:g}, so the normalised Laplacian "
            "does not exist; use normalization=None or non-negative weights"
        )


def inverse_sqrt(degree: Floats) -> Floats:
    """Of each degree; 0 of 0."""
    safe = np.where(degree > 0, degree, 1.0)
    return np.where(degree > 0, 1.0 / np.sqrt(safe), 0.0)
