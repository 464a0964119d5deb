"""What stands behind the figures of a table, and what is missing to the paper's budget."""

from ogeaug.reproduce.budget import find_budget
from ogeaug.reproduce.choice import values_of
from ogeaug.reproduce.schedule import Schedule, Training
from ogeaug.reproduce.table import PaperTable
from ogeaug.training.result import FitResult

Runs = list[tuple[Training, FitResult]]


def describe_runs(schedule: Schedule, runs: Runs) -> str:
    """Budget, data and seeds in a line; data by column where they differ."""
    sizes = {group: _size(result) for group, result in _first(runs).items()}
    if len(set(sizes.values())) == 1:
        sizes = {"": next(iter(sizes.values()))}
    seeds = sorted({training.seed for training, _ in runs})
    words = [f"budget {schedule.asked['budget']}"]
    words += [f"{group}: {size}" if group else size for group, size in sizes.items()]
    words += [f"{schedule.epochs} epochs", f"seeds {', '.join(map(str, seeds))}"]
    words.append("the epoch with the best validation figure")
    words += [f"**stand-in data**: {text}" for text in _stand_ins(runs)]
    if not schedule.full:
        words.append("**reduced budget**")
    return "; ".join(words)


def legend_lines(schedule: Schedule, runs: Runs) -> list[str]:
    """The same for a legend."""
    seeds = len({training.seed for training, _ in runs})
    counts = [result.rows.get("train", 0) for result in _first(runs).values()]
    span = f"{min(counts):,}" + f" to {max(counts):,}" * (len(set(counts)) > 1)
    words = [f"{span} training graphs", f"{schedule.epochs:,} epoch(s), {seeds} seed(s)"]
    words += ["stand-in data"] * bool(_stand_ins(runs))
    return words + ["reduced budget"] * (not schedule.full)


def missing(table: PaperTable, schedule: Schedule, runs: Runs) -> list[str]:
    """What the paper's budget has that these runs do not, and what an epoch takes here."""
    if schedule.full:
        return []
    asked = schedule.asked
    found = []
    if "data.limit" in values_of(table, asked, find_budget(asked["budget"])):
        found.append("all graphs of the data")
    if _stand_ins(runs):
        found.append("the benchmark's own data")
    paper = schedule.paper_epochs
    if schedule.epochs < max(paper.values()):
        each = "; ".join(f"{label}: {count:,}" for label, count in paper.items())
        text = (
            f"epochs ({each})" if len({*paper.values()}) > 1 else f"{max(paper.values()):,} epochs"
        )
        found.append(f"{text}, here {schedule.epochs:,}")
    seeds, wanted = len({t.seed for t in schedule.trainings}), find_budget("paper").seeds
    if seeds < wanted:
        found.append(f"{wanted} seeds, here {seeds}")
    groups = {training.group for training in schedule.trainings}
    if left := [group.name for group in table.groups if group.name not in groups]:
        found.append(f"columns ({'; '.join(left)})")
    if left := [row.label for row in table.rows if row.label not in schedule.seconds]:
        found.append(f"rows ({'; '.join(left)})")
    seconds = "; ".join(f"{label}: {value:.1f}" for label, value in schedule.seconds.items())
    return [
        f"What is missing to the paper's budget (`--budget paper`): {', '.join(found)}. Seconds of "
        f"one core per epoch on the graphs above ({seconds})."
    ]


def _first(runs: Runs) -> dict[str, FitResult]:
    """A run of each group of columns: all of a group have the same data."""
    found: dict[str, FitResult] = {}
    for training, result in runs:
        found.setdefault(training.group, result)
    return found


def _size(result: FitResult) -> str:
    rows = ", ".join(f"{n:,} {part}" for part, n in result.rows.items() if n and part != "skipped")
    left = result.rows.get("skipped")
    unused = f" ({left:,} others could not be used: `skipped.csv` of each run)" if left else ""
    return f"{rows} graphs{unused}"


def _stand_ins(runs: Runs) -> list[str]:
    return list(dict.fromkeys(result.stand_in for _, result in runs if result.stand_in))
