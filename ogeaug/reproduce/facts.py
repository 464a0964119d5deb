"""Tables that need no training: parameters and time of the paper's configurations."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from rich.console import Console

from ogeaug.data.config import DataConfig
from ogeaug.data.convert import with_sizes
from ogeaug.data.sets import find_set
from ogeaug.data.sets.paper import PAPER
from ogeaug.data.stats import describe_set
from ogeaug.errors import UserError
from ogeaug.files.output import write_text
from ogeaug.model.graph_model import GraphModel
from ogeaug.reproduce.check import check_some_data
from ogeaug.reproduce.settings import settings
from ogeaug.training import run_folder
from ogeaug.training.begun_folder import begun_folder
from ogeaug.training.config import load_config
from ogeaug.training.epoch_time import epoch_seconds
from ogeaug.training.prepare import prepare

MEASURED = 256
"""Graphs on which an epoch is measured: a few batches."""


@dataclass(frozen=True)
class FactTable:
    """A finished table.

    Attributes:
        title: What it is.
        columns: Of the table.
        rows: Cells as text.
        note: What stands behind the figures.
    """

    title: str
    columns: list[str]
    rows: list[list[Any]]
    note: str

    def markdown(self) -> str:
        lines = [f"| {' | '.join(map(str, row))} |" for row in (self.columns, *self.rows)]
        lines.insert(1, "|---" * len(self.columns) + "|")
        return "\n".join([f"# {self.title}", "", *lines, "", self.note, ""])


def parameters_table(console: Console, asked: dict[str, Any]) -> FactTable:
    """Parameters of our models beside the paper's."""
    rows = []
    for name, paper in settings().items():
        config = load_config(name)
        config = config.model_copy(update={"features": with_sizes(config.features)})
        with torch.device("meta"):  # no memory
            model = GraphModel.from_config(config.model_part())
        ours, encoder = (
            model.num_parameters,
            sum(p.numel() for p in model.encodings[0].parameters()),
        )
        rows.append([paper.set, f"`{name}`", f"{paper.parameters:,}", f"{ours:,}"])
        rows[-1].append(f"{100 * (ours / paper.parameters - 1):+.1f} %")
        rows[-1].append(f"{encoder:,}")
    columns = ["data set", "configuration", "paper", "ours", "difference", "our OGE-Aug"]
    note = "Trainable parameters of the whole model, and of OGE-Aug alone."
    return FactTable("Parameters", columns, rows, note)


def datasets_table(console: Console, asked: dict[str, Any]) -> FactTable:
    """Graphs, nodes and edges of the data sets, beside the paper's figures."""
    rows = []
    for name, paper in PAPER.items():
        console.print(f"counting: {name}", markup=False)
        cells = [f"{paper.graphs:,}", f"{paper.nodes:g}", f"{paper.edges:,g}"]
        try:
            found = describe_set(
                name, asked["data_path"], limit=asked["graphs"], progress=not console.quiet
            )
        except UserError as error:
            rows.append([name, *cells, "", "", "", _left_out(name, name, asked, error, console)])
            continue
        total = found.total()
        cells += [f"{total['graphs']:,.0f}", f"{total['nodes']:.1f}"]
        cells += [f"{total['edges'] * (2 if paper.twice else 1):,.2f}"]
        rows.append(
            [name, *cells, f"stand-in: {found.stand_in}" if found.stand_in else "its own files"]
        )
    columns = ["data set", "graphs (paper)", "nodes", "edges", "graphs (ours)", "nodes", "edges"]
    note = (
        "Nodes and edges are means per graph. The paper counts an edge once for some sets and in "
        "both directions for others; ours are counted as the paper's are, and once where its "
        f"figure is neither ({', '.join(name for name, row in PAPER.items() if row.twice is None)})"
        ". "
    )
    if asked["graphs"]:
        note += f"At most {asked['graphs']:,} graphs (--graphs) were counted."
    return FactTable("Data sets", [*columns, "from"], rows, note.strip())


def time_table(console: Console, asked: dict[str, Any]) -> FactTable:
    """Seconds per epoch of the paper's configurations on this machine, beside the paper's."""
    rows = []
    for name, paper in settings().items():
        console.print(f"measuring an epoch: {name}", markup=False)
        config = load_config(name, None, {"data.limit": MEASURED, "data.path": asked["data_path"]})
        try:
            prepared = prepare(config, progress=not console.quiet)
        except UserError as error:
            why = _left_out(name, config.data.name, asked, error, console)
            rows.append([paper.set, f"`{name}`", f"{paper.seconds:g}", why, ""])
            continue
        config = prepared.config
        count = len(prepared.parts.train)
        few = epoch_seconds(config, prepared.parts)
        whole = few * paper.train / count
        rows.append([paper.set, f"`{name}`", f"{paper.seconds:g}", f"{whole:.0f}"])
        rows[-1].append(f"{whole * config.training.epochs / 3600:.1f}")
    columns = ["data set", "configuration", "paper, s per epoch", "ours, s per epoch", "ours, h"]
    note = (
        "Another machine than the authors': an order of magnitude, no race. "
        f"Ours: one core, measured on a few batches of at most {MEASURED} graphs (stand-in data "
        "where the benchmark's are absent), scaled to the benchmark's training part; hours for the "
        "paper's epochs."
    )
    return FactTable("Time per epoch", columns, rows, note)


def _left_out(
    title: str, name: str, asked: dict[str, Any], error: UserError, console: Console
) -> str:
    """Says why a row has no figures; in its cell, whether data are absent or cannot be used."""
    console.print(f"{title} is left out: {error}", markup=False)
    try:
        find_set(name).check_there(DataConfig(name=name, path=asked["data_path"]))
    except UserError:
        return "no data"
    return f"cannot be used: {error}".replace("|", "/").replace("\n", " ")


_MAKE: dict[str, Callable[[Console, dict[str, Any]], FactTable]] = {
    "datasets": datasets_table,
    "params": parameters_table,
    "time": time_table,
}


def write_facts(
    name: str, folder: Path, asked: dict[str, Any] | None = None, *, progress: bool = True
) -> Path:
    """Makes one of the tables and writes table.md and table.csv into a new folder.

    Args:
        name: One of :data:`ogeaug.reproduce.table.FACTS`.
        folder: A new one.
        asked: ``data_path`` and ``graphs``, for the tables that read data.
        progress: Whether to show progress.
    """
    asked = {"data_path": None, "graphs": None} | (asked or {})
    check_some_data(name, asked["data_path"])
    console = Console(stderr=True, quiet=not progress)
    with begun_folder(folder):
        table = _MAKE[name](console, asked)
        write_text(folder / "table.md", table.markdown())
        run_folder.write_table(folder / "table.csv", table.columns, table.rows)
    return folder / "table.md"
