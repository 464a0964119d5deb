"""The page, put together: layout, callbacks, the gate."""

import logging
from pathlib import Path
from typing import Any

from dash import ALL, ClientsideFunction, Dash, Input, Output, State, set_props

from ogeaug.errors import UserError
from ogeaug.explore.drawings import answer_drawing
from ogeaug.explore.gate import Gate, content_policy
from ogeaug.explore.layout import CONTROLS, SLOTS, VIEWS, make_layout
from ogeaug.explore.records import About, Looked
from ogeaug.explore.state import Shown, read_query
from ogeaug.explore.views import edits
from ogeaug.explore.workers import Workers

logger = logging.getLogger(__name__)
FIELDS = (*CONTROLS, "basis", "renumber")
TYPED = ("typed", "pick", "typed2", "pick2")


def make_app(
    workers: Workers, gate: Gate, about: About | None = None, first: Looked | None = None
) -> Dash:
    """The page as a Dash application.

    Args:
        workers: Who computes.
        gate: Who may ask.
        about: What the model predicts; None without one.
        first: What the first view shows; None to let the browser ask for it.
    """
    app = Dash(
        "ogeaug",
        title="ogeaug explore",
        update_title="",
        assets_folder=str(Path(__file__).parent / "assets"),
        serve_locally=True,
        enable_mcp=False,
        on_error=_tell,
        suppress_callback_exceptions=True,  # what is put into the page later is not there at first
        meta_tags=[
            {"name": "viewport", "content": "width=device-width, initial-scale=1"},
            {"name": "color-scheme", "content": "light dark"},
        ],
    )
    app.layout = make_layout(about, first)
    _connect(app)
    for view in VIEWS.values():
        view.register(app, workers, about)
    edits.register(app, workers)
    app.server.add_url_rule("/drawing.svg", "drawing", lambda: answer_drawing(workers))
    policy = content_policy(app.csp_hashes())
    gate.mount(app.server, lambda: policy)
    return app


def _tell(error: Exception) -> None:
    """An error that nobody thought of: the log has it whole, and the page says so."""
    logger.error("a callback failed", exc_info=error)
    set_props("message", {"children": f"this failed: {type(error).__name__}; the log says more"})


def _connect(app: Dash) -> None:
    """From the link to the controls, and from the controls to the state that all views show."""

    @app.callback(
        *(Output(name, _value(name)) for name in (*FIELDS, *TYPED)),
        Output("message", "children"),
        Output("restored", "data"),
        Input("query", "data"),
        prevent_initial_call=True,
    )
    def restore(query: str) -> tuple[Any, ...]:
        try:
            state, text = read_query(query), ""
        except UserError as error:
            state, text = Shown(), str(error)
        plain = Shown()
        boxes = []
        for kind, words in ((state.kind, state.text), (state.kind2, state.text2)):
            named = kind == "gallery"
            boxes += [plain.text if named else words, words if named else "Petersen"]
        return (*(getattr(state, name) for name in FIELDS), *boxes, text, True)

    def here(name: str) -> ClientsideFunction:
        return ClientsideFunction("page", name)

    app.clientside_callback(here("query"), Output("query", "data"), Input("plain", "data"))
    for end in ("", "2"):
        app.clientside_callback(
            here("wait"), Output(f"text{end}", "data"), Input(f"typed{end}", "value")
        )
        app.clientside_callback(
            here("boxes"),
            Output(f"typed{end}-box", "hidden"),
            Output(f"pick{end}-box", "hidden"),
            Input(f"kind{end}", "value"),
        )
    inputs = [Input(name, _value(name)) for name in FIELDS]
    texts = [Input(name, _value(name)) for name in ("text", "pick", "text2", "pick2")]
    app.clientside_callback(
        here("collect"),
        Output("state", "data"),
        *inputs,
        *texts,
        Input("restored", "data"),
    )
    app.clientside_callback(
        here("show"),
        Output("link", "href"),
        Output("delta-value", "children"),
        *(Output(f"view-{name}", "hidden") for name in VIEWS),
        Input("state", "data"),
        State("plain", "data"),
    )
    app.clientside_callback(
        here("mount"),
        *(Output(f"slot-{name}", "children") for name in SLOTS),
        Input("state", "data"),
        State("late", "data"),
        State("plain", "data"),
        *(State(f"slot-{name}", "children") for name in SLOTS),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        here("route"),
        *(Output(f"seen-{name}", "data") for name in VIEWS),
        Input("state", "data"),
        *(Input(f"slot-{name}", "children") for name in VIEWS),
        *(State(f"seen-{name}", "data") for name in VIEWS),
        prevent_initial_call=True,
    )
    app.clientside_callback(
        here("save_plot"),
        Input({"type": "save", "figure": ALL, "format": ALL}, "n_clicks"),
        prevent_initial_call=True,
    )
    for end in ("", "1", "2"):
        app.clientside_callback(
            here("save_network"),
            Output(f"network{end}", "generateImage"),
            Input({"type": "save", "figure": f"drawing{end}", "format": ALL}, "n_clicks"),
            State(f"network{end}", "elements"),
            prevent_initial_call=True,
        )
    app.clientside_callback(here("theme"), Output("theme", "children"), Input("theme", "n_clicks"))
    app.clientside_callback(
        here("draws"),
        Output("basis", "data", allow_duplicate=True),
        Output("renumber", "data", allow_duplicate=True),
        Output("noise", "value", allow_duplicate=True),
        *(Input(name, "n_clicks") for name in ("turn", "shuffle", "still")),
        State("basis", "data"),
        State("renumber", "data"),
        prevent_initial_call=True,
    )


def _value(name: str) -> str:
    return "data" if name in ("basis", "renumber", "text", "text2") else "value"
