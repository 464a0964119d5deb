"""Atoms and bonds as category numbers: nine and three, or ZINC's one and one."""

import re
from dataclasses import dataclass
from typing import Any

from rdkit import Chem

from ogeaug.data.stereo import ATOM_LABELS, BOND_LABELS, cip_labels

OTHER = "other"
"""The last category of each open list: whatever the list does not name."""

ATOM: dict[str, list[Any]] = {
    "atomic number": [*range(1, 119), OTHER],
    "chirality": ["CHI_UNSPECIFIED", "CHI_TETRAHEDRAL_CW", "CHI_TETRAHEDRAL_CCW", OTHER, OTHER],
    "degree": [*range(11), OTHER],
    "charge": [*range(-5, 6), OTHER],
    "hydrogens": [*range(9), OTHER],
    "radical electrons": [*range(5), OTHER],
    "hybridization": ["SP", "SP2", "SP3", "SP3D", "SP3D2", OTHER],
    "aromatic": [False, True],
    "in ring": [False, True],
}
BOND: dict[str, list[Any]] = {
    "type": ["SINGLE", "DOUBLE", "TRIPLE", "AROMATIC", OTHER],
    "stereo": ["STEREONONE", "STEREOZ", "STEREOE", "STEREOCIS", "STEREOTRANS", "STEREOANY"],
    "conjugated": [False, True],
}

ZINC_ATOMS = [
    *("C", "O", "N", "F", "C H1", "S", "Cl", "O -", "N H1 +", "Br", "N H3 +", "N H2 +", "N +"),
    *("N -", "S -", "I", "P", "O H1 +", "N H1 -", "O +", "S +", "P H1", "P H2", "C H2 -", "P +"),
    *("S H1 +", "C H1 -", "P H1 +", OTHER),
]
ZINC_BONDS = [OTHER, "SINGLE", "DOUBLE", "TRIPLE"]


class Places(dict[Any, int]):
    """Value -> category number. Values that the list does not name share ``other``, the last place
    if absent; if they are members of an RDKit enumeration, the list has their names."""

    def __init__(self, choices: list[Any], enum: Any = None, other: int | None = None) -> None:
        names = {} if enum is None else enum.names
        super().__init__((names.get(value, value), i) for i, value in enumerate(choices))
        self.other = len(choices) - 1 if other is None else other

    def __missing__(self, value: object) -> int:
        return self.other


ATOM_PLACES = [
    Places(ATOM["atomic number"]),
    Places(ATOM["chirality"], Chem.ChiralType),
    Places(ATOM["degree"]),
    Places(ATOM["charge"]),
    Places(ATOM["hydrogens"]),
    Places(ATOM["radical electrons"]),
    Places(ATOM["hybridization"], Chem.HybridizationType),
]
BOND_PLACES = [Places(BOND["type"], Chem.BondType), Places(BOND["stereo"], Chem.BondStereo)]
CHIRALITY_PLACES = Places(ATOM_LABELS, other=0)
STEREO_PLACES = Places(BOND_LABELS)
ZINC_ATOM_PLACES = Places(ZINC_ATOMS)
ZINC_BOND_PLACES = Places(ZINC_BONDS, Chem.BondType, other=0)

_atomic_num, _chiral_tag = Chem.Atom.GetAtomicNum, Chem.Atom.GetChiralTag
_total_degree, _formal_charge = Chem.Atom.GetTotalDegree, Chem.Atom.GetFormalCharge
_total_num_hs, _num_radicals = Chem.Atom.GetTotalNumHs, Chem.Atom.GetNumRadicalElectrons
_hybridization, _is_aromatic = Chem.Atom.GetHybridization, Chem.Atom.GetIsAromatic
_is_in_ring, _is_conjugated = Chem.Atom.IsInRing, Chem.Bond.GetIsConjugated
_bond_type, _bond_stereo = Chem.Bond.GetBondType, Chem.Bond.GetStereo

# One atom of a SMILES string: in brackets (symbol, hydrogens, charge) or from the organic subset.
_SMILES_ATOM = re.compile(
    r"\[\d*(?P<symbol>[A-Za-z][a-z]?)@*(?:TH\d|SP\d|TB\d+|OH\d+)?(?P<hydrogens>H\d*)?"
    r"(?P<charge>[+-]\d*)?[^\]]*\]|(?P<plain>Br|Cl|[BCNOPSFIbcnops*])"
)


@dataclass(frozen=True)
class Features:
    """Category numbers of a molecule.

    Attributes:
        atoms: ``[n][columns]``.
        bonds: ``[bonds][columns]``, in RDKit's bond order.
    """

    atoms: list[list[int]]
    bonds: list[list[int]]


def molecule_features(mol: Chem.Mol) -> Features:
    """OGB's categories, with stereochemistry that does not depend on how the SMILES is written.

    ``chirality`` is a place in :data:`ogeaug.data.stereo.ATOM_LABELS`, ``stereo`` in
    ``BOND_LABELS``; all else is as in :func:`ogb_features`.

    Example:
        >>> [atom[1] for atom in molecule_features(Chem.MolFromSmiles("C[C@H](N)O")).atoms]
        [0, 1, 0, 0]
    """
    found = ogb_features(mol)
    atoms = [i for i, atom in enumerate(found.atoms) if atom[1]]
    bonds = [i for i, bond in enumerate(found.bonds) if bond[1]]
    if atoms or bonds:
        atom_labels, bond_labels = cip_labels(mol, atoms, bonds)
        for i, label in zip(atoms, atom_labels, strict=True):
            found.atoms[i][1] = CHIRALITY_PLACES[label]
        for i, label in zip(bonds, bond_labels, strict=True):
            found.bonds[i][1] = STEREO_PLACES[label]
    return found


def ogb_features(mol: Chem.Mol) -> Features:
    """Nine categories an atom and three a bond, exactly as in the Open Graph Benchmark.

    Chirality is RDKit's tag, which depends on the order in which the SMILES names the neighbours:
    two spellings of a molecule may differ. Benchmarks ask for it; :func:`molecule_features` does
    not have it.

    Example:
        >>> ogb_features(Chem.MolFromSmiles("C=O")).atoms
        [[5, 0, 3, 5, 2, 0, 1, 0, 0], [7, 0, 1, 5, 0, 0, 1, 0, 0]]
    """
    number, chirality, degree, charge, hydrogens, radicals, hybridization = ATOM_PLACES
    kind, stereo = BOND_PLACES
    # By number and by functions of the class: RDKit's own iterators, and the look-up of a method on
    # each atom, take longer than the answer. A plus makes a number of a bool.
    atoms = [
        [
            number[_atomic_num(atom)],
            chirality[_chiral_tag(atom)],
            degree[_total_degree(atom)],
            charge[_formal_charge(atom)],
            hydrogens[_total_num_hs(atom)],
            radicals[_num_radicals(atom)],
            hybridization[_hybridization(atom)],
            +_is_aromatic(atom),
            +_is_in_ring(atom),
        ]
        for atom in map(mol.GetAtomWithIdx, range(mol.GetNumAtoms()))
    ]
    bonds = [
        [kind[_bond_type(bond)], stereo[_bond_stereo(bond)], +_is_conjugated(bond)]
        for bond in map(mol.GetBondWithIdx, range(mol.GetNumBonds()))
    ]
    return Features(atoms, bonds)


def zinc_features(mol: Chem.Mol) -> Features:
    """The 28 atom types and 3 kekulised bond types of the ZINC benchmark.

    An atom's type is its symbol, the hydrogens written in its bracket of the kekulised canonical
    SMILES, and the sign of its charge.

    Example:
        >>> features = zinc_features(Chem.MolFromSmiles("C[NH3+]"))
        >>> [ZINC_ATOMS[atom[0]] for atom in features.atoms], features.bonds
        (['C', 'N H3 +'], [[1]])
    """
    mol = Chem.Mol(mol)
    Chem.Kekulize(mol, clearAromaticFlags=True)
    smiles = Chem.MolToSmiles(mol, kekuleSmiles=True)
    order = mol.GetPropsAsDict(True, True)["_smilesAtomOutputOrder"]
    atoms = [[ZINC_ATOMS.index(OTHER)] for _ in range(mol.GetNumAtoms())]
    for index, match in zip(order, _SMILES_ATOM.finditer(smiles), strict=True):
        name = match["plain"] or match["symbol"]
        if match["hydrogens"]:
            name += " H" + (match["hydrogens"][1:] or "1")
        if match["charge"]:
            name += " " + match["charge"][0]
        atoms[index] = [ZINC_ATOM_PLACES[name]]
    all_bonds = map(mol.GetBondWithIdx, range(mol.GetNumBonds()))
    bonds = [[ZINC_BOND_PLACES[bond.GetBondType()]] for bond in all_bonds]
    return Features(atoms, bonds)
