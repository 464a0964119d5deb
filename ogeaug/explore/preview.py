"""Still pictures of the first view: seen at once, until Plotly, a large script, draws it live."""

import base64
from typing import Any

import numpy as np
from dash import html
from plotly.colors import sample_colorscale

from ogeaug.explore.colours import GREYS, of_cluster
from ogeaug.explore.figures import MARGIN, colour_range
from ogeaug.explore.records import Floats, Looked, Picture

BAR = 56
"""Pixels that Plotly keeps for the bar of colours beside a figure."""


def still_molecule(picture: Picture, colours: Floats) -> Any:
    """The drawing of a molecule over discs that carry the colours."""
    assert picture.svg is not None
    scale, low, high = colour_range(colours, False)
    shades = sample_colorscale(scale, [(float(value) - low) / (high - low) for value in colours])
    discs = [
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="13" fill="{shade}" opacity="0.75"/>'
        for (x, y), shade in zip(picture.places, shades, strict=True)
    ]
    size = f'width="{picture.width}" height="{picture.height}"'
    drawing = f'<image {size} href="{_address(picture.svg)}"/>'
    box = f"0 0 {picture.width} {picture.height}"
    return _still(box, [*discs, drawing], (0, BAR, 0, 0), fit="xMidYMid meet")


def still_spectrum(found: Looked) -> Any:
    """A stick per eigenspace, a colour per cluster."""
    values, first, counts = np.unique(found.eigvals.round(6), return_index=True, return_counts=True)
    span, most = max(1e-3, float(np.ptp(found.eigvals))), int(counts.max())
    sticks = [
        f'<rect x="{120 * (value - values[0]) / span - 0.5:.2f}" y="{-count}" width="1" '
        f'height="{count}" fill="{of_cluster(int(cluster))}"/>'
        for value, count, cluster in zip(values, counts, found.cluster[first], strict=True)
    ]
    return _still(f"-3.6 {-1.05 * most:.2f} 127 {1.05 * most:.2f}", sticks, _margins(0))


def still_heat(values: Floats, *, signed: bool) -> Any:
    """A matrix in colours, from its first row down."""
    scale, low, high = colour_range(values, True) if signed else (GREYS, 0.0, 1.0)
    shades = sample_colorscale(scale, ((values - low) / (high - low)).ravel().tolist())
    rows, columns = values.shape
    cells = [
        f'<rect x="{i % columns}" y="{i // columns}" width="1" height="1" fill="{shade}"/>'
        for i, shade in enumerate(shades)
    ]
    fit = "none" if signed else "xMidYMid meet"
    return _still(f"0 0 {columns} {rows}", cells, _margins(BAR), fit=fit)


def _margins(right: int) -> tuple[int, int, int, int]:
    return MARGIN["l"], MARGIN["r"] + right, MARGIN["t"], MARGIN["b"]


def _still(
    box: str, parts: list[str], margins: tuple[int, int, int, int], *, fit: str = "none"
) -> Any:
    """What is drawn, within margins in pixels: at left, right, top and bottom."""
    left, right, top, bottom = margins
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" preserveAspectRatio="{fit}" '
        f'shape-rendering="crispEdges">{"".join(parts)}</svg>'
    )
    place = {
        **{"left": f"{left}px", "top": f"{top}px"},
        **{"width": f"calc(100% - {left + right}px)", "height": f"calc(100% - {top + bottom}px)"},
    }
    return html.Img(src=_address(svg), alt="", className="still", style=place)


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
