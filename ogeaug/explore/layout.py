"""The page as it is sent first: controls and empty places."""

from typing import Any

from dash import dcc, html

from ogeaug import __version__
from ogeaug.explore.parts import KINDS, choice, entry, message, number, pick, slider
from ogeaug.explore.records import About
from ogeaug.explore.state import NAMES, Shown
from ogeaug.explore.views import compare, look, model, shake

VIEWS = {"look": look, "shake": shake, "compare": compare, "model": model}
TITLES = {"look": "Look", "shake": "Shake", "compare": "Compare", "model": "Table and model"}


def make_layout(about: About | None) -> Any:
    """The whole page.

    Args:
        about: What the model predicts; None without one.
    """
    plain = Shown()
    views = [
        html.Div(view.layout(about), id=f"view-{name}", className="view")
        for name, view in VIEWS.items()
    ]
    return html.Div(
        [
            dcc.Location(id="place", refresh=False),
            *(dcc.Store(id=name) for name in ("state", "text", "text2", "upload", "table")),
            html.Header(_header()),
            html.Main([html.Aside(_controls(plain), id="controls"), html.Div(views, id="views")]),
            dcc.Store(id="plain", data=plain.model_dump()),
            dcc.Store(id="basis", data=plain.basis),
            dcc.Store(id="renumber", data=plain.renumber),
        ],
        id="page",
    )


def _header() -> list[Any]:
    views = [(name, title) for name, title in TITLES.items()]
    return [
        html.H1(["ogeaug ", html.Span("explore")], title=f"version {__version__}"),
        html.Nav(choice("view", views, "look", "view"), **{"aria-label": "views"}),
        html.Div(
            [
                html.A("Link to this view", id="link", href="?", className="button"),
                html.Button("Dark", id="theme", className="button", title="Light or dark"),
            ],
            className="tools",
        ),
    ]


def _controls(plain: Shown) -> list[Any]:
    return [
        html.H2("Graph"),
        choice("kind", KINDS, plain.kind, "how the graph is given"),
        html.Div(entry("typed", plain.text), id="typed-box"),
        html.Div(pick("pick", "Petersen"), id="pick-box"),
        dcc.Upload(
            html.Button("Drop a CSV here, or choose one", className="button drop"),
            id="file",
            multiple=False,
            max_size=-1,
        ),
        message("message"),
        html.H2("OGE-Aug, untrained"),
        slider(
            "delta",
            "delta: eigenvalues closer than this see each other",
            (-4, 2, 0.1),
            plain.delta,
            marks={-4: "1e-4", -2: "0.01", 0: "1", 2: "100"},
        ),
        html.Small(id="delta-value"),
        slider("k", "k: eigenpairs to keep", (0, 150, 1), plain.k, marks={0: "all", 150: "150"}),
        slider(
            "order", "order of the tensors", (1, 3, 1), plain.order, marks={1: "1", 2: "2", 3: "3"}
        ),
        slider("layers", "pairs of layers", (1, 8, 1), plain.layers),
        number("seed", "seed of the weights", plain.seed, 9_999),
    ]


CONTROLS = [name for name in NAMES if name not in ("text", "text2", "basis", "renumber")]
"""Controls whose value is that of the record's field of the same name."""
