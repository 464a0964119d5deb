"""A table of molecules, and what a model says about them."""

from typing import Any

import dash_ag_grid as dag
from dash import ClientsideFunction, Dash, Input, Output, State, dcc, html, no_update

from ogeaug.data.columns import unused_names
from ogeaug.errors import UserError
from ogeaug.explore.drawings import drawing_address
from ogeaug.explore.figures import molecule_figure
from ogeaug.explore.limits import MOST_FILE_BYTES
from ogeaug.explore.parts import framed, graph, labelled, message, slot
from ogeaug.explore.records import About, Predicted, Tabled, Target
from ogeaug.explore.state import read_state
from ogeaug.explore.workers import Workers

TOGETHER = 100
"""Rows of a table in a call."""


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
        html.Section(
            [
                html.Div(
                    [
                        html.H3("Table"),
                        html.Button("Download CSV", id="download", className="save"),
                    ],
                    className="head",
                ),
                html.P(
                    "Drop a CSV with a column of SMILES on the left. A click on a row puts its "
                    "molecule into all views.",
                    className="hint",
                    id="table-hint",
                ),
                message("table-message"),
                slot("table"),
            ],
            className="card wide",
        ),
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
    one_row = {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True}
    table = dag.AgGrid(
        id="grid",
        columnDefs=[],
        rowData=[],
        defaultColDef={"sortable": True, "filter": True, "resizable": True},
        dashGridOptions={"rowSelection": one_row, "rowHeight": 90, "enableCellTextSelection": True},
        className="ag-theme-quartz-auto-dark",
        style={"height": "460px"},
    )
    return {"model": html.Div(cards, className="grid") if about else [], "table": table}


def register(app: Dash, workers: Workers, about: About | None) -> None:
    """The callbacks of the view."""
    app.clientside_callback(
        ClientsideFunction("page", "upload"),
        Output("upload", "data"),
        Output("table-message", "children"),
        Output("view", "value", allow_duplicate=True),
        Input("file", "contents"),
        State("file", "filename"),
        State("upload", "data"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction("page", "export_csv"),
        Input("download", "n_clicks"),
        State("grid", "columnDefs"),
        State("grid", "virtualRowData"),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        ClientsideFunction("page", "take_row"),
        Output("kind", "value", allow_duplicate=True),
        Output("typed", "value", allow_duplicate=True),
        Input("grid", "selectedRows"),
        State("grid", "columnDefs"),
        prevent_initial_call=True,
    )

    app.clientside_callback(
        ClientsideFunction("page", "arrive"),
        Output("arrived", "data"),
        Input("upload", "data"),
        Input("slot-table", "children"),
        State("arrived", "data"),
        prevent_initial_call=True,
    )

    @app.callback(
        Output("grid", "columnDefs"),
        Output("grid", "rowData"),
        Output("table-hint", "children"),
        Output("table-message", "children", allow_duplicate=True),
        Input("arrived", "data"),
        prevent_initial_call=True,
    )
    def show_table(upload: dict[str, str] | None) -> tuple[Any, ...]:
        if not upload:
            return (no_update,) * 4
        try:
            if len(upload["contents"]) > 2 * MOST_FILE_BYTES:
                raise UserError(f"a file has at most {MOST_FILE_BYTES:,} bytes")
            table: Tabled = workers.call("table", contents=upload["contents"])
            texts = [row[table.molecules] for row in table.rows]
            job = "status" if about is None else "predict_many"
            added: list[list[str]] = []
            for start in range(0, len(texts), TOGETHER):
                added += workers.call(job, texts=texts[start : start + TOGETHER])
        except UserError as error:
            return no_update, no_update, no_update, str(error)
        columns = [] if about is None else about.columns
        failed = sum(row[-1] != "ok" for row in added)
        hint = f"{len(texts):,} rows, {failed:,} without a result: see the column status."
        return *grid(table, [*columns, "status"], added), hint, ""

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
        return targets_table(found), figure, neighbours(found), ""


def grid(
    table: Tabled, names: list[str], added: list[list[str]]
) -> tuple[list[dict[str, Any]], list[dict[str, str]]]:
    """Columns and rows. A user's names are headings alone: fields are numbered."""
    heads = [*table.columns, *unused_names(names, table.columns)]
    numbers = {i for i in range(len(table.columns), len(heads) - 1)}
    columns: list[dict[str, Any]] = [
        {
            **{"headerName": "drawing", "field": "drawing", "cellRenderer": "Drawing"},
            **{"sortable": False, "filter": False, "width": 150, "pinned": "left"},
        }
    ]
    for i, name in enumerate(heads):
        column: dict[str, Any] = {"headerName": name, "field": f"c{i}", "tooltipField": f"c{i}"}
        column["context"] = {"molecules": i == table.molecules}
        if i in numbers:
            column["comparator"] = {"function": "byNumber"}
        columns.append(column)
    rows = []
    for cells, new in zip(table.rows, added, strict=True):
        row = {f"c{i}": cell for i, cell in enumerate([*cells, *new])}
        row["drawing"] = cells[table.molecules] if new[-1] == "ok" else ""
        rows.append(row)
    return columns, rows


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


def neighbours(found: Predicted) -> Any:
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
