"""Tiny files in the formats in which benchmarks publish theirs."""

import pickle

import torch
from rdkit import Chem
from rdkit.Chem import AllChem

from ogeaug.data.features import zinc_features
from ogeaug.data.sets.qm9 import ATOMISED, COLUMNS

SMILES = ["CCO", "c1ccccc1", "C[NH3+]", "CC(=O)[O-]", "C#N", "CCCCBr", "O=C(N)c1ccco1"]


def zinc_molecule(smiles, y):
    """A molecule as benchmarking-gnns has it."""
    mol = Chem.MolFromSmiles(smiles)
    found = zinc_features(mol)
    n = mol.GetNumAtoms()
    bonds = torch.zeros(n, n, dtype=torch.int32)
    for bond, (kind,) in zip(mol.GetBonds(), found.bonds, strict=True):
        i, j = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        bonds[i, j] = bonds[j, i] = kind
    return {
        "num_atom": n,
        "atom_type": torch.tensor([kind for (kind,) in found.atoms], dtype=torch.int32),
        "bond_type": bonds,
        "logP_SA_cycle_normalized": torch.tensor([y]),
    }


def write_zinc(folder, counts=(7, 4, 3), index=None):
    """ZINC's pickles and index lists; ``index`` by part, all of a part if absent."""
    folder.mkdir(parents=True, exist_ok=True)
    for part, count in zip(("train", "val", "test"), counts, strict=True):
        molecules = [zinc_molecule(SMILES[i % 7], i + len(part) / 10) for i in range(count)]
        (folder / f"{part}.pickle").write_bytes(pickle.dumps(molecules, protocol=2))
        chosen = (index or {}).get(part, range(count))
        (folder / f"{part}.index").write_text(",".join(map(str, chosen)) + "\n")
    return folder


QM9_HEADER = ["mol_id", "A", "B", "C", *list(COLUMNS.values())[1:], *ATOMISED]


def write_qm9(folder, smiles=SMILES, left_out=(2,), broken=()):
    """QM9's three files; numbers of ``left_out`` are entries from 1, ``broken`` those from 0."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = []
    for i, text in enumerate(smiles):
        mol = Chem.AddHs(Chem.MolFromSmiles(text))
        AllChem.EmbedMolecule(mol, randomSeed=0)
        mol.SetProp("_Name", f"gdb_{i + 1}")
        block = Chem.MolToMolBlock(mol)
        blocks.append((block if i not in broken else "gdb\n\n\n  9  9 no molfile\n") + "$$$$\n")
    (folder / "gdb9.sdf").write_text("".join(blocks))
    rows = [
        [f"gdb_{i + 1}", *map(str, [1.0, 2.0, 3.0, *(i + k / 100 for k in range(16))])]
        for i in range(len(smiles))
    ]
    lines = [QM9_HEADER, *rows]
    (folder / "gdb9.sdf.csv").write_text("".join(",".join(line) + "\n" for line in lines))
    listed = [f"{number} {smiles[number - 1]} x y" for number in left_out]
    text = ["head"] * 9 + listed + [f"{len(listed)} compounds", ""]
    (folder / "uncharacterized.txt").write_text("\n".join(text))
    return folder
