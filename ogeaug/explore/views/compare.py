"""Compare two graphs: which encodings tell them apart, by how much, against which noise."""

from typing import Any

from dash import ALL, MATCH, Dash, Input, Output, State, dcc, html, no_update

from ogeaug.errors import UserError
from ogeaug.explore.figures import verdicts_figure
from ogeaug.explore.gallery import PAIRS
from ogeaug.explore.names import TITLES
from ogeaug.explore.parts import (
    KINDS,
    choice,
    entry,
    framed,
    graph,
    labelled,
    message,
    pick,
    slot,
)
from ogeaug.explore.pictures import draw, plain_colours, stage, stage_outputs
from ogeaug.explore.records import About, ToldApart
from ogeaug.explore.state import Shown, read_state
from ogeaug.explore.workers import Workers


def layout(about: About | None) -> list[Any]:
    """The view, empty."""
    plain = Shown()
    pairs = dcc.Dropdown(list(PAIRS), id="pair", placeholder="a hard pair", searchable=False)
    second = html.Div(
        [
            labelled("both graphs at once", pairs),
            html.Div(
                [
                    html.Span("the second graph", className="label"),
                    choice("kind2", KINDS, plain.kind2, "how the second graph is given"),
                ],
                className="control",
            ),
            html.Div(entry("typed2", "CCO"), id="typed2-box"),
            html.Div(pick("pick2", plain.text2), id="pick2-box"),
        ],
        className="row",
    )
    return [message("compare-message"), second, slot("compare")]


def late(about: About | None) -> dict[str, Any]:
    """What is drawn, empty."""
    sides = [
        framed(f"drawing{i}", title, stage(i, height=300))
        for i, title in (("1", "First graph"), ("2", "Second graph"))
    ]
    head = html.Tr([html.Th(text) for text in ("encoding", "told apart?", "difference", "noise")])
    rows = [
        html.Tr(
            [
                html.Th(title, scope="row"),
                html.Td(id={"type": "apart", "name": name}),
                html.Td(id={"type": "distance", "name": name}),
                html.Td(id={"type": "noise", "name": name}),
                dcc.Store(id={"type": "verdict", "name": name}),
            ]
        )
        for name, title in TITLES.items()
    ]
    table = html.Table([html.Thead(head), html.Tbody(rows)], className="verdicts")
    verdicts = framed(
        "verdicts",
        "Difference against noise",
        graph("verdicts", height=340),
        hint="Noise is the difference between copies of the same graph with other numbers. A "
        "difference counts from 20 times the noise on. Encodings see the structure alone, no "
        "atoms.",
    )
    told = html.Section([html.H3("Told apart?"), table], className="card")
    return {
        "compare": [
            html.Div(sides, className="grid"),
            html.Div([told, verdicts], className="grid"),
        ]
    }


def register(app: Dash, workers: Workers, about: About | None) -> None:
    """The callbacks of the view."""

    @app.callback(
        *stage_outputs("1"),
        *stage_outputs("2"),
        Output("compare-message", "children"),
        Input("seen-compare", "data"),
        prevent_initial_call=True,
    )
    def sides(values: dict[str, Any]) -> tuple[Any, ...]:
        try:
            state = read_state(values)
            pictures = [
                workers.call("picture", kind=kind, text=text)
                for kind, text in ((state.kind, state.text), (state.kind2, state.text2))
            ]
        except UserError as error:
            return (no_update,) * 10 + (str(error),)
        drawn = [draw(picture, plain_colours(picture), None, True) for picture in pictures]
        return (*drawn[0], *drawn[1], "")

    @app.callback(
        *(
            Output({"type": part, "name": MATCH}, "children")
            for part in ("apart", "distance", "noise")
        ),
        Output({"type": "verdict", "name": MATCH}, "data"),
        Input("seen-compare", "data"),
        State({"type": "verdict", "name": MATCH}, "id"),
        prevent_initial_call=True,
    )
    def judge(values: dict[str, Any], place: dict[str, str]) -> tuple[Any, ...]:
        try:
            state = read_state(values)
            if place["name"] not in TITLES:
                raise UserError(f"the page shows {', '.join(TITLES)}")
            found: ToldApart = workers.call("compare_one", state=state, name=place["name"])
        except UserError as error:
            return str(error), "", "", None
        word = html.Span("yes" if found.apart else "no", className="yes" if found.apart else "no")
        cells = [word, f"{found.distance:.2g}", f"{found.noise:.2g}".replace("nan", "not needed")]
        if found.reason.startswith("different sizes"):
            cells = [[word, f": {found.reason}"], "", ""]
        known = [found.apart, min(found.distance, 10.0), max(found.noise, 0.0)]
        return (*cells, known)

    @app.callback(
        Output("verdicts", "figure"),
        Input({"type": "verdict", "name": ALL}, "data"),
        prevent_initial_call=True,
    )
    def sum_up(verdicts: list[list[Any] | None]) -> Any:
        found = [
            ToldApart(name, bool(item[0]), float(item[1]), float(item[2] or 0), 0.0, "")
            for name, item in zip(TITLES, verdicts, strict=True)
            if item is not None
        ]
        return verdicts_figure(found)

    @app.callback(
        *(
            Output(name, "value", allow_duplicate=True)
            for name in ("kind", "pick", "kind2", "pick2")
        ),
        Input("pair", "value"),
        prevent_initial_call=True,
    )
    def choose(pair: str | None) -> tuple[Any, ...]:
        if pair not in PAIRS:
            return (no_update,) * 4
        left, right = PAIRS[pair]
        return "gallery", left, "gallery", right
