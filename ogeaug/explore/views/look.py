"""Look at a graph: drawn, its spectrum, who sees whom, the encoding."""

from typing import Any

from dash import Dash, Input, Output, ctx, html, no_update
from plotly.colors import sample_colorscale

from ogeaug.errors import UserError
from ogeaug.explore.figures import (
    colour_range,
    features_figure,
    sees_figure,
    spectrum_figure,
)
from ogeaug.explore.parts import EMPTY, choice, framed, graph, message, number, slot
from ogeaug.explore.pictures import draw, stage, stage_outputs
from ogeaug.explore.preview import still_heat, still_molecule, still_spectrum
from ogeaug.explore.records import About, Looked
from ogeaug.explore.state import Shown, read_state
from ogeaug.explore.workers import Workers


def layout(about: About | None, first: Looked | None = None) -> list[Any]:
    """The view, empty or with still pictures of what is seen first."""
    plain = Shown()
    colour = choice(
        "colour",
        (("cluster", "cluster"), ("channel", "channel")),
        plain.colour,
        "what nodes are coloured by",
    )
    chosen = html.Div(
        [
            html.Div([html.Span("colour by", className="label"), colour], className="control"),
            number("cluster", "cluster", plain.cluster, 150),
            number("channel", "channel", plain.channel, 15),
            number("node", "node", plain.node, 150, note=" none: click to choose"),
        ],
        className="row",
    )
    still = None if first is None else _cards(first, live=False)
    return [message("look-message"), chosen, slot("look", still)]


def late(about: About | None, first: Looked | None = None) -> dict[str, Any]:
    """What is drawn, empty or as it is seen first."""
    return {"look": _cards(first, live=True)}


def _cards(first: Looked | None, *, live: bool) -> Any:
    drawing, *others = [EMPTY if live else None] * 4
    stills, legend = [None] * 4, []
    if first is not None:
        stills, legend = _stills(first), describe(first, False)
        if live:
            drawing = draw(first.picture, first.colours, None, False)[0]
            others = _figures(first)
    spectrum, features, sees = (
        graph(name, figure=figure, still=still)
        for name, figure, still in zip(
            ("spectrum", "features", "sees"), others, stills[1:], strict=True
        )
    )
    place = stage(figure=drawing, still=stills[0])
    return html.Div(
        [
            framed("drawing", "Graph", html.Div([place, html.Div(legend, id="legend")])),
            framed(
                "spectrum",
                "Spectrum",
                spectrum,
                hint="Eigenvalues within delta share a colour. A click chooses the whole "
                "cluster: a single eigenvector of it would be arbitrary.",
            ),
            framed("features", "Encoding", features, hint="A click chooses node and channel."),
            framed("sees", "Who sees whom", sees),
        ],
        className="grid" if live else "grid stills",
    )


def _figures(found: Looked) -> list[Any]:
    return [spectrum_figure(found), features_figure(found), sees_figure(found)]


def _stills(found: Looked) -> list[Any]:
    return [
        still_molecule(found.picture, found.colours),
        still_spectrum(found),
        still_heat(found.features, signed=True),
        still_heat(found.sees, signed=False),
    ]


def register(app: Dash, workers: Workers, about: About | None) -> None:
    """The callbacks of the view."""

    @app.callback(
        *stage_outputs(),
        Output("legend", "children"),
        Output("spectrum", "figure"),
        Output("features", "figure"),
        Output("sees", "figure"),
        Output("look-message", "children"),
        Input("seen-look", "data"),
        prevent_initial_call=True,
    )
    def show(values: dict[str, Any]) -> tuple[Any, ...]:
        try:
            state = read_state(values)
            found = workers.call("look", state=state)
        except UserError as error:
            return (no_update,) * 9 + (str(error),)
        signed = state.colour == "channel" or found.chosen["node"] is not None
        drawn = draw(found.picture, found.colours, found.chosen["node"], signed)
        return (*drawn, describe(found, signed), *_figures(found), "")

    @app.callback(
        Output("cluster", "value", allow_duplicate=True),
        Output("colour", "value", allow_duplicate=True),
        Input("spectrum", "clickData"),
        prevent_initial_call=True,
    )
    def choose_cluster(click: dict[str, Any] | None) -> tuple[Any, Any]:
        if not click:
            return no_update, no_update
        return int(click["points"][0]["customdata"][0]), "cluster"

    @app.callback(
        Output("node", "value", allow_duplicate=True),
        Output("channel", "value", allow_duplicate=True),
        Output("colour", "value", allow_duplicate=True),
        Input("molecule", "clickData"),
        Input("network", "tapNodeData"),
        Input("features", "clickData"),
        prevent_initial_call=True,
    )
    def choose_node(atom: Any, node: Any, cell: Any) -> tuple[Any, Any, Any]:
        if ctx.triggered_id == "features" and cell:
            point = cell["points"][0]
            return int(point["y"]), int(point["x"]), "channel"
        if ctx.triggered_id == "molecule" and atom:
            return int(atom["points"][0]["customdata"]), no_update, no_update
        if ctx.triggered_id == "network" and node:
            return int(node["id"]), no_update, no_update
        return no_update, no_update, no_update


def describe(found: Looked, signed: bool) -> list[Any]:
    """What the colours are, and how large the graph is."""
    picture = found.picture
    scale, low, high = colour_range(found.colours, signed)
    steps = ", ".join(sample_colorscale(scale, [i / 8 for i in range(9)]))
    bar = html.Span(className="scale", style={"background": f"linear-gradient(90deg, {steps})"})
    what = "atoms and" if picture.svg is not None else "nodes and"
    size = f"{len(picture.names)} {what} {len(picture.edges)} edges"
    clusters = len(set(found.cluster.tolist()))
    if picture.svg is not None:  # its drawing has a scale of its own
        legend = [found.legend]
    else:
        legend = [f"{found.legend}: {low:.3g} ", bar, f" {high:.3g}"]
    return [
        html.P(legend, className="hint"),
        html.P(
            f"{size}; {len(found.eigvals)} eigenvalues in {clusters} clusters", className="hint"
        ),
        *(html.P(note, className="hint note") for note in found.notes),
    ]
