"""How far encodings move when a graph is shaken: noise, another basis, other numbers."""

from dataclasses import dataclass

import torch
from torch import Generator, Tensor, nn
from torch_geometric.data import Data

from ogeaug.measure.invariance import (
    change_basis,
    own_spectrum,
    permute_nodes,
    with_spectrum,
)
from ogeaug.measure.stability import random_direction, reweighted


@dataclass(frozen=True)
class Shake:
    r"""What is done to a graph, all of it at once.

    Attributes:
        noise: :math:`\|L - L'\|_F` of a random change of the edge weights; 0 for none.
        basis: Draws orthogonal maps inside the eigenspaces; 0 keeps LAPACK's choice.
        renumber: Draws another numbering of the nodes; 0 keeps it.
        seed: Draws the direction of the noise.
    """

    noise: float = 0.0
    basis: int = 0
    renumber: int = 0
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.noise < float("inf") or min(self.basis, self.renumber, self.seed) < 0:
            raise ValueError(f"noise, basis, renumber and seed must be at least 0, got {self}")


@dataclass(frozen=True, eq=False)
class Moved:
    r"""One encoding of one graph, before and after.

    Attributes:
        before: ``[n, c]``.
        after: ``[n, c]``, with the nodes in the places that they had before.
        change: :math:`\|Z - Z'\|_F / \|Z\|_F`.
    """

    before: Tensor
    after: Tensor
    change: float


@torch.no_grad()
def shake(encoding: nn.Module, data: Data, how: Shake) -> Moved:
    """Encodes a graph as it is, and shaken.

    Args:
        encoding: In float64 and eval mode, or rounding and its own randomness count.
        data: One graph; noise needs at least one edge.
        how: What to do to it.

    Example:
        >>> from ogeaug import OGEAug
        >>> square = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), num_nodes=4)
        >>> encode = OGEAug(8, hidden_channels=8).double().eval()
        >>> shake(encode, square, Shake(basis=1, renumber=1)).change < 1e-9
        True
    """
    still = reweighted(data, None)
    moved = still
    if how.noise > 0:
        direction = random_direction(data, _generator(how.seed))
        moved = reweighted(data, how.noise * direction)
    order = torch.arange(int(data.num_nodes or 0))
    if how.renumber:
        order = torch.randperm(len(order), generator=_generator(how.renumber))
        moved = permute_nodes(moved, order)
    if how.basis:
        turned = change_basis(own_spectrum(encoding, moved), _generator(how.basis))
        moved = with_spectrum(moved, turned)
    before, found = encoding(still).double(), encoding(moved).double()
    after = torch.empty_like(found)
    after[order] = found
    scale = float(before.norm()) or 1.0
    return Moved(before, after, float((after - before).norm()) / scale)


def _generator(seed: int) -> Generator:
    return torch.Generator().manual_seed(seed)
