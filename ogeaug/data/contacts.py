"""Contacts: pairs of atoms at least 5 bonds apart and less than 3.5 Angstrom in space."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.random import Generator
from numpy.typing import NDArray
from rdkit import Chem
from torch_geometric.data import Data

from ogeaug.data.columns import find_column
from ogeaug.data.graph_records import called, check_categories, check_pairs_of_nodes, take_tensors
from ogeaug.data.molecule import molecule_to_data, parse_smiles
from ogeaug.data.parts import PARTS
from ogeaug.data.table import TableReader, read_own
from ogeaug.errors import UserError
from ogeaug.files.torch_file import read_torch

PAIR = re.compile(r"[0-9]{1,6}-[0-9]{1,6}")
BONDS_APART, ANGSTROM = 5, 3.5
NEGATIVES = 2
"""Pairs labelled 0 for each contact, from the same atom."""
KEYS = ("x", "edge_attr", "edge_index", "edge_label_index", "edge_label")
"""What a graph of the benchmark's files is a tuple of."""


def read_contacts(
    path: Path, node_sizes: tuple[int, ...], edge_sizes: tuple[int, ...]
) -> list[Data]:
    """The graphs of a part of PCQM-Contact, as PyG's LRGBDataset publishes it.

    Args:
        path: ``train.pt``, ``val.pt`` or ``test.pt``.
        node_sizes: Categories of each column of atoms; edge_sizes likewise of bonds.
    """
    found = read_torch(path)
    if not isinstance(found, list | tuple) or not found:
        raise UserError(f"{path} holds {called(found)}, not the graphs of PCQM-Contact")
    return [
        _graph(item, f"{path.name}[{i}]", node_sizes, edge_sizes) for i, item in enumerate(found)
    ]


def read_contact_table(path: Path) -> list[list[Data]]:
    """Training, validation and test part of a table of molecules and their contacts.

    Pairs labelled 0 are drawn as in :func:`make_contacts`, with seed 0.

    Args:
        path: A table with the columns ``smiles``, ``contacts`` (like ``5-14 9-12``: atoms of the
            molecule with its hydrogens, from 0) and ``split``.
    """
    table = read_own(path)
    parts: dict[str, list[Data]] = {part: [] for part in PARTS}
    rng = np.random.default_rng([3, 0])
    cells = zip(*(table.column(name) for name in ("smiles", "contacts", "split")), strict=True)
    for row, (smiles, contacts, part) in enumerate(cells, 1):
        try:
            mol = Chem.AddHs(parse_smiles(smiles))
            if part not in parts:
                raise UserError(f"part {part!r} is none of {', '.join(PARTS)}")
            links = _listed_links(contacts, mol.GetNumAtoms())
        except UserError as error:
            raise UserError(f"{path}, row {row}: {error}") from error
        parts[part].append(_labelled(molecule_to_data(mol, features="ogb"), links, rng))
    if not parts["train"] or not parts["val"]:
        raise UserError(f"{path} has no row of part train, or none of val; is it whole?")
    return list(parts.values())


def _listed_links(text: str, num_atoms: int) -> NDArray[np.bool_]:
    """``5-14 9-12`` -> symmetric ``[n, n]``."""
    links = np.zeros((num_atoms, num_atoms), dtype=bool)
    for word in text.split():
        ends = [int(end) for end in word.split("-")] if PAIR.fullmatch(word) else []
        if not ends or max(ends) >= num_atoms or ends[0] == ends[1]:
            raise UserError(f"contact {word!r} is no pair like 5-14 of its {num_atoms} atoms")
        links[ends, ends[::-1]] = True
    return links


def make_contacts(paths: list[Path], count: int, seed: int) -> list[Data]:
    """So many molecules of QM9 that have contacts, hydrogens included, in random order.

    Links are listed in both directions, each with two pairs labelled 0 from the same atom, drawn
    once. Molecules whose SMILES names the atoms in another order than the geometry are left out.

    Args:
        paths: The tables of package ``qm9pack``.
        count: How many.
        seed: Of the choice, the order and the pairs labelled 0.
    """
    rows = [row for path in paths for row in _geometries(path)]
    rng = np.random.default_rng([3, seed])
    made: list[Data] = []
    for place in rng.permutation(len(rows)).tolist():
        if len(made) == count:
            break
        smiles, elements, positions = rows[place]
        mol = Chem.AddHs(parse_smiles(smiles))
        symbols = [atom.GetSymbol() for atom in mol.GetAtoms()]
        if symbols != [word.strip(" '") for word in elements.strip("[]").split(",")]:
            continue
        links = find_contacts(mol, np.array(json.loads(positions)))
        if links.any():
            made.append(_labelled(molecule_to_data(mol, features="ogb"), links, rng))
    if len(made) < count:
        raise UserError(
            f"only {len(made):,} of {len(rows):,} molecules have contacts, {count:,} are wanted; "
            "take a smaller limit (data.limit)"
        )
    return made


def find_contacts(mol: Chem.Mol, positions: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which atoms are in contact: symmetric ``[n, n]``.

    Args:
        mol: The molecule, with hydrogens as atoms.
        positions: ``[n, 3]`` in Angstrom.
    """
    between = np.linalg.norm(positions[:, None] - positions, axis=2)
    near: NDArray[np.bool_] = (Chem.GetDistanceMatrix(mol) >= BONDS_APART) & (between < ANGSTROM)
    return near


def _geometries(path: Path) -> list[tuple[str, str, str]]:
    reader = TableReader(path)
    names = ("SMILES", "Elements", "XYZ_Ang")
    smiles, elements, positions = (
        find_column(reader.columns, n, str(path), own=True) for n in names
    )
    return [(row[smiles], row[elements], row[positions]) for row in reader]


def _labelled(data: Data, links: NDArray[np.bool_], rng: Generator) -> Data:
    """With its links, and as many other pairs from the same atoms as there are to be had."""
    positive = np.argwhere(links)  # [P, 2]
    negative = []
    for atom in np.flatnonzero(links.any(1)):
        others = np.flatnonzero(~links[atom])
        wanted = min(NEGATIVES * int(links[atom].sum()), len(others))
        negative += [(atom, other) for other in rng.choice(others, wanted, replace=False)]
    pairs = np.concatenate([positive, np.array(negative, dtype=np.int64).reshape(-1, 2)])
    data.edge_label_index = torch.from_numpy(np.ascontiguousarray(pairs.T))  # [2, P]
    data.edge_label = (torch.arange(len(pairs)) < len(positive)).int()  # [P]
    return data


def _graph(item: Any, name: str, node_sizes: tuple[int, ...], edge_sizes: tuple[int, ...]) -> Data:
    x, edge_attr, edge_index, pairs, label = take_tensors(item, KEYS, name)
    n = len(x)
    check_categories(x, node_sizes, n, name)
    check_pairs_of_nodes(edge_index, n, name)
    check_categories(edge_attr, edge_sizes, edge_index.size(1), name)
    check_pairs_of_nodes(pairs, n, f"{name}: edge_label_index")
    if label.numel() != pairs.size(1) or not ((label == 0) | (label == 1)).all():
        raise UserError(f"{name}: edge_label {list(label.shape)} is not 0 or 1 of each pair")
    return Data(
        x=x.long(),
        edge_index=edge_index,
        edge_attr=edge_attr.long(),
        edge_label_index=pairs,
        edge_label=label.flatten().int(),
    )
