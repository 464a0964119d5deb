"""Graphs and molecules on the page."""

from typing import Any
from zlib import crc32

import dash_cytoscape as cyto
import numpy as np
from dash import Output, html, no_update
from plotly.colors import sample_colorscale

from ogeaug.explore.colours import CHOSEN, QUIET
from ogeaug.explore.figures import colour_range, molecule_figure
from ogeaug.explore.parts import EMPTY, graph
from ogeaug.explore.records import Floats, Picture

STYLESHEET = [
    {
        "selector": "node",
        "style": {
            **{"label": "data(label)", "background-color": "data(colour)", "color": "data(ink)"},
            **{"text-valign": "center", "text-halign": "center", "font-size": 11},
            **{"width": 28, "height": 28, "border-width": 1, "border-color": QUIET},
        },
    },
    {"selector": "edge", "style": {"width": 1.5, "line-color": QUIET}},
    {"selector": ".chosen", "style": {"border-width": 4, "border-color": CHOSEN}},
]


def stage(end: str = "", *, height: int = 360, figure: Any = EMPTY, still: Any = None) -> Any:
    """A place for a molecule or a graph; the other one is there, too, out of sight."""
    molecule = graph(f"molecule{end}", height=height, figure=figure, still=still)
    boxes = [html.Div(molecule, id=f"molecule{end}-box", className="paper")]
    if figure is not None:
        network = _network(f"network{end}", height)
        boxes.append(html.Div(network, id=f"network{end}-box", className="unseen"))
    return html.Div(boxes, className="stage")


def stage_outputs(end: str = "") -> list[Output]:
    """What :func:`draw` gives."""
    return [
        Output(f"molecule{end}", "figure"),
        Output(f"molecule{end}-box", "className"),
        Output(f"network{end}", "elements"),
        Output(f"network{end}", "layout"),
        Output(f"network{end}-box", "className"),
    ]


def _network(name: str, height: int) -> Any:
    return cyto.Cytoscape(
        id=name,
        elements=[],
        layout={"name": "preset"},
        stylesheet=STYLESHEET,
        style={"width": "100%", "height": f"{height}px"},
        minZoom=0.2,
        maxZoom=4,
        responsive=True,
    )


def draw(
    picture: Picture, colours: Floats, chosen: int | None, signed: bool
) -> tuple[Any, str, Any, Any, str]:
    """A molecule or a graph; the other one is out of sight."""
    if picture.svg is not None:
        figure = molecule_figure(picture, colours, chosen=chosen, signed=signed)
        return figure, "paper", no_update, no_update, "unseen"
    place = {"name": "preset", "fit": True, "padding": 24, "of": crc32(str(picture.edges).encode())}
    parts = elements(picture, colours, chosen, signed)
    return no_update, "unseen", parts, place, "seen"


def elements(
    picture: Picture, colours: Floats, chosen: int | None, signed: bool
) -> list[dict[str, Any]]:
    """Nodes and edges for Cytoscape, which draws names as plain text."""
    scale, low, high = colour_range(colours, signed)
    share = [(float(value) - low) / (high - low) for value in colours]
    shades = sample_colorscale(scale, share)
    nodes = [
        {
            "data": {"id": str(i), "label": name, "colour": shade, "ink": _ink(shade)},
            "position": {"x": 70 * x, "y": 70 * y},
            "classes": "chosen" if i == chosen else "",
        }
        for i, (name, (x, y), shade) in enumerate(
            zip(picture.names, picture.places, shades, strict=True)
        )
    ]
    edges = [
        {"data": {"id": f"{a}-{b}", "source": str(a), "target": str(b)}} for a, b in picture.edges
    ]
    return [*nodes, *edges]


def plain_colours(picture: Picture) -> Floats:
    """For a picture whose colours mean nothing."""
    return np.zeros(len(picture.names))


def _ink(shade: str) -> str:
    """Black or white, whichever is read better on a colour like ``rgb(1, 2, 3)``."""
    red, green, blue = (float(part) for part in shade[4:-1].split(","))
    return "#000" if 0.3 * red + 0.59 * green + 0.11 * blue > 128 else "#fff"
