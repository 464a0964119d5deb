"""What a search leaves behind: all of its cells, and which were chosen."""

from pathlib import Path

from ogeaug.compare.search import Cell, val_figure
from ogeaug.files.output import write_text
from ogeaug.tasks import make_task
from ogeaug.training import run_folder
from ogeaug.training.result import FitResult

Record = tuple[Cell, FitResult, bool]


def write_search(folder: Path, records: list[Record], seed: int) -> None:
    """Writes search.csv and search.md: a line per cell, those of an entry together."""
    first = records[0][0].config
    metric = make_task(first.task, first.training.loss).main
    keys = list(dict.fromkeys(key for cell, _, _ in records for key in cell.values))
    columns = ["encoding", "cell", *keys, f"val_{metric}", "best_epoch", "epochs", "seconds"]
    rows = [
        [
            cell.label,
            cell.number,
            *(cell.values.get(key, "") for key in keys),
            val_figure(cell, result),
            result.best_epoch,
            result.epochs,
            result.seconds,
            "yes" if best else "",
        ]
        for cell, result, best in records
    ]
    run_folder.write_table(folder / "search.csv", [*columns, "chosen"], rows)
    head = ["encoding", *keys, f"val {metric}", "chosen"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for cell, result, best in records:
        values = [str(cell.values.get(key, "-")) for key in keys]
        cells = [f"`{cell.label}`", *values, f"{val_figure(cell, result):.4f}", "yes" * best]
        lines.append(f"| {' | '.join(cells)} |")
    epochs = max(result.epochs for _, result, _ in records)
    lines += ["", f"Seed {seed}, {epochs} epochs; the test part was not there."]
    if not all(result.epochs for _, result, _ in records):
        lines += ["", "nan: the loss became NaN."]
    write_text(folder / "search.md", "\n".join(lines) + "\n")


def chosen_text(records: list[Record], seed: int) -> str:
    """What was chosen, in a few lines for the main table."""
    chosen = [
        f"`{cell.label}`: "
        + (", ".join(f"{key}={value}" for key, value in cell.values.items()) or "nothing to choose")
        for cell, _, best in records
        if best
    ]
    return (
        f"\nChosen for each by validation data alone, seed {seed}, of {len(records)} cells in all "
        f"(search.md): {'; '.join(chosen)}.\n"
    )
