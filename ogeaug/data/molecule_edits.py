"""Small changes of a molecule at one atom: a step to the next molecule."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ogeaug.errors import UserError

if TYPE_CHECKING:
    from rdkit import Chem

BECOMES = ("C", "N", "O", "S", "F", "Cl")
ADDED = ("C", "N", "O", "F", "Cl")
BONDS = ("SINGLE", "DOUBLE", "TRIPLE")


class MoleculeEdit(NamedTuple):
    """A change; this record can be had without loading RDKit.

    Attributes:
        name: What is done.
        smiles: Of the result.
        node: Where the changed atom is in it, or the atom beside one that is gone.
    """

    name: str
    smiles: str
    node: int


def find_edits(smiles: str, node: int) -> list[MoleculeEdit]:
    """What a molecule can become by one change at an atom; each result once.

    Args:
        smiles: The molecule.
        node: The number of the atom.

    Example:
        >>> [edit.smiles for edit in find_edits("CC", 0) if "become" in edit.name]
        ['NC', 'OC', 'SC', 'FC', 'ClC']
    """
    from rdkit import Chem, rdBase

    from ogeaug.data.molecule import parse_smiles

    mol = parse_smiles(smiles)
    if not 0 <= node < mol.GetNumAtoms():
        raise UserError(f"the molecule has {mol.GetNumAtoms()} atoms; there is no atom {node}")
    known = {Chem.MolToSmiles(mol)}
    found = []
    for name, changed, place in _changes(mol, node):
        with rdBase.BlockLogs():
            fault = Chem.SanitizeMol(changed, catchErrors=True)
        if fault or (canonical := Chem.MolToSmiles(changed)) in known:
            continue
        known.add(canonical)
        text = Chem.MolToSmiles(changed, canonical=False)
        order = list(changed.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"])
        found.append(MoleculeEdit(name, text, order.index(place)))
    return found


def _changes(mol: "Chem.Mol", node: int) -> "Iterator[tuple[str, Chem.RWMol, int]]":
    """A name, the molecule with the change, and where the atom is in it; not checked yet."""
    from rdkit import Chem

    for symbol in BECOMES:
        changed = Chem.RWMol(mol)
        changed.ReplaceAtom(node, Chem.Atom(symbol))
        changed.GetAtomWithIdx(node).SetIsAromatic(mol.GetAtomWithIdx(node).GetIsAromatic())
        yield f"become {symbol}", changed, node
    for symbol in ADDED:
        changed = Chem.RWMol(mol)
        changed.AddBond(node, changed.AddAtom(Chem.Atom(symbol)), Chem.BondType.SINGLE)
        atom = changed.GetAtomWithIdx(node)
        atom.SetNumExplicitHs(max(0, atom.GetNumExplicitHs() - 1))
        yield f"add {symbol}", changed, node
    atom = mol.GetAtomWithIdx(node)
    for bond in atom.GetBonds():
        other = bond.GetOtherAtomIdx(node)
        for name in BONDS:
            kind = Chem.BondType.names[name]
            if bond.GetIsAromatic() or bond.GetBondType() == kind:
                continue
            changed = Chem.RWMol(mol)
            changed.GetBondBetweenAtoms(node, other).SetBondType(kind)
            yield f"{name.lower()} bond to {other}", changed, node
    if atom.GetDegree() == 1:
        (neighbour,) = (other.GetIdx() for other in atom.GetNeighbors())
        changed = Chem.RWMol(mol)
        changed.RemoveAtom(node)
        yield "take away", changed, neighbour - (neighbour > node)
