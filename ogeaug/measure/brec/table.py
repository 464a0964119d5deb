"""Results of BREC by category."""

import csv
import io
from collections.abc import Sequence

from ogeaug.measure.brec.parts import in_order
from ogeaug.measure.scoring import Result

HEAD = ["category", "told apart", "of", "unreliable", "not tried"]


def to_rows(results: Sequence[Result]) -> list[list[str]]:
    """Category, told apart, number of pairs, failed reliability, passed over; the sum at the end.

    A category of several parts has a row of its own, then one for each part.
    """
    parts = sorted({result.category for result in results}, key=lambda p: (in_order(p), p))
    groups = list(dict.fromkeys(part.split(", ")[0] for part in parts))
    rows = []
    for group in groups:
        inside = [part for part in parts if part.split(", ")[0] == group]
        rows.append(_row(group, [r for r in results if r.category in inside]))
        if inside != [group]:
            named = [(part.split(", ", 1)[1], part) for part in inside]
            rows += [_row(f"- {n}", [r for r in results if r.category == p]) for n, p in named]
    return [*rows, _row("all", list(results))]


def to_csv(results: Sequence[Result]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEAD, *to_rows(results)])
    return text.getvalue()


def to_markdown(results: Sequence[Result], protocol: str, by: str, seed: int) -> str:
    lines = [HEAD, ["---"] * len(HEAD), *to_rows(results)]
    seconds = sum(result.seconds for result in results)
    about = f"BREC by {protocol}: {by}, seed {seed}, {seconds:.0f} s.\n\n"
    return about + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _row(name: str, results: Sequence[Result]) -> list[str]:
    apart = sum(result.distinguished for result in results)
    unreliable = sum(result.reason.startswith("reliability failed") for result in results)
    missed = sum("not tried" in result.reason and not result.distinguished for result in results)
    return [name, *map(str, (apart, len(results), unreliable, missed))]
