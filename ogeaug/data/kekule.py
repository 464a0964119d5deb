"""Other Kekulé structures of the same molecule: double bonds placed anew, as training noise."""

import copy
from random import Random

import torch
from torch_geometric.data import Data
from torch_geometric.transforms import BaseTransform

from ogeaug.data.features import ZINC_BONDS

SINGLE, DOUBLE = ZINC_BONDS.index("SINGLE"), ZINC_BONDS.index("DOUBLE")

Neighbours = dict[int, list[int]]
Partners = dict[int, int]


class RandomKekule(BaseTransform):
    """Places the double bonds of a graph with ZINC's features anew, at random.

    A kekulised benzene ring has its double bonds in one of two places, by a rule of the program
    that wrote it; the molecule is the same. From each atom in turn a walk of double and single
    bonds in alternation goes on until it closes, and changes one for the other round that ring
    every second time, if it has 4n + 2 atoms (rings of 4n are not aromatic: their double bonds are
    where they are). Each atom keeps its number of double bonds, so atoms stay what they are, and
    so do connections, spectra and encodings. Structures of fused rings are not all equally likely.

    Random numbers are PyTorch's.

    Example:
        >>> from ogeaug.data import smiles_to_data
        >>> benzene = smiles_to_data("c1ccccc1", features="zinc")
        >>> drawn = {tuple(RandomKekule()(benzene).edge_attr[:, 0].tolist()) for _ in range(50)}
        >>> len(drawn)
        2
    """

    def forward(self, data: Data) -> Data:
        starts, ends = data.edge_index.tolist()
        kinds = data.edge_attr[:, 0].tolist()  # [2m]
        partner, neighbours = _alternating(starts, ends, kinds)
        if not neighbours:
            return data
        rng = Random(int(torch.randint(2**31, ())))
        for atom in sorted(neighbours):
            ring = _walk(atom, partner, neighbours, rng)
            if rng.random() < 0.5 and len(ring) % 4 == 2:
                _turn(ring, partner)
        drawn = [
            (DOUBLE if partner[i] == j else SINGLE) if j in neighbours.get(i, ()) else kind
            for i, j, kind in zip(starts, ends, kinds, strict=True)
        ]
        data = copy.copy(data)
        data.edge_attr = torch.tensor(drawn).unsqueeze(1)  # [2m, 1]
        return data


def _alternating(
    starts: list[int], ends: list[int], kinds: list[int]
) -> tuple[Partners, Neighbours]:
    """The other end of each double bond, and the atoms whose double bond may be elsewhere, with the
    neighbours that it may go to.

    Begins with the atoms of one double bond, to another such atom, and takes off chains: an atom
    with one neighbour left has its double bond there in every structure.
    """
    doubles = [(i, j) for i, j, kind in zip(starts, ends, kinds, strict=True) if kind == DOUBLE]
    count: dict[int, int] = {}
    for i, _ in doubles:
        count[i] = count.get(i, 0) + 1
    partner = {i: j for i, j in doubles if count[i] == count[j] == 1}
    neighbours: Neighbours = {i: [] for i in partner}
    for i, j, kind in zip(starts, ends, kinds, strict=True):
        if kind in (SINGLE, DOUBLE) and i in partner and j in partner:
            neighbours[i].append(j)
    fixed = [i for i, near in neighbours.items() if len(near) == 1]
    while fixed:
        atom = fixed.pop()
        for end in (atom, partner[atom]):
            for j in neighbours.pop(end, ()):
                if j in neighbours:
                    neighbours[j].remove(end)
                    if len(neighbours[j]) == 1:
                        fixed.append(j)
    return partner, neighbours


def _walk(atom: int, partner: Partners, neighbours: Neighbours, rng: Random) -> list[int]:
    """Atoms of a ring of double and single bonds in turn, the first of them double; none if the
    walk closes after an odd number of bonds."""
    path: list[int] = []
    place: dict[int, int] = {}
    while atom not in place:
        other = partner[atom]
        place[atom], place[other] = len(path), len(path) + 1
        path += [atom, other]
        atom = rng.choice([j for j in neighbours[other] if j != atom])
    return [] if place[atom] % 2 else path[place[atom] :]


def _turn(ring: list[int], partner: Partners) -> None:
    """Makes double bonds of the single ones of a ring."""
    for i in range(1, len(ring), 2):
        one, other = ring[i], ring[(i + 1) % len(ring)]
        partner[one], partner[other] = other, one
