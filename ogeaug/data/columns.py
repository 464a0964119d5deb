"""Names of columns: where one stands, and which are still free."""

from ogeaug.errors import UserError


def unused_names(wanted: list[str], columns: list[str]) -> list[str]:
    """Names for new columns beside others: as wanted, with underscores where a name is taken.

    Example:
        >>> unused_names(["pred_y", "pred_y_", "status"], ["smiles", "pred_y"])
        ['pred_y__', 'pred_y_', 'status']
    """
    taken = {*columns, *wanted}
    names: list[str] = []
    for name in wanted:
        if name in columns or name in names:
            while name in taken:
                name += "_"
            taken.add(name)
        names.append(name)
    return names


FOREIGN = "is it of another data set, or cut off? Fetch the benchmark's own again"
"""What to do about a file that has a benchmark's name and something else in it."""


def find_column(
    columns: list[str],
    name: str,
    table: str,
    *,
    own: bool = False,
    option: str = "--smiles-columns, --target-columns",
) -> int:
    """The place of a column; an error that lists the choices if there is not exactly one.

    Args:
        columns: Of the table.
        name: Of the column.
        table: What to call the table.
        own: Whether it is a benchmark's, whose columns no option names.
        option: By which another one is named.
    """
    places = [i for i, column in enumerate(columns) if column == name]
    if len(places) > 1:
        numbers = ", ".join(str(i + 1) for i in places)
        raise UserError(
            f"{table} has {len(places)} columns named {name!r} (columns {numbers}); rename all but "
            "one of them"
        )
    if not places:
        shown = ", ".join(columns[:20]) + (", ..." if len(columns) > 20 else "")
        if own:
            raise UserError(f"{table} has no column {name!r}; it has: {shown}; {FOREIGN}")
        hint = "" if columns[0] == "column_1" else "; if the first line is data, --no-header-row"
        raise UserError(
            f"{table} has no column {name!r}; it has: {shown}. Name another one ({option}){hint}"
        )
    return places[0]
