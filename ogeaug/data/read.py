"""The rows of a table -> graphs with targets; each cell is read, and each SMILES parsed, once."""

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import partial

import torch
from rdkit import Chem
from rich.progress import track
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.data.cells import check_cells
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.convert import convert_graph6, convert_molecule
from ogeaug.data.limits import check_atoms
from ogeaug.data.molecule import FEATURES, parse_smiles, scaffold
from ogeaug.data.parts import Skipped
from ogeaug.data.sets.base import Rows, TableSet
from ogeaug.data.targets import read_targets
from ogeaug.data.waiting import waiting
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig, TaskConfig

Values = dict[str, list[float]]
"""Computed columns: NaN where there is no molecule."""


@dataclass(frozen=True, eq=False)
class Converted:
    """A table that was read.

    Attributes:
        graphs: Of the usable rows, with targets, by row.
        skipped: The other rows.
        checksum: Of the whole table.
        named: The part of each row, if a column says it.
        scaffolds: Of the usable rows, if they are wanted.
    """

    graphs: dict[int, Data]
    skipped: list[Skipped]
    checksum: str
    named: list[str] = field(default_factory=list)
    scaffolds: dict[int, str] = field(default_factory=dict)


def read_table(
    known: TableSet,
    data: DataConfig,
    split: SplitConfig,
    features: FeaturesConfig,
    task: TaskConfig,
    progress: bool,
) -> Converted:
    """Reads and converts a table.

    Args:
        known: The data set.
        data, split, features, task: What is wanted of it, checked and filled in.
        progress: Whether to show a progress bar.
    """
    with waiting(f"Reading {known.title(data)}", progress):
        rows = known.read(data)
    table, column = rows.table, known.column(data)
    if not table.rows:
        raise UserError(f"{table.name} has column names but no rows; is it complete?")
    y = _text_targets(rows, task)
    named = [] if split.column is None else table.column(split.column)
    wants_scaffolds = split.type == "scaffold"
    if not uses_graphs(known, features):
        rows = replace(rows, graphs=[])
    graphs, skipped, values, scaffolds = _convert(
        rows, column, data, features, scaffolds=wants_scaffolds, progress=progress
    )
    for place, name in enumerate(task.targets):
        if name in values:
            check_cells(name, list(values[name]), table, task.classes)
            y[:, place] = torch.tensor(values[name], dtype=torch.float64)
    texts = table.column(column)
    for row in [row for row in graphs if y[row].isnan().all()]:
        skipped.append(Skipped(row, texts[row], "no target value"))
        del graphs[row]
    if not graphs:
        reason = f"; the first: {skipped[0].reason}" if skipped else ""
        hint = "; for graph6 strings add --set features.kind=graph6" if skipped else ""
        hint = hint if features.kind in FEATURES and not table.own else ""
        raise UserError(
            f"none of the {len(table.rows)} rows of {table.name} is usable{reason}{hint}"
        )
    for row, graph in graphs.items():
        graph.y = y[row].unsqueeze(0)  # [1, targets] float64
        graph.row = torch.tensor([row])
    skipped.sort(key=lambda left: left.row)
    return Converted(graphs, skipped, _checksum(rows, values), named, scaffolds)


def _text_targets(rows: Rows, task: TaskConfig) -> Tensor:
    """``[rows, targets]``; NaN in columns that are yet to be computed."""
    y = torch.full((len(rows.table.rows), len(task.targets)), math.nan, dtype=torch.float64)
    text = [place for place, name in enumerate(task.targets) if name not in rows.computed]
    if text:
        names = [task.targets[place] for place in text]
        y[:, text] = read_targets(rows.table, names, classes=task.classes)
    return y


def _convert(
    rows: Rows,
    column: str,
    data: DataConfig,
    features: FeaturesConfig,
    *,
    scaffolds: bool,
    progress: bool,
) -> tuple[dict[int, Data], list[Skipped], Values, dict[int, str]]:
    """Graphs by row, rows left out, computed columns, and scaffolds by row, in one pass: molecules
    are not kept, since a table may have a million."""
    cells: Iterable[str] = rows.table.column(column)
    total = len(rows.table.rows)
    if progress:
        cells = track(cells, description="Reading graphs", total=total, transient=True)
    graphs: dict[int, Data] = {}
    skipped: list[Skipped] = []
    # Of what has computed columns all rows are parsed: the checksum is of all of them.
    parse = partial(parse_smiles, max_atoms=None if rows.computed else data.max_atoms)
    values: Values = {name: [math.nan] * total for name in rows.computed}
    found: dict[int, str] = {}
    for row, text in enumerate(cells):
        mol = None
        try:
            if rows.graphs:
                mol = parse(text) if scaffolds else None
                check_atoms(rows.graphs[row].num_nodes or 0, data.max_atoms)
                graphs[row] = rows.graphs[row]
            elif features.kind == "graph6":
                graphs[row] = convert_graph6(text, data.max_atoms)
            else:
                mol = _molecule(rows, row, features) if rows.molecules else parse(text)
                graphs[row] = convert_molecule(mol, features, data.max_atoms)
        except UserError as error:
            skipped.append(Skipped(row, text, str(error)))
        if mol is not None:  # also if it is too large
            for name, compute in rows.computed.items():
                values[name][row] = compute(mol)
            if scaffolds and row in graphs:
                found[row] = scaffold(mol)
    return graphs, skipped, values, found


def uses_graphs(known: TableSet, features: FeaturesConfig) -> bool:
    """Whether the graphs of a set's files have the features that are asked for."""
    plain = not features.hydrogens and not features.ignore_stereo
    return features.kind == known.features and plain


def _molecule(rows: Rows, row: int, features: FeaturesConfig) -> Chem.Mol:
    mol = rows.molecules[row]
    if mol is None:
        raise UserError("RDKit cannot read this molecule of the file")
    if rows.with_hydrogens and not features.hydrogens:
        mol = Chem.RemoveHs(mol, updateExplicitCount=True, sanitize=False)
        mol.UpdatePropertyCache(strict=False)
    return mol


def _checksum(rows: Rows, values: Values) -> str:
    """Of names and cells, numbers that were computed as Python writes them."""
    table, cells = rows.table, rows.table.rows
    if values:
        text = {name: [row[i] for row in cells] for i, name in enumerate(table.columns)}
        text |= {name: list(map(repr, column)) for name, column in values.items()}
        cells = list(map(list, zip(*(text[name] for name in rows.columns), strict=True)))
    kept = [i for i, name in enumerate(rows.columns) if name not in rows.derived]
    if rows.derived:
        cells = [[row[i] for i in kept] for row in cells]
    digest = hashlib.sha256(repr(([rows.columns[i] for i in kept], cells)).encode())
    for graph in rows.graphs:
        for name in ("x", "edge_index", "edge_attr"):
            if graph.get(name) is not None:
                digest.update(graph[name].numpy().tobytes())
    return digest.hexdigest()
