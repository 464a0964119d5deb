"""Runs BREC pair by pair; what is done is kept in a folder, from which a run goes on."""

import csv
import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ogeaug.errors import UserError
from ogeaug.files.json_text import parse_json, read_text
from ogeaug.files.output import write_text
from ogeaug.measure.brec.files import Sample
from ogeaug.measure.brec.table import to_csv, to_markdown
from ogeaug.measure.scoring import Result, write_csv

CONDITIONS, RESULTS = "conditions.json", "pairs.csv"
OLD_CONDITIONS = "plan.json"
"""What earlier versions called them; a folder that has them goes on, under the new name."""
SECONDS = 2.0
"""Between two writes: what a kill can cost."""
FIX = "choose another folder, or delete this one to start anew"

Score = Callable[[Iterable[Sample]], Iterator[Result]]


@dataclass(frozen=True)
class Conditions:
    """What must be the same for a run to go on.

    Attributes:
        protocol: ``criterion`` or ``rpc``.
        by: The networks.
        seed: Of weights and relabellings.
        graphs: A digest of all pairs.
    """

    protocol: str
    by: str
    seed: int
    graphs: str


def find_conditions(samples: Sequence[Sample], protocol: str, by: str, seed: int) -> Conditions:
    digest = hashlib.sha256()
    for sample in samples:
        digest.update(json.dumps([sample.name, sample.part, *sample.texts]).encode())
    return Conditions(protocol, by, seed, digest.hexdigest()[:16])


def kept_results(folder: Path, conditions: Conditions) -> dict[str, Result]:
    """Results by name of their pair, of an earlier run under these conditions; none if none was.

    Raises:
        UserError: The folder is of another run, or of something else.
    """
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return {}
    files = [folder / name for name in (CONDITIONS, OLD_CONDITIONS)]
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        raise UserError(f"{folder} holds something else than a run of BREC; {FIX}")
    old = parse_json(read_text(file, FIX), str(file), FIX)
    new = vars(conditions)
    if not isinstance(old, dict) or set(old) != set(new):
        raise UserError(f"{file} is not of a run of BREC; {FIX}")
    differ = [f"{name} {old[name]!r}, now {new[name]!r}" for name in new if old[name] != new[name]]
    if differ:
        raise UserError(f"{folder} is of another run ({'; '.join(differ)}); {FIX}")
    if not (folder / RESULTS).is_file():
        return {}
    return _read_results(folder / RESULTS)


def run_brec(
    samples: Sequence[Sample],
    conditions: Conditions,
    score: Score,
    folder: Path | None = None,
    done: Callable[[Result], None] = lambda result: None,
) -> list[Result]:
    """A result for each pair, in the order of the pairs.

    Args:
        samples: The pairs.
        conditions: What is run.
        score: Gives the results of pairs that were not yet compared.
        folder: Where results are kept: ``conditions.json``, ``pairs.csv``, and at the end
            ``table.csv`` and ``table.md``. Those of an earlier run under the same conditions are
            not computed again.
        done: Called with each result.
    """
    kept = {} if folder is None else kept_results(folder, conditions)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        write_text(folder / CONDITIONS, json.dumps(vars(conditions), indent=2) + "\n")
        (folder / OLD_CONDITIONS).unlink(missing_ok=True)
    for sample in samples:
        if sample.name in kept:
            done(kept[sample.name])
    written = time.monotonic()
    try:
        for result in score(sample for sample in samples if sample.name not in kept):
            kept[result.pair] = result
            done(result)
            if folder is not None and time.monotonic() - written > SECONDS:
                write_csv(kept.values(), folder / RESULTS)
                written = time.monotonic()
    finally:
        if folder is not None:
            write_csv(kept.values(), folder / RESULTS)
    results = [kept[sample.name] for sample in samples]
    if folder is not None:
        write_csv(results, folder / RESULTS)
        write_text(folder / "table.csv", to_csv(results))
        table = to_markdown(results, conditions.protocol, conditions.by, conditions.seed)
        write_text(folder / "table.md", table)
    return results


def _read_results(path: Path) -> dict[str, Result]:
    try:
        rows = list(csv.DictReader(read_text(path, FIX).splitlines()))
        return {row["pair"]: _result(row) for row in rows}
    except (KeyError, ValueError, TypeError) as error:
        raise UserError(f"{path} is damaged ({error!r}); {FIX}") from error


def _result(row: dict[str, str]) -> Result:
    if row["distinguished"] not in ("True", "False"):
        raise ValueError(f"distinguished is {row['distinguished']!r}")
    return Result(
        row["category"],
        row["pair"],
        int(row["nodes"]),
        row["distinguished"] == "True",
        row["by"],
        int(row["seed"]),
        float(row["distance"]),
        float(row["noise"]),
        float(row["threshold"]),
        float(row["seconds"]),
        row["reason"],
    )
