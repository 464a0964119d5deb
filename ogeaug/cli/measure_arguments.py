"""Arguments of ``ogeaug measure``, checked as they are parsed: before torch is loaded."""

import math
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ogeaug.encodings import ENCODINGS, about_edges
from ogeaug.errors import CannotWrite, UserError
from ogeaug.files.output import check_output, is_stdout

if TYPE_CHECKING:
    import networkx as nx

MOST_NODES = 100_000


def find_graph(text: str) -> "Callable[[], nx.Graph]":
    """What makes the graph of ``--graph``.

    Example:
        >>> find_graph("cycle:12")().number_of_edges()
        12
    """
    import networkx as nx

    from ogeaug.measure.families.strongly_regular import rook
    from ogeaug.measure.pairs import parse_graph6

    named = {
        "cycle": nx.cycle_graph,
        "star": lambda n: nx.star_graph(n - 1),
        "complete": nx.complete_graph,
        "path": nx.path_graph,
    }
    most = {"complete": 3_000}
    name, _, size = text.partition(":")
    if name == "graph6":
        try:
            graph = parse_graph6(size, "--graph")
        except ValueError as error:
            raise typer.BadParameter(str(error)) from error
        return lambda: graph
    if text == "rook":
        return rook
    digits = size.lstrip("0")
    if name not in named or not (size.isascii() and size.isdecimal()) or digits in ("", "1"):
        choices = ", ".join(f"{known}:SIZE" for known in named)
        raise typer.BadParameter(f"{text!r} is not one of {choices}, rook, graph6:TEXT")
    if len(digits) > 9 or int(digits) > most.get(name, MOST_NODES):
        raise typer.BadParameter(
            f"{text[:30]} is too large: at most {most.get(name, MOST_NODES):,}"
        )
    return lambda: named[name](int(digits))


def _graph(text: str) -> str:
    find_graph(text)
    return text


def _encoding(name: str | None) -> str | None:
    try:
        if name is not None:
            ENCODINGS.check(name)
    except UserError as error:
        raise typer.BadParameter(str(error)) from error
    return name


def _encodings(names: list[str] | None) -> list[str] | None:
    for name in names or []:
        _encoding(name)
    return names


def _node_encodings(names: list[str] | None) -> list[str] | None:
    for name in _encodings(names) or []:
        if ENCODINGS.level(name) == "edge":
            raise typer.BadParameter(
                f"{about_edges(name)}; when an edge goes, its features go with it, so their change "
                "cannot be measured"
            )
    return names


def finite(value: float | None) -> float | None:
    if value is not None and not 0 < value < math.inf:
        raise typer.BadParameter(f"must be positive and finite, got {value:g}")
    return value


def _writable(path: Path | None) -> Path | None:
    """Said now, not after an hour of measuring."""
    if path is not None:
        try:
            check_output(path)
        except CannotWrite as error:
            raise typer.BadParameter(str(error)) from error
    return path


def check_files(*outputs: Path | None, sources: Iterable[str] = ()) -> None:
    """Refuses one file for two purposes, of which one would be lost."""
    there = [path.resolve() for path in outputs if path is not None and not is_stdout(path)]
    if len(set(there)) < len(there):
        raise typer.BadParameter(f"--csv and --figure are one file, {there[0]}; choose two names")
    for source in sources:
        if Path(source).exists() and Path(source).resolve() in there:
            raise typer.BadParameter(f"--csv {source} is the input; choose another name")


def _drawable(path: Path | None) -> Path | None:
    if path is not None and path.suffix:
        from matplotlib.backend_bases import FigureCanvasBase  # slow to import

        known = FigureCanvasBase.filetypes
        if path.suffix[1:].lower() not in known:
            endings = ", ".join(f".{kind}" for kind in known)
            raise typer.BadParameter(f"{path}: no kind of picture; choose from {endings}")
    return _writable(path)


ENCODING = Annotated[
    list[str] | None,
    typer.Option("--encoding", "-e", help="Name of an encoding; repeatable.", callback=_encodings),
]
NODE_ENCODINGS = Annotated[
    list[str] | None,
    typer.Option(
        "--encoding", "-e", help="Name of an encoding; repeatable.", callback=_node_encodings
    ),
]
GRAPH = Annotated[
    str,
    typer.Option(
        help="cycle, star, complete, path, each as NAME:SIZE, or rook, or graph6:TEXT.",
        callback=_graph,
    ),
]
SEED = Annotated[
    int,
    typer.Option(min=0, max=2**32 - 1, help="Of the random weights and all other random choices."),
]
SIZE = Annotated[float, typer.Option(help="Of the change of the Laplacian.", callback=finite)]
CSV = Annotated[
    Path | None, typer.Option(help="Write the results to this file too.", callback=_writable)
]
FIGURE = Annotated[
    Path | None, typer.Option(help="Save a picture (.png, .svg, .pdf).", callback=_drawable)
]
