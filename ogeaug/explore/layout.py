"""The page as it is sent first: controls, empty places, and what is put there later."""

from typing import Any

from dash import dcc, html

from ogeaug import __version__
from ogeaug.explore.parts import KINDS, choice, entry, message, number, pick, slider
from ogeaug.explore.records import About, Looked
from ogeaug.explore.scripts import NEEDED, put_off
from ogeaug.explore.state import NAMES, Shown
from ogeaug.explore.views import compare, edits, look, model, shake

VIEWS = {"look": look, "shake": shake, "compare": compare, "model": model}
TITLES = {"look": "Look", "shake": "Shake", "compare": "Compare", "model": "Table and model"}
SLOTS = {"look": "look", "shake": "shake", "compare": "compare", "model": "model", "table": "model"}
"""Filled when their view is first seen: figures cost a browser more than all else."""


def make_layout(about: About | None, first: Looked | None = None) -> Any:
    """The whole page.

    Args:
        about: What the model predicts; None without one.
        first: What the first view shows; None to let the browser ask for it.
    """
    plain = Shown()
    inside = {name: view.layout(about) for name, view in VIEWS.items()}
    inside["look"] = look.layout(about, first)
    views = [
        html.Div(inside[name], id=f"view-{name}", className="view", hidden=name != plain.view)
        for name in VIEWS
    ]
    known = {} if first is None else {"look": {"data": _values(plain, about)}}
    seen = [dcc.Store(id=f"seen-{name}", **known.get(name, {})) for name in VIEWS]
    stores = ("state", "text", "text2", "upload", "arrived", "query", "restored")
    return html.Div(
        [
            *(dcc.Store(id=name) for name in stores),
            *seen,
            html.Header(_header()),
            html.Main([html.Aside(_controls(plain), id="controls"), html.Div(views, id="views")]),
            dcc.Store(id="plain", data=_values(plain, about)),
            dcc.Store(id="late", data=_late(about, first)),
            dcc.Store(id="basis", data=plain.basis),
            dcc.Store(id="renumber", data=plain.renumber),
        ],
        id="page",
    )


def _values(state: Shown, about: About | None) -> dict[str, Any]:
    """As the page collects them: what is empty is not there."""
    return state.model_dump(exclude_none=True, exclude={"target"} if about is None else None)


def _late(about: About | None, first: Looked | None) -> dict[str, Any]:
    """For each slot its view, what is put there, and the scripts that this needs."""
    scripts = put_off()
    parts = {name: part for view in VIEWS.values() for name, part in view.late(about).items()}
    found = {
        f"slot-{name}": {
            "view": view,
            "children": parts[name],
            "scripts": [scripts[package] for package in NEEDED[name]],
        }
        for name, view in SLOTS.items()
    }
    if first is not None:  # in the place of empty figures, while all is as it was sent
        found["slot-look"]["first"] = look.late(about, first)["look"]
    return found


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
        html.Div(pick("pick", "Petersen"), id="pick-box", hidden=True),
        *edits.layout(),
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
