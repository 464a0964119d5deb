"""Small pieces of the page that several views use."""

from collections.abc import Sequence
from typing import Any

from dash import dcc, html

from ogeaug.explore import gallery

KINDS = (
    ("smiles", "SMILES"),
    ("edges", "edge list"),
    ("graph6", "graph6"),
    ("gallery", "gallery"),
)
HIDDEN = {"visible": False}
EMPTY = {
    "data": [],
    "layout": {"xaxis": HIDDEN, "yaxis": HIDDEN, "paper_bgcolor": "rgba(0,0,0,0)"}
    | {"plot_bgcolor": "rgba(0,0,0,0)"},
}
"""Before there is something to show."""
GRAPH_CONFIG = {"displayModeBar": False, "displaylogo": False, "responsive": True}


def framed(name: str, title: str, content: Any, *, hint: str = "", wide: bool = False) -> Any:
    """A figure with its title, and buttons that save it."""
    buttons = [
        html.Button(
            kind.upper(),
            id={"type": "save", "figure": name, "format": kind},
            className="save",
            title=f"Save this picture as {kind.upper()}",
        )
        for kind in ("svg", "png")
    ]
    head = html.Div([html.H3(title), html.Div(buttons, className="saves")], className="head")
    below = [html.P(hint, className="hint")] if hint else []
    return html.Section([head, content, *below], className="card wide" if wide else "card")


def slot(name: str, still: Any = None) -> Any:
    """A place for what is put there when its view is first seen; still pictures until then."""
    return html.Div(still, id=f"slot-{name}")


def graph(
    name: str | dict[str, str], *, height: int = 300, figure: Any = EMPTY, still: Any = None
) -> Any:
    """A place for a figure; ``still`` is a picture that is seen until it is drawn.

    Without a figure (None) there is the still picture alone.
    """
    size = {"height": f"{height}px"}
    parts = [] if still is None else [still]
    if figure is not None:
        live = dcc.Graph(id=name, figure=figure, config=GRAPH_CONFIG, responsive=True, style=size)
        parts.append(live)
    return html.Div(parts, className="figure", style=size)


def message(name: str) -> Any:
    """A place for what went wrong, read aloud where the page is."""
    return html.Div(id=name, className="message", role="alert")


def labelled(text: str, control: Any, *, note: str = "") -> Any:
    """A control under its name."""
    label = html.Label(text, htmlFor=control.id, className="label")
    words = [label] + ([html.Small(note)] if note else [])
    named = {"role": "group", "aria-label": text}  # sliders and lists take no label of their own
    return html.Div([html.Div(words, className="words"), control], className="control", **named)


def slider(
    name: str,
    text: str,
    ends: tuple[float, float, float],
    value: float,
    *,
    marks: dict[float, str] | None = None,
    note: str = "",
    live: bool = False,
) -> Any:
    """A slider from low to high by steps; with the arrow keys, too."""
    low, high, step = ends
    shown = marks or {low: f"{low:g}", high: f"{high:g}"}
    whole = {int(k) if float(k).is_integer() else k: v for k, v in shown.items()}
    bar = dcc.Slider(
        low,
        high,
        step,
        id=name,
        value=value,
        marks=whole,
        included=False,
        allow_direct_input=False,
        updatemode="drag" if live else "mouseup",
    )
    return labelled(text, bar, note=note)


def number(name: str, text: str, value: int | None, most: int, *, note: str = "") -> Any:
    """A whole number from 0, or nothing."""
    field = dcc.Input(id=name, type="number", min=0, max=most, step=1, value=value, debounce=0.2)
    return labelled(text, field, note=note)


def choice(name: str, options: Sequence[tuple[str, str]], value: str, label: str) -> Any:
    """One of a few, side by side; with the arrow keys, too."""
    buttons = dcc.RadioItems(
        id=name,
        options=[{"value": key, "label": text} for key, text in options],
        value=value,
        inline=True,
        className="choice",
        labelClassName="choice-label",
        inputClassName="choice-input",
    )
    return html.Div(buttons, role="radiogroup", **{"aria-label": label})


def entry(name: str, value: str) -> Any:
    """A box for text."""
    box = dcc.Textarea(
        id=name,
        value=value,
        rows=3,
        spellCheck="false",
        className="entry",
        placeholder="CCO    or edges: 0 1, 1 2    or graph6: DQc",
    )
    return labelled("type or paste", box)


def pick(name: str, value: str) -> Any:
    """A graph of the gallery."""
    options = [{"value": item, "label": item} for item in gallery.NAMES]
    return labelled(
        "choose", dcc.Dropdown(options, value, id=name, clearable=False, searchable=False)
    )
