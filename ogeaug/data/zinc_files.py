"""The pickles of ZINC, as benchmarking-gnns and PyG publish them."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.data.features import OTHER, ZINC_ATOMS, ZINC_BONDS
from ogeaug.data.graph_records import called, take_tensors
from ogeaug.errors import UserError
from ogeaug.files.pickled import read_pickle

ATOMS, BONDS, TARGET = "atom_type", "bond_type", "logP_SA_cycle_normalized"
LARGEST = 1000
"""Atoms of a molecule: the largest has 38."""


@dataclass(frozen=True, eq=False)
class ZincMolecule:
    """A molecule of the file, checked.

    Attributes:
        atoms: Types ``[n]``; places in :data:`ogeaug.data.features.ZINC_ATOMS`.
        bonds: Types ``[n, n]``, 0 where there is none, both directions.
        y: The target.
    """

    atoms: Tensor
    bonds: Tensor
    y: Tensor

    def target(self) -> float:
        return float(self.y)

    def graph(self) -> Data:
        """As PyG's ZINC has it, with a column of atom types and one of bond types."""
        edge_index = self.bonds.nonzero().T.contiguous()  # [2, E]
        edge_attr = self.bonds[edge_index[0], edge_index[1]].long().unsqueeze(1)  # [E, 1]
        return Data(x=self.atoms.long().unsqueeze(1), edge_index=edge_index, edge_attr=edge_attr)


class ZincPickle:
    """A pickle of molecules, of which each is checked when it is asked for.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        self.name, self.content = path.name, read_pickle(path)
        if not isinstance(self.content, list) or not self.content:
            raise UserError(
                f"{path} holds {called(self.content)}, not the list of molecules of ZINC's files "
                f"(dictionaries with {ATOMS}, {BONDS}, {TARGET})"
            )

    def __len__(self) -> int:
        return len(self.content)

    def molecule(self, place: int) -> ZincMolecule:
        return _check(self.content[place], f"{self.name}[{place}]")


def _check(item: Any, name: str) -> ZincMolecule:
    atoms, bonds, y = take_tensors(item, (ATOMS, BONDS, TARGET), name)
    n = atoms.numel()
    fits = atoms.dim() == 1 and 1 <= n <= LARGEST and tuple(bonds.shape) == (n, n)
    if not fits or y.numel() != 1 or not torch.isfinite(y).all():
        raise UserError(
            f"{name} has {list(atoms.shape)} atoms, {list(bonds.shape)} bonds and "
            f"{list(y.shape)} targets; expected [n], [n, n] and one number"
        )
    if atoms.is_floating_point() or bonds.is_floating_point():
        raise UserError(
            f"{name} has types {atoms.dtype} and {bonds.dtype}; those of atoms and bonds are whole "
            "numbers"
        )
    kinds = ZINC_ATOMS.index(OTHER)
    if not (0 <= int(atoms.min()) <= int(atoms.max()) < kinds):
        raise UserError(f"{name} has an atom type that is not one of 0 to {kinds - 1}")
    if not (0 <= int(bonds.min()) <= int(bonds.max()) < len(ZINC_BONDS)):
        raise UserError(f"{name} has a bond type that is not one of 0 to {len(ZINC_BONDS) - 1}")
    return ZincMolecule(atoms, bonds, y)
