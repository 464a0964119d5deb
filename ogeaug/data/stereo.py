"""Stereochemistry as labels that do not depend on how a SMILES is written."""

from rdkit import Chem
from rdkit.Chem import rdCIPLabeler

ATOM_LABELS = ["none", "R", "S", "r", "s"]
"""Of an atom: Cahn, Ingold and Prelog's descriptors; small letters where a mirror keeps them."""

BOND_LABELS = ["none", "Z", "E", "z", "e", "other"]
"""Of a bond; axes (M, P) are ``other``."""

ITERATIONS = 100_000
"""Comparisons that labelling may take, about 0.1 s: few molecules need more than 10,000."""


def cip_labels(mol: Chem.Mol, atoms: list[int], bonds: list[int]) -> tuple[list[str], list[str]]:
    """The descriptors of atoms and bonds, given by number; "none" where there is none.

    RDKit's tags (clockwise or not) speak of the order of the neighbours in the text; descriptors
    order them by what they are. Square planar and other centres that are not tetrahedral have none.

    Example:
        >>> cip_labels(Chem.MolFromSmiles("C[C@H](N)/C=C/C"), [0, 1], [3])
        (['none', 'S'], ['E'])
        >>> cip_labels(Chem.MolFromSmiles("C/C=C/[C@@H](N)C"), [5, 3], [1])
        (['none', 'S'], ['E'])
    """
    try:  # a note on atoms and bonds is all that it leaves on the molecule
        rdCIPLabeler.AssignCIPLabels(mol, atoms, bonds, ITERATIONS)
    except RuntimeError as error:
        if "Max Iterations" not in str(error):
            raise
        return _quick_labels(Chem.Mol(mol), atoms, bonds)
    return (
        [_label(mol.GetAtomWithIdx(i)) for i in atoms],
        [_label(mol.GetBondWithIdx(i)) for i in bonds],
    )


def _quick_labels(mol: Chem.Mol, atoms: list[int], bonds: list[int]) -> tuple[list[str], list[str]]:
    """By RDKit's older rules, which are not the whole of CIP, but always come to an end."""
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    names = {Chem.BondStereo.STEREOZ: "Z", Chem.BondStereo.STEREOE: "E"}
    return (
        [_label(mol.GetAtomWithIdx(i)) for i in atoms],
        [names.get(mol.GetBondWithIdx(i).GetStereo(), "none") for i in bonds],
    )


def _label(part: Chem.Atom | Chem.Bond) -> str:
    label: str = part.GetProp("_CIPCode") if part.HasProp("_CIPCode") else "none"
    return label


def without_stereo(mol: Chem.Mol) -> Chem.Mol:
    """The molecule without any stereochemistry, and without hydrogens that were kept for it.

    Example:
        >>> Chem.MolToSmiles(without_stereo(Chem.MolFromSmiles("[H]/N=C(/C)[C@H](F)Cl")))
        'CC(=N)C(F)Cl'
    """
    mol = Chem.Mol(mol)
    Chem.RemoveStereochemistry(mol)
    return Chem.RemoveHs(mol)


def without_numbers(mol: Chem.Mol) -> Chem.Mol:
    """The molecule without atom map numbers, which name atoms but are no part of them.

    Example:
        >>> Chem.MolToSmiles(without_numbers(Chem.MolFromSmiles("F[C@H]([CH3:1])[CH3:2]")))
        'CC(C)F'
    """
    numbered = [i for i in range(mol.GetNumAtoms()) if mol.GetAtomWithIdx(i).GetAtomMapNum()]
    if not numbered:
        return mol
    mol = Chem.Mol(mol)
    for i in numbered:
        mol.GetAtomWithIdx(i).SetAtomMapNum(0)
    # Centres that had only numbers to tell their neighbours apart are none.
    Chem.AssignStereochemistry(mol, cleanIt=True, force=True)
    return mol
