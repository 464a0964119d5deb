"""A gallery of small changes under the text box: a click puts one into it."""

from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, dcc, html

from ogeaug.data.molecule_edits import MoleculeEdit
from ogeaug.errors import UserError
from ogeaug.explore.drawings import drawing_address
from ogeaug.explore.workers import Workers

HINT = "Choose an atom: click on it, or write its number into the field node."


def layout() -> list[Any]:
    """The gallery, empty."""
    return [
        html.Details(
            [
                html.Summary("Change the molecule"),
                html.Div(_hint(HINT), id="edits", className="gallery"),
            ],
            id="edits-box",
        ),
        dcc.Store(id="edited"),
        dcc.Store(id="edits-found"),
    ]


def register(app: Dash, workers: Workers) -> None:
    """The callbacks of the gallery."""
    app.clientside_callback(
        ClientsideFunction("page", "edited"),
        Output("edited", "data"),
        Output("edits-box", "hidden"),
        Input("state", "data"),
        State("edited", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction("page", "take_edit"),
        Output("kind", "value", allow_duplicate=True),
        Output("typed", "value", allow_duplicate=True),
        Output("node", "value", allow_duplicate=True),
        Input({"type": "edit", "number": ALL}, "n_clicks"),
        State("edits-found", "data"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output("edits", "children"),
        Output("edits-found", "data"),
        Input("edited", "data"),
        prevent_initial_call=True,
    )
    def show(asked: dict[str, Any] | None) -> tuple[Any, Any]:
        if not asked or asked.get("node") is None:
            return _hint(HINT), []
        try:
            found: list[MoleculeEdit] = workers.call(
                "edits", text=str(asked.get("text")), node=int(asked["node"])
            )
        except UserError as error:
            return _hint(str(error)), []
        buttons = [_button(number, edit) for number, edit in enumerate(found)]
        return buttons, [[edit.smiles, edit.node] for edit in found]


def _hint(text: str) -> Any:
    return html.P(text, className="hint")


def _button(number: int, edit: MoleculeEdit) -> Any:
    picture = html.Img(src=drawing_address(edit.smiles), alt=edit.smiles, className="molecule")
    return html.Button(
        [picture, html.Span(edit.name)],
        id={"type": "edit", "number": number},
        className="button edit",
        title=edit.smiles,
    )
