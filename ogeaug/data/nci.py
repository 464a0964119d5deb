"""RDKit's 5,000 NCI molecules, which are there wherever RDKit is."""

from pathlib import Path

from rdkit import Chem, RDConfig

from ogeaug.data.molecule import MoleculeError, parse_smiles


def nci_molecules() -> list[tuple[str, Chem.Mol]]:
    """SMILES and molecule of the first 5,000 of NCI, those that RDKit reads, in the file's order.

    Example:
        >>> [smiles for smiles, mol in nci_molecules()[:2]]
        ['CC1=CC(=O)C=CC1=O', 'S(SC1=NC2=CC=CC=C2S1)C3=NC4=C(S3)C=CC=C4']
    """
    path = Path(RDConfig.RDDataDir) / "NCI" / "first_5K.smi"
    lines = path.read_text(encoding="ascii").splitlines()
    found = []
    for smiles in (line.split()[0] for line in lines if line.strip()):
        try:
            found.append((smiles, parse_smiles(smiles)))
        except MoleculeError:  # a few have atoms with too many bonds
            continue
    return found


def nci_smiles() -> list[str]:
    """The SMILES alone."""
    return [smiles for smiles, _ in nci_molecules()]
