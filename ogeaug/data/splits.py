"""Training, validation and test parts: random, by scaffold, by a column, by folds."""

import csv
from collections import defaultdict
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from ogeaug.data.parts import FURTHER, PARTS, TooFewRows
from ogeaug.errors import UserError
from ogeaug.files.output import writing_text


@dataclass(frozen=True)
class Split:
    """Row numbers (from 0) of each part, ascending; ``further`` has those of more test parts."""

    train: list[int]
    val: list[int]
    test: list[int]
    further: dict[str, list[int]] = field(default_factory=dict)

    @property
    def names(self) -> tuple[str, ...]:
        return *PARTS, *self.further

    def part(self, name: str) -> list[int]:
        found: list[int] = getattr(self, name) if name in PARTS else self.further[name]
        return found

    def renumbered(self, rows: list[int]) -> "Split":
        """With the numbers that stand in ``rows`` at these places."""
        train, val, test, *others = ([rows[i] for i in self.part(name)] for name in self.names)
        return Split(train, val, test, dict(zip(self.further, others, strict=True)))


def random_split(num_rows: int, sizes: tuple[float, float, float], seed: int) -> Split:
    """Shuffles and cuts.

    Example:
        >>> found = random_split(10, (0.8, 0.1, 0.1), seed=0)
        >>> found.train, found.val, found.test
        ([0, 1, 2, 3, 5, 7, 8, 9], [4], [6])
    """
    order = np.random.default_rng(seed).permutation(num_rows).tolist()
    _, num_val, num_test = _counts(num_rows, sizes)
    return _split(order[num_val + num_test :], order[:num_val], order[num_val:][:num_test])


def scaffold_split(smiles: list[str], sizes: tuple[float, float, float], seed: int) -> Split:
    """Keeps molecules of one Bemis-Murcko scaffold in one part; see :func:`group_split`."""
    from ogeaug.data.molecule import parse_smiles, scaffold

    return group_split([scaffold(parse_smiles(text)) for text in smiles], sizes, seed)


def group_split(groups: list[str], sizes: tuple[float, float, float], seed: int) -> Split:
    """Keeps rows of one group in one part.

    Groups larger than half of the validation or test part go to training; the rest is shuffled
    and dealt out, training first.

    Args:
        groups: Of each row, as :func:`ogeaug.data.molecule.scaffold` names it for molecules.
        sizes: Fractions of the parts.
        seed: Of the shuffle.
    """
    sets: dict[str, list[int]] = defaultdict(list)
    for row, name in enumerate(groups):
        sets[name].append(row)
    num_train, num_val, num_test = _counts(len(groups), sizes)
    large = min(num_val, num_test if sizes[2] else num_val) / 2
    ordered = [sets[key] for key in sorted(sets, key=lambda key: (-len(sets[key]), key))]
    big = [rows for rows in ordered if len(rows) > large]
    small = [rows for rows in ordered if len(rows) <= large]
    np.random.default_rng(seed).shuffle(small)
    parts: dict[str, list[int]] = {name: [] for name in PARTS}
    room = {"train": num_train, "val": num_val, "test": num_test}
    for rows in big + small:
        fits = [name for name in PARTS if len(parts[name]) + len(rows) <= room[name]]
        parts[fits[0] if fits else "train"] += rows
    return _split(parts["train"], parts["val"], parts["test"])


def column_split(values: list[str], column: str, rows: list[int] | None = None) -> Split:
    """Takes the parts from a column that says train, val or test in each row.

    Names that begin with ``test_`` are further test parts, each of which is measured.

    Args:
        values: Its cells, of the usable rows.
        column: Its name.
        rows: The numbers of these rows in the table, for messages; 0, 1, ... if absent.
    """
    spelling = {"valid": "val", "validation": "val", "training": "train"}
    parts: dict[str, list[int]] = {name: [] for name in PARTS}
    for row, value in enumerate(values):
        name = value.strip().lower()
        name = spelling.get(name, name)
        if name.startswith(FURTHER) and len(name) > len(FURTHER):
            parts.setdefault(name, [])
        if name not in parts:
            raise UserError(
                f"split column {column!r} holds {value!r} in row "
                f"{(rows[row] if rows else row) + 1}; expected one of "
                f"{', '.join(PARTS)}, or {FURTHER}... for a further test part"
            )
        parts[name].append(row)
    found = _split(parts["train"], parts["val"], parts["test"])
    return replace(found, further={name: parts[name] for name in sorted(set(parts) - set(PARTS))})


def fold_split(num_rows: int, num_folds: int, fold: int, seed: int) -> Split:
    """Fold ``fold`` is the test part, the next one validation, all others training."""
    check_folds(num_folds, num_rows)
    order = np.random.default_rng(seed).permutation(num_rows).tolist()
    folds = [order[i::num_folds] for i in range(num_folds)]
    held = {fold, (fold + 1) % num_folds}
    train = [row for i, rows in enumerate(folds) if i not in held for row in rows]
    return _split(train, folds[(fold + 1) % num_folds], folds[fold])


def check_folds(num_folds: int, num_rows: int | None = None) -> None:
    """Refuses too few folds, or, if their number is known, too few rows for them."""
    if num_folds < 3 or (num_rows is not None and num_folds > num_rows):
        rows = "" if num_rows is None else f" of {num_rows} rows"
        raise UserError(
            f"{num_folds} folds{rows}: at least 3 folds and as many rows are needed "
            "(one fold tests, one validates, the rest trains)"
        )


def check_sizes(sizes: tuple[float, float, float]) -> None:
    """Refuses fractions that cannot be dealt out."""
    if (
        any(size < 0 for size in sizes)
        or not abs(sum(sizes) - 1) <= 1e-6  # NaN, too
        or not sizes[0]
        or not sizes[1]
    ):
        raise UserError(
            f"split sizes {sizes} must be fractions for train, val, test that sum to 1, with some "
            "for train and val, like 0.8 0.1 0.1"
        )


def write_split(split: Split, path: Path) -> None:
    """Saves a split as a table: row (from 0), part."""
    rows = sorted((row, part) for part in split.names for row in split.part(part))
    with writing_text(path) as file:
        writer = csv.writer(file)
        writer.writerow(["row", "part"])
        writer.writerows(rows)


def _counts(num_rows: int, sizes: tuple[float, float, float]) -> tuple[int, int, int]:
    check_sizes(sizes)
    num_val, num_test = (max(1, round(size * num_rows)) if size else 0 for size in sizes[1:])
    num_train = num_rows - num_val - num_test
    if num_train < 1:
        raise TooFewRows(
            f"{num_rows} usable row(s) are too few to split into train, val and test; at least "
            "3 are needed",
            " (with hardly anything to learn: hundreds are better)",
        )
    return num_train, num_val, num_test


def _split(train: list[int], val: list[int], test: list[int]) -> Split:
    if not train or not val:
        raise TooFewRows(
            f"the split gives {len(train)} training and {len(val)} validation rows; both need at "
            "least one",
            ": use other --split-sizes, a random split, or more data",
        )
    return Split(sorted(train), sorted(val), sorted(test))
