"""How far an encoding moves where two eigenvalues cross: a number, no verdict."""

import networkx as nx
import torch
from torch import nn
from torch_geometric.data import Data


def crossing_error(encoding: nn.Module, step: float = 1e-5, x: torch.Tensor | None = None) -> float:
    r"""Relative change of an encoding as eigenvalues of a graph cross.

    .. math:: \max_\pm |Z(G_{1 \pm h}) - Z(G_1)| \, / \, \max |Z(G_1)|

    :math:`G_t` is the 3 x 3 grid (:func:`crossing_graph`). A continuous encoding moves by a
    multiple of h; one that jumps moves by as much as the jump, however small h is.

    Args:
        encoding: In eval mode and double precision.
        step: h, larger than the tolerance by which an encoding finds eigenspaces.
        x: Features ``[9, c]`` of the nodes, for encodings that need them. Where they make the
            weights of a latent Laplacian, equal ones keep the crossing.

    Example:
        >>> from ogeaug import OGEAug
        >>> crossing_error(OGEAug(8, hidden_channels=8).double().eval()) < 1e-3
        True
    """
    at = _encode(encoding, crossing_graph(1.0), x)
    moved = [_encode(encoding, crossing_graph(1.0 + h), x) for h in (-step, step)]
    return max(float((z - at).abs().max()) for z in moved) / float(at.abs().max().clamp(min=1e-300))


def crossing_graph(t: float) -> Data:
    r"""The 3 x 3 grid whose vertical edges weigh t.

    Its eigenvalues are :math:`\mu_i + t \mu_j` with :math:`\mu \in \{0, 1, 3\}`. At t = 1 they are
    0, 1, 1, 2, 3, 3, 4, 4, 6: those of (i, j) and (j, i) cross there. A spectrum cut after 5
    eigenpairs is cut between the two that cross at 3.

    Example:
        >>> crossing_graph(0.5).edge_weight.unique()
        tensor([0.5000, 1.0000], dtype=torch.float64)
    """
    grid = nx.grid_2d_graph(3, 3)
    number = {node: i for i, node in enumerate(grid)}
    edges = [(number[u], number[v], t if u[1] == v[1] else 1.0) for u, v in grid.edges]
    low, high, weight = zip(*edges, strict=True)
    return Data(
        edge_index=torch.tensor([low + high, high + low]),
        edge_weight=torch.tensor(weight + weight, dtype=torch.float64),
        num_nodes=9,
    )


@torch.no_grad()
def _encode(encoding: nn.Module, data: Data, x: torch.Tensor | None) -> torch.Tensor:
    if x is not None:
        data.x = x
    return encoding(data)
