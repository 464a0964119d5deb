"""What a reproduced table leaves behind: table.md, table.csv and a picture."""

from dataclasses import dataclass
from math import isnan, nan
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure

from ogeaug.files.output import save_figure, write_text
from ogeaug.pictures import BLUE, RED, legend_beside, new_figure, styled
from ogeaug.reproduce.behind import Runs, describe_runs, legend_lines, missing
from ogeaug.reproduce.schedule import Schedule
from ogeaug.reproduce.table import Column, PaperTable, Quote, Row
from ogeaug.training import run_folder
from ogeaug.training.result import FitResult, mean_and_std


@dataclass(frozen=True)
class Line:
    """A method in a column.

    Attributes:
        method: The paper's name, or ours where the paper has none.
        quote: The paper's figure.
        ours: Of each seed, in the paper's unit; empty if we did not train it.
        part: The part of the data that ours are of.
        runs: That gave them.
    """

    method: str
    quote: Quote | None
    ours: list[float]
    part: str
    runs: list[FitResult]

    @property
    def figure(self) -> str:
        mean, std = mean_and_std(self.ours)
        if isnan(mean):
            return "not defined"
        return f"{mean:.4g}" if len(self.ours) < 2 else f"{mean:.4g} ± {std:.2g}"


def write_report(folder: Path, table: PaperTable, schedule: Schedule, runs: Runs) -> None:
    """Writes table.md, table.csv and table.png.

    Args:
        folder: Where to.
        table: The paper's.
        schedule: All that is to be run.
        runs: Those that are finished.
    """
    columns = columns_of(table, runs)
    blocks = {column.name: lines_of(table, column, runs) for column in columns}
    write_text(folder / "table.md", as_markdown(table, schedule, blocks, runs))
    rows = [_record(column, line, schedule) for column in columns for line in blocks[column.name]]
    run_folder.write_table(
        folder / "table.csv", list(rows[0]), [list(record.values()) for record in rows]
    )
    save_figure(plot(table, blocks, legend_lines(schedule, runs)), folder / "table.png")


def columns_of(table: PaperTable, runs: Runs) -> list[Column]:
    """The columns for which there is a run."""
    groups = {training.group for training, _ in runs}
    return [column for group in table.groups if group.name in groups for column in group.columns]


def lines_of(table: PaperTable, column: Column, runs: Runs) -> list[Line]:
    """The paper's rows with ours beside them, then ours alone."""
    group = next(group.name for group in table.groups if column in group.columns)
    place = table.columns.index(column)
    rows: dict[str, Row] = {row.beside or row.label: row for row in table.rows}
    one_part = all(known.part == "test" for known in table.columns)
    found = []
    for method in dict.fromkeys([*table.quoted, *rows]):
        row = rows.get(method)
        mine = [r for t, r in runs if row and t.row == row.label and t.group == group]
        # Without a test part, the validation part stands for it, unless it has its own column.
        absent = one_part and not any("test" in r.metrics for r in mine)
        part = "val" if mine and absent else column.part
        # A small limit may leave a part without a graph, or with one class.
        figures = [column.times * r.metrics.get(part, {}).get(column.metric, nan) for r in mine]
        quote = table.quoted[method][place] if method in table.quoted else None
        if quote or figures:
            label = (
                method if row is None or row.label == method else f"{method} (ours: {row.label})"
            )
            found.append(Line(label, quote, figures, part, mine))
    return found


def as_markdown(
    table: PaperTable, schedule: Schedule, blocks: dict[str, list[Line]], runs: Runs
) -> str:
    """A table per column; what data, budget and time stand behind it."""
    out = [f"# {table.title}", "", f"Paper: {table.paper}. Ours: {describe_runs(schedule, runs)}."]
    for name, lines in blocks.items():
        head = ["method", "paper", "ours", "part", "parameters", "epochs", "seeds", "s per run"]
        out += ["", f"## {name}", "", f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
        for line in lines:
            cells = [line.method, str(line.quote or "")] + [""] * 6
            if line.ours:
                first = line.runs[0]
                seconds = sum(result.seconds for result in line.runs) / len(line.runs)
                cells[2:] = [line.figure, line.part, f"{first.parameters:,}", str(first.epochs)]
                cells += [str(len(line.ours)), f"{seconds:.0f}"]
            out.append(f"| {' | '.join(cells)} |")
    out += ["", *missing(table, schedule, runs), _so_far(schedule, runs)]
    return "\n".join(out).rstrip() + "\n"


def plot(table: PaperTable, blocks: dict[str, list[Line]], marks: list[str]) -> Figure:
    """A panel per column: the paper's figures hollow, ours filled; ``marks`` say what ours are."""
    most = max(len(lines) for lines in blocks.values())
    size = (7, max(2.5, 0.3 * most + 1) * len(blocks))
    with styled():
        figure = new_figure(*size)
        panels = figure.subplots(len(blocks), squeeze=False)[:, 0]
        for axes, (name, lines) in zip(panels, blocks.items(), strict=True):
            for height, line in enumerate(reversed(lines)):
                if line.quote:
                    x, error = line.quote.value, line.quote.deviation
                    axes.errorbar(x, height, xerr=error, fmt="o", color=BLUE, mfc="w")
                if line.ours:
                    x, error = mean_and_std(line.ours)
                    several = len(line.ours) > 1
                    axes.errorbar(x, height, xerr=error if several else None, fmt="s", color=RED)
            axes.set_yticks(range(len(lines)), [line.method for line in reversed(lines)])
            axes.plot([], [], "o", color=BLUE, mfc="w", label="paper (quoted)")
            axes.plot([], [], "s", color=RED, label="\n".join(["ours", *marks]))
            axes.set_xlabel(name)
        legend_beside(figure, panels[0])
        figure.suptitle(table.title)
    return figure


def _record(column: Column, line: Line, schedule: Schedule) -> dict[str, Any]:
    mean, std = mean_and_std(line.ours)
    first = line.runs[0] if line.runs else None
    return {
        "column": column.name,
        "method": line.method,
        "paper": line.quote.value if line.quote else "",
        "paper_deviation": (line.quote.deviation or "") if line.quote else "",
        "ours": mean if first else "",
        "ours_deviation": std if len(line.ours) > 1 else "",
        "part": line.part,
        "seeds": len(line.ours) or "",
        "parameters": first.parameters if first else "",
        "epochs": first.epochs if first else "",
        **{
            f"{name}_graphs": first.rows.get(part, 0) if first else ""
            for name, part in (("train", "train"), ("val", "val"), ("part", line.part))
        },
        "seconds_per_run": sum(r.seconds for r in line.runs) / len(line.runs) if first else "",
        "budget": schedule.asked["budget"] if first else "",
        "reduced_budget": ("no" if schedule.full else "yes") if first else "",
        "stand_in_data": first.stand_in if first else "",
    }


def _so_far(schedule: Schedule, runs: Runs) -> str:
    total = len(schedule.trainings)
    return "" if len(runs) == total else f"So far {len(runs)} of {total} runs."
