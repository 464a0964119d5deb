"""What a model says about a molecule, above a table of molecules."""

from typing import Any

from dash import Dash, Input, Output, dcc, html, no_update

from ogeaug.errors import UserError
from ogeaug.explore.drawings import drawing_address
from ogeaug.explore.figures import molecule_figure
from ogeaug.explore.parts import framed, graph, labelled, message, slot
from ogeaug.explore.records import About, Predicted, Target
from ogeaug.explore.state import read_state
from ogeaug.explore.views import table
from ogeaug.explore.workers import Workers


def layout(about: About | None) -> list[Any]:
    """The view, empty."""
    names = [] if about is None else about.targets
    target = dcc.Dropdown(
        options=[{"value": i, "label": name} for i, name in enumerate(names)],
        value=0 if names else None,
        id="target",
        clearable=False,
        searchable=False,
    )
    none = html.P(
        "Without a model there are no predictions: start the page by  ogeaug explore --model "
        "FOLDER. A table can be dropped all the same.",
        className="hint",
    )
    return [
        message("model-message"),
        html.Div(labelled("atoms add to", target), className="row", hidden=about is None),
        slot("model") if about is not None else html.Div([none, slot("model")]),
        table.layout(),
    ]


def late(about: About | None) -> dict[str, Any]:
    """What is drawn, empty, and the table."""
    cards = [
        html.Section(
            [
                html.H3("Prediction"),
                html.P(about.title if about else "", className="hint"),
                html.Div(id="prediction"),
            ],
            className="card",
        ),
        framed(
            "shares",
            "What each atom adds",
            html.Div(graph("shares", height=340), className="paper"),
            hint="Integrated gradients of the model's last step: of an atom in its place.",
        ),
        html.Section(
            [html.H3("Nearest training molecules"), html.Div(id="nearest", className="gallery")],
            className="card wide",
        ),
    ]
    return {"model": html.Div(cards, className="grid") if about else [], "table": table.late()}


def register(app: Dash, workers: Workers, about: About | None) -> None:
    """The callbacks of the view."""
    table.register(app, workers, about)
    if about is None:
        return

    @app.callback(
        Output("prediction", "children"),
        Output("shares", "figure"),
        Output("nearest", "children"),
        Output("model-message", "children"),
        Input("seen-model", "data"),
        prevent_initial_call=True,
    )
    def predict(values: dict[str, Any]) -> tuple[Any, ...]:
        try:
            state = read_state(values)
            found: Predicted = workers.call("predict", state=state)
        except UserError as error:
            return no_update, no_update, no_update, str(error)
        figure: Any = no_update
        if found.shares is not None and found.picture.svg is not None:
            figure = molecule_figure(found.picture, found.shares)
        return targets_table(found), figure, nearest_molecules(found), ""


def targets_table(found: Predicted) -> Any:
    """Predictions with what is known of their error."""
    head = html.Tr([html.Th(text) for text in ("target", "prediction", "9 in 10 within")])
    rows = [
        html.Tr([html.Th(item.name, scope="row"), html.Td(_value(item)), html.Td(_interval(item))])
        for item in found.targets
    ]
    notes = [html.P(note, className="hint note") for note in found.notes]
    if any(item.width is not None for item in found.targets):
        text = "9 in 10: by the errors on the test part, for molecules like those."
        notes.insert(0, html.P(text, className="hint"))
    if found.shares is not None:
        name = found.targets[found.chosen].name
        text = f"{name}: the atoms add {found.shares.sum():.4g} to {found.rest:.4g}."
        notes.insert(0, html.P(text, className="hint"))
    return [html.Table([html.Thead(head), html.Tbody(rows)], className="verdicts"), *notes]


def _value(item: Target) -> str:
    spread = "" if item.spread is None else f" ± {item.spread:.2g} over models"
    return f"{item.value:.4g} {item.unit}".strip() + spread


def _interval(item: Target) -> str:
    if item.width is None:
        return "not known"
    return f"{item.value - item.width:.4g} to {item.value + item.width:.4g}"


def nearest_molecules(found: Predicted) -> Any:
    """Training molecules that are most alike."""
    if not found.nearest:
        return html.P("none to show", className="hint")
    return [
        html.Figure(
            [
                html.Img(
                    src=drawing_address(smiles), alt=smiles, className="molecule", title=smiles
                ),
                html.Figcaption(f"similarity {alike:.2f}; {', '.join(cells)}".rstrip("; ")),
            ]
        )
        for smiles, alike, cells in found.nearest
    ]
