"""SMILES -> graph."""

import unicodedata
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from rdkit import Chem, rdBase
from rdkit.Chem.Scaffolds import MurckoScaffold
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.data.features import (
    ATOM,
    BOND,
    ZINC_ATOMS,
    ZINC_BONDS,
    Features,
    molecule_features,
    ogb_features,
    zinc_features,
)
from ogeaug.data.limits import check_atoms, check_length
from ogeaug.data.stereo import without_numbers, without_stereo
from ogeaug.errors import UserError

LETTERS_PER_ATOM = 50
"""At most, in a SMILES: charges, isotopes, numbers and ring bonds of an atom take less."""


class FeatureSet(NamedTuple):
    """How to describe atoms and bonds, and how many categories each column has."""

    describe: Callable[[Chem.Mol], Features]
    node_sizes: tuple[int, ...]
    edge_sizes: tuple[int, ...]


_SIZES = tuple(map(len, ATOM.values())), tuple(map(len, BOND.values()))

FEATURES = {
    "molecule": FeatureSet(molecule_features, *_SIZES),
    "ogb": FeatureSet(ogb_features, *_SIZES),
    "zinc": FeatureSet(zinc_features, (len(ZINC_ATOMS),), (len(ZINC_BONDS),)),
}
"""Names of the feature sets in configuration files."""


class MoleculeError(UserError):
    """A SMILES string that is no molecule; the message says why."""


def smiles_to_data(
    smiles: str,
    *,
    features: str = "molecule",
    hydrogens: bool = False,
    ignore_stereo: bool = False,
    max_atoms: int | None = None,
) -> Data:
    """The graph of a molecule: atoms are nodes, each bond is an edge in both directions.

    Salts and mixtures become graphs of several components; single atoms graphs without edges.

    Args:
        smiles: The molecule.
        features: ``"molecule"``, ``"ogb"`` or ``"zinc"``; see :mod:`ogeaug.data.features`.
        hydrogens: Whether hydrogens are nodes.
        ignore_stereo: Whether stereoisomers are to be the same.
        max_atoms: Larger molecules are refused, before that takes any time.

    Shapes:
        - n atoms, m bonds -> x ``[n, columns]``, edge_index ``[2, 2m]``, edge_attr
          ``[2m, columns]``, all int64

    Example:
        >>> smiles_to_data("CCO")
        Data(x=[3, 9], edge_index=[2, 4], edge_attr=[4, 3])
    """
    return molecule_to_data(
        parse_smiles(smiles, max_atoms=max_atoms),
        features=features,
        hydrogens=hydrogens,
        ignore_stereo=ignore_stereo,
        max_atoms=max_atoms,
    )


def molecule_to_data(
    mol: Chem.Mol,
    *,
    features: str = "molecule",
    hydrogens: bool = False,
    ignore_stereo: bool = False,
    max_atoms: int | None = None,
) -> Data:
    """The graph of a molecule that was parsed before; see :func:`smiles_to_data`.

    Args:
        mol: The molecule, which stays as it is.
        features, hydrogens, ignore_stereo: See there.
        max_atoms: Larger graphs are refused.
    """
    if features not in FEATURES:
        raise ValueError(f"unknown features {features!r}; choose from {', '.join(FEATURES)}")
    chosen = FEATURES[features]
    if max_atoms is not None:
        check_atoms(mol.GetNumAtoms(), max_atoms)
    if ignore_stereo:
        mol = without_stereo(mol)
    if hydrogens:
        mol = Chem.AddHs(mol)
    if max_atoms is not None:
        check_atoms(mol.GetNumAtoms(), max_atoms)  # with hydrogens there are more
    described = chosen.describe(mol)
    all_bonds = map(mol.GetBondWithIdx, range(mol.GetNumBonds()))
    ends = [(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()) for bond in all_bonds]
    forward = _table(ends, 2).T  # [2, m]
    return Data(
        x=_table(described.atoms, len(chosen.node_sizes)),  # [n, columns]
        edge_index=torch.stack([forward, forward.flip(0)], 2).flatten(1),  # [2, 2m]
        edge_attr=_table(described.bonds, len(chosen.edge_sizes)).repeat_interleave(2, 0),
    )


def _table(rows: Sequence[Sequence[int]], columns: int) -> Tensor:
    """``[rows, columns]``; by NumPy, which reads nested lists three times as fast."""
    return torch.from_numpy(np.array(rows, dtype=np.int64).reshape(-1, columns))


def scaffold(mol: Chem.Mol) -> str:
    """The SMILES of the Bemis-Murcko scaffold, without stereochemistry.

    Example:
        >>> scaffold(parse_smiles("CCc1ccccc1O"))
        'c1ccccc1'
    """
    found: str = MurckoScaffold.MurckoScaffoldSmiles(mol=mol, includeChirality=False)
    return found


def parse_smiles(smiles: str, *, max_atoms: int | None = None) -> Chem.Mol:
    """The molecule of a SMILES string; :class:`MoleculeError` with the reason if there is none.

    The whole text must be one SMILES, blanks around it aside. Atom map numbers are taken off.

    Args:
        smiles: The text.
        max_atoms: A text that no molecule of so many atoms has is refused before it is parsed.
    """
    if max_atoms is not None:
        check_length(smiles, LETTERS_PER_ATOM * max_atoms, max_atoms)
    smiles = smiles.strip()
    if not smiles:
        raise MoleculeError("empty SMILES")
    # RDKit ends at the first blank, and drops what it does not know at either end.
    foreign = next((c for c in smiles if not "!" <= c <= "~"), None)
    if foreign is not None:
        raise MoleculeError(
            f"invalid SMILES {_shorten(smiles)}: {_called(foreign)} is no part of a SMILES; leave "
            "names and extensions out"
        )
    with rdBase.BlockLogs():
        mol = Chem.MolFromSmiles(smiles)
        if mol is None:
            raise MoleculeError(f"invalid SMILES {_shorten(smiles)}: {_reason(smiles)}")
    if mol.GetNumAtoms() == 0:
        raise MoleculeError(f"SMILES {_shorten(smiles)} has no atoms")
    return without_numbers(mol) if ":" in smiles else mol


def _called(character: str) -> str:
    """How to speak of a character that may not show."""
    name = unicodedata.name(character, "a control character").lower()
    return f"{name} (U+{ord(character):04X})"


def _reason(smiles: str) -> str:
    raw = Chem.MolFromSmiles(smiles, sanitize=False)
    if raw is None:
        return "syntax error"
    try:
        problems = Chem.DetectChemistryProblems(raw)
    except RuntimeError:  # of RDKit itself, which asks its table for element 999
        return "it has an atom that is no element"
    return problems[0].Message() if problems else "RDKit cannot sanitize it"


def _shorten(text: str, length: int = 60) -> str:
    return repr(text if len(text) <= length else text[: length - 3] + "...")
