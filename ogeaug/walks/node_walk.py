"""Return probabilities of random walks on the nodes of a graph."""

import numpy as np
import torch
from torch import Tensor

from ogeaug.checks import check_counts
from ogeaug.graph.adjacencies import adjacencies
from ogeaug.graph.edges import Directed, Floats
from ogeaug.spectrum.memory import announce

SMALLEST = 1e-30
"""Of positive weights that are divided by: their inverses are still numbers in float32."""


def node_walks(
    edge_index: Tensor,
    num_nodes: Tensor,
    edge_weight: Tensor | None = None,
    *,
    steps: int,
    directed: Directed = "symmetrize",
) -> Tensor:
    r"""The probability that a random walk is back at its start after 1, 2, ..., T steps.

    .. math:: p_{it} = \big( (D^{-1} A)^t \big)_{ii}

    An isolated node never walks: its probabilities are 0.

    Args:
        edge_index, num_nodes, edge_weight: See :func:`ogeaug.spectrum.solve.compute_spectra`;
            weights must not be negative.
        steps: T.
        directed: See :func:`ogeaug.graph.edges.adjacency`.

    Shapes:
        - B graphs with N nodes together -> ``[N, T]``, float64

    Example:
        >>> path = torch.tensor([[0, 1], [1, 2]])
        >>> node_walks(path, torch.tensor([3]), steps=4)[:, [1, 3]]
        tensor([[0.5000, 0.5000],
                [1.0000, 1.0000],
                [0.5000, 0.5000]], dtype=torch.float64)
    """
    check_counts(steps=steps)
    sizes: list[int] = num_nodes.tolist()
    announce("random walks", sizes, copies=5 + steps / 2, solves=steps / 8)
    stacks, names = adjacencies(edge_index, num_nodes, edge_weight, directed)
    found: dict[int, Floats] = {}
    for graphs, stack in stacks:
        for g, matrix in zip(graphs, stack, strict=True):
            check_weights(matrix, names[g])
        found.update(zip(graphs, returns(_by_row_sum(stack), steps), strict=True))
    return torch.from_numpy(np.concatenate([found[g] for g in range(len(num_nodes))]))


def returns(transition: Floats, steps: int) -> Floats:
    r"""The diagonals of the powers 1 to T of a stack of matrices.

    Half of the powers is enough: :math:`(P^{a+b})_{ii} = \sum_j (P^a)_{ij} (P^b)_{ji}`.

    Shapes:
        - transition ``[..., n, n]`` -> ``[..., n, T]``
    """
    powers = [transition]
    while 2 * len(powers) < steps:
        powers.append(powers[-1] @ transition)
    diagonals = [np.einsum("...ii->...i", transition)]
    for t in range(2, steps + 1):
        a, b = powers[t // 2 - 1], powers[(t + 1) // 2 - 1]
        diagonals.append((a * b.swapaxes(-1, -2)).sum(-1))
    return np.stack(diagonals, -1)


def check_weights(adjacency: Floats, graph: str, *, smallest: float = 0.0) -> None:
    """Refuses negative weights: they are no probabilities; and those that cannot be divided by.

    Args:
        adjacency: Of the graph.
        graph: How error messages call it.
        smallest: Of the weights that are not 0.
    """
    if smallest > 0 and ((adjacency > 0) & (adjacency < smallest)).any():
        i, j = np.argwhere((adjacency > 0) & (adjacency < smallest))[0]
        raise ValueError(
            f"{graph}: edge {i} -> {j} has weight {adjacency[i, j]:g}; walks on edges and Hodge "
            f"Laplacians divide by weights, and need 0 or at least {smallest:g}: drop the edge"
        )
    if (adjacency < 0).any():
        i, j = np.argwhere(adjacency < 0)[0]
        raise ValueError(
            f"{graph}: edge {i} -> {j} has weight {adjacency[i, j]:g}; a random walk and a Hodge "
            "Laplacian need weights of at least 0: use their absolute values"
        )


def _by_row_sum(matrix: Floats) -> Floats:
    total = matrix.sum(-1, keepdims=True)
    return np.divide(matrix, total, out=np.zeros_like(matrix), where=total > 0)
