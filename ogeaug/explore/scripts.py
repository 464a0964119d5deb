"""Scripts of the packages that come late, and where they are."""

from importlib import import_module
from pathlib import Path

import dash_ag_grid
import dash_cytoscape
from dash.fingerprint import build_fingerprint

PLOTLY = "package_data/plotly.min.js"
NEEDED = {
    "look": ("plotly", "dash_cytoscape"),
    "shake": ("plotly",),
    "compare": ("plotly", "dash_cytoscape"),
    "model": ("plotly",),
    "table": ("dash_ag_grid",),
}
"""Packages whose scripts a slot needs."""


def put_off() -> dict[str, str]:
    """Takes the three largest scripts out of the first page; where the page gets them, by package.

    Plotly alone takes a browser longer than all the rest. Dash loads it with the first figure;
    the others it would load at once.
    """
    found = {"plotly": address("plotly", PLOTLY)}
    for package in (dash_ag_grid, dash_cytoscape):
        main = package._js_dist[0]
        main["async"] = "lazy"  # in Dash's words: known to the server, asked for by the page itself
        found[package.__name__] = address(package.__name__, main["relative_package_path"])
    return found


def address(package: str, path: str) -> str:
    """Where the page finds a script of a package: with its version, so that browsers may keep it.

    Example:
        >>> address("plotly", PLOTLY).split(".")[0]
        '/_dash-component-suites/plotly/package_data/plotly'
    """
    module = import_module(package)
    file = Path(str(module.__file__)).parent / path
    mark = build_fingerprint(path, module.__version__, int(file.stat().st_mtime))
    return f"/_dash-component-suites/{package}/{mark}"
