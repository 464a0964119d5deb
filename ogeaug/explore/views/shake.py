"""Shake a graph: how far five encodings move, side by side."""

from typing import Any

from dash import ALL, MATCH, Dash, Input, Output, State, dcc, html, no_update

from ogeaug.errors import UserError
from ogeaug.explore.figures import bars_figure, moved_figure, percent
from ogeaug.explore.names import SHAKEN, TITLES
from ogeaug.explore.parts import framed, graph, message, slider, slot
from ogeaug.explore.records import About
from ogeaug.explore.state import Shown, read_state
from ogeaug.explore.workers import Workers


def layout(about: About | None) -> list[Any]:
    """The view, empty."""
    plain = Shown()
    marks = {-9: "none", -6: "1e-6", -3: "0.001", 0: "1"}
    tools = html.Div(
        [
            slider(
                "noise",
                "noise on the edge weights",
                (-9, 0, 0.25),
                plain.noise,
                marks={float(place): text for place, text in marks.items()},
                live=True,
            ),
            html.Div(
                [
                    html.Button("Another basis", id="turn", className="button"),
                    html.Button("Renumber", id="shuffle", className="button"),
                    html.Button("As it was", id="still", className="button"),
                ],
                className="buttons",
            ),
        ],
        className="row",
    )
    return [message("shake-message"), tools, html.P(id="shaken", className="hint"), slot("shake")]


def late(about: About | None) -> dict[str, Any]:
    """What is drawn, empty."""
    cards = [
        framed(
            f"moved-{name}",
            TITLES[name],
            html.Div(
                [
                    html.P(id={"type": "moved", "name": name}, className="moved"),
                    graph({"type": "moves", "name": name}, height=190),
                    dcc.Store(id={"type": "change", "name": name}),
                ]
            ),
        )
        for name in SHAKEN
    ]
    changes = graph("changes", height=220)
    return {
        "shake": [
            framed("changes", "How far each encoding moves", changes, wide=True),
            html.Div(cards, className="grid small"),
        ]
    }


def register(app: Dash, workers: Workers, about: About | None) -> None:
    """The callbacks of the view."""

    @app.callback(
        Output({"type": "moves", "name": MATCH}, "figure"),
        Output({"type": "moved", "name": MATCH}, "children"),
        Output({"type": "change", "name": MATCH}, "data"),
        Input("seen-shake", "data"),
        State({"type": "moves", "name": MATCH}, "id"),
        prevent_initial_call=True,
    )
    def move(values: dict[str, Any], place: dict[str, str]) -> tuple[Any, Any, Any]:
        try:
            state = read_state(values)
            if place["name"] not in SHAKEN:
                raise UserError(f"the page shows {', '.join(SHAKEN)}")
            found = workers.call("shake_one", state=state, name=place["name"])
        except UserError as error:
            return no_update, str(error), None
        return moved_figure(found), f"moved by {percent(found.change)}", found.change

    @app.callback(
        Output("changes", "figure"),
        Output("shaken", "children"),
        Input({"type": "change", "name": ALL}, "data"),
        State("state", "data"),
        prevent_initial_call=True,
    )
    def sum_up(changes: list[float | None], values: dict[str, Any]) -> tuple[Any, Any]:
        try:
            state = read_state(values)
        except UserError:
            return no_update, no_update
        there = zip(SHAKEN, changes, strict=True)
        known = {name: float(change) for name, change in there if change is not None}
        return bars_figure(known), what_was_done(state)


def what_was_done(state: Shown) -> str:
    """The shaking in words.

    Example:
        >>> what_was_done(Shown(noise=-9, basis=2))
        'Done to the graph: basis no. 2 of each eigenspace.'
    """
    done = []
    if state.noise_size:
        done.append(f"the Laplacian changed by {state.noise_size:.2g}")
    if state.basis:
        done.append(f"basis no. {state.basis} of each eigenspace")
    if state.renumber:
        done.append(f"numbering no. {state.renumber} of the nodes")
    return f"Done to the graph: {', '.join(done) or 'nothing'}."
