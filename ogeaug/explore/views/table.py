"""The table of molecules that a user drops, with what a model adds to it."""

from typing import Any

import dash_ag_grid as dag
from dash import ClientsideFunction, Dash, Input, Output, State, html, no_update

from ogeaug.data.columns import unused_names
from ogeaug.errors import UserError
from ogeaug.explore.limits import MOST_FILE_BYTES
from ogeaug.explore.parts import message, slot
from ogeaug.explore.records import About, Tabled
from ogeaug.explore.workers import Workers

TOGETHER = 100
"""Rows of a table in a call."""


def layout() -> Any:
    """The card of the table, empty."""
    return html.Section(
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
    )


def late() -> Any:
    """The table itself, empty."""
    one_row = {"mode": "singleRow", "checkboxes": False, "enableClickSelection": True}
    return dag.AgGrid(
        id="grid",
        columnDefs=[],
        rowData=[],
        defaultColDef={"sortable": True, "filter": True, "resizable": True},
        dashGridOptions={"rowSelection": one_row, "rowHeight": 90, "enableCellTextSelection": True},
        className="ag-theme-quartz-auto-dark",
        style={"height": "460px"},
    )


def register(app: Dash, workers: Workers, about: About | None) -> None:
    """The callbacks of the table."""
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
