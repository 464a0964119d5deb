"""Statistics of a data set, counted from the data, beside those that the paper prints."""

from dataclasses import dataclass

from ogeaug.data.config import DataConfig
from ogeaug.data.parts import Skipped
from ogeaug.data.sets import find_set
from ogeaug.data.sets.paper import PAPER, PaperRow
from ogeaug.errors import UserError
from ogeaug.model.config import TaskConfig
from ogeaug.task_names import TASK_FACTS

HEAD = ["", "graphs", "nodes", "edges", "both directions", "level", "task", "metric"]


@dataclass(frozen=True)
class SetStatistics:
    """What a data set holds.

    Attributes:
        name: Of the set.
        kind: Level, task and metric, in the paper's words.
        parts: Of each part: graphs, mean nodes, mean edges (each counted once).
        skipped: What could not be used, and why.
        stand_in: What the data are instead of the benchmark's own; empty if they are.
        paper: The paper's row, if it has one.
        limited: Whether a limit left graphs out.
    """

    name: str
    kind: tuple[str, str, str]
    parts: dict[str, dict[str, float]]
    skipped: list[Skipped]
    stand_in: str
    paper: PaperRow | None
    limited: bool = False

    def total(self) -> dict[str, float]:
        """Of all parts together."""
        graphs = sum(part["graphs"] for part in self.parts.values())
        means = {
            key: sum(part["graphs"] * part[key] for part in self.parts.values()) / graphs
            for key in ("nodes", "edges")
        }
        return {"graphs": graphs, **means}

    def lines(self) -> list[list[str]]:
        """A table: the whole, the paper's row, each part."""
        found = [HEAD, [self.name, *_figures(self.total()), *self.kind]]
        if self.paper is not None:
            p = self.paper
            edges = [f"{p.edges:,.2f}", ""] if not p.twice else ["", f"{p.edges:,.2f}"]
            found.append(["paper", f"{p.graphs:,}", f"{p.nodes:.2f}", *edges])
            found[-1] += [p.level, p.task, p.metric]
        found += [[part, *_figures(means), "", "", ""] for part, means in self.parts.items()]
        return found

    def notes(self) -> list[str]:
        """What to know of it."""
        found = [f"stand-in data: {self.stand_in}"] if self.stand_in else []
        if self.paper is not None and self.paper.twice is None:
            found.append(
                "the paper's mean number of edges is neither that of edges counted once nor twice"
            )
        if self.skipped:
            found.append(f"{len(self.skipped):,} molecules could not be used; the first:")
            taken = " of those taken" if self.limited else ""
            found += [
                f"  row {s.row + 1}{taken}, {s.text[:60]}: {s.reason}" for s in self.skipped[:5]
            ]
        return found


def describe_set(
    name: str, path: str | None = None, *, limit: int | None = None, progress: bool = True
) -> SetStatistics:
    """Counts what a data set holds.

    Args:
        name: Of the set.
        path: The folder of its files.
        limit: See :class:`ogeaug.data.config.DataConfig`.
        progress: Whether to show progress.

    Example:
        >>> found = describe_set("cluster", limit=20, progress=False)
        >>> found.total()["graphs"], found.paper.graphs, found.kind
        (24.0, 12000, ('node', 'classification', 'Accuracy'))
    """
    known = find_set(name)
    if name == "csv":
        raise UserError(
            "statistics are for data sets by name: ogeaug data list; of a table of yours, "
            "ogeaug.data.load_data(FILE).statistics()"
        )
    data = DataConfig(name=name, path=path, limit=limit)
    known.check_there(data)  # what is absent is told before torch is loaded
    from ogeaug.data.load import load_data

    task = TaskConfig(targets=list(known.targets[:1]))  # graphs are the same for all
    found = load_data(data, task=task, progress=progress)
    words = TASK_FACTS[known.task].words
    paper, limited = PAPER.get(name), limit is not None
    return SetStatistics(
        name, words, found.statistics(), found.skipped, found.stand_in, paper, limited
    )


def _figures(means: dict[str, float]) -> list[str]:
    graphs, nodes, edges = (means[key] for key in ("graphs", "nodes", "edges"))
    return [f"{graphs:,.0f}", f"{nodes:.2f}", f"{edges:,.2f}", f"{2 * edges:,.2f}"]
