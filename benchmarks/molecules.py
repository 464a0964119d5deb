"""Graphs to measure on: drug-like molecules that come with RDKit, or ZINC where it is at hand."""

import gzip
import os
from pathlib import Path

import torch
from rdkit import Chem, RDConfig, rdBase
from torch_geometric.data import Data

ATOMS = range(15, 36)  # heavy atoms of a drug-like molecule; ZINC's molecules have 23 on average


def molecules(count: int = 512, *, zinc: bool = False) -> list[Data]:
    """The first molecules of RDKit's NCI file with 15 to 35 heavy atoms, as plain graphs.

    Those of ZINC carry their target ``y``.

    Args:
        count: How many.
        zinc: Take them from ``zinc_train10k.csv.gz`` in the folder ``OGEAUG_DATA`` instead.
    """
    out: list[Data] = []
    with rdBase.BlockLogs():
        for smiles, y in _zinc() if zinc else _nci():
            mol = Chem.MolFromSmiles(smiles)
            if mol is not None and mol.GetNumAtoms() in ATOMS:
                out.append(_graph(mol))
                if y is not None:
                    out[-1].y = torch.tensor([y])
            if len(out) == count:
                return out
    raise ValueError(f"only {len(out)} of {count} molecules found")


def _graph(mol: Chem.Mol) -> Data:
    pairs = [(b.GetBeginAtomIdx(), b.GetEndAtomIdx()) for b in mol.GetBonds()]
    one_way = torch.tensor(pairs, dtype=torch.long).reshape(-1, 2).T
    edge_index = torch.cat([one_way, one_way.flip(0)], 1)
    order = edge_index[0].argsort(stable=True)  # by atom, as PyG's own molecule readers do
    atom = torch.tensor([a.GetAtomicNum() % 28 for a in mol.GetAtoms()])
    bond = torch.tensor([int(b.GetBondTypeAsDouble()) for b in mol.GetBonds()] * 2)
    return Data(
        edge_index=edge_index[:, order],
        num_nodes=len(atom),
        atom=atom,
        bond=bond[order].clamp(max=3),
    )


Molecule = tuple[str, float | None]  # SMILES, target


def _nci() -> list[Molecule]:
    lines = Path(RDConfig.RDDataDir, "NCI", "first_5K.smi").read_text().splitlines()
    return [(line.split()[0], None) for line in lines if line]


def _zinc() -> list[Molecule]:
    path = Path(os.environ.get("OGEAUG_DATA", "../shared/data"), "zinc_train10k.csv.gz")
    with gzip.open(path, "rt") as file:
        rows = [line.split(",") for line in file][1:]
    return [(row[0], float(row[1])) for row in rows]
