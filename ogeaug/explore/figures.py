"""Figures from numbers. They hold no text of a user: Plotly reads some text as HTML."""

import base64

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from ogeaug.explore.colours import (
    CHOSEN,
    DIVERGING,
    GREYS,
    QUIET,
    SEQUENTIAL,
    of_cluster,
    of_encoding,
)
from ogeaug.explore.names import TITLES
from ogeaug.explore.records import Floats, Looked, Picture, Shaken, ToldApart

FAINT = 0.05
"""Differences between nodes that are smaller, relative to the features, are not blown up: where all
nodes look alike, that would show the rounding."""
MARGIN = {"l": 46, "r": 8, "t": 8, "b": 38}


def plain_figure(**layout: object) -> go.Figure:
    """An empty figure in the style of the page."""
    style = {
        "template": "plotly_white",
        "margin": MARGIN,
        "paper_bgcolor": "rgba(0,0,0,0)",
        "plot_bgcolor": "rgba(0,0,0,0)",
        "font": {"family": "system-ui, sans-serif", "size": 12},
        "dragmode": False,
    }
    return go.Figure(layout=style | layout)


def spectrum_figure(found: Looked) -> go.Figure:
    """A stick per eigenspace, as high as its dimension; a colour per cluster."""
    values, first, counts = np.unique(found.eigvals.round(6), return_index=True, return_counts=True)
    clusters = found.cluster[first]
    chosen = found.chosen["cluster"]
    span = max(1e-3, float(np.ptp(found.eigvals)) if len(found.eigvals) else 1.0)
    figure = plain_figure(hovermode="x", hoverdistance=-1, bargap=0)
    figure.add_bar(
        x=values,
        y=counts,
        width=span / 120,
        customdata=np.stack([clusters, counts], 1).tolist(),  # arrays do not come back in clicks
        marker={
            "color": [of_cluster(int(c)) for c in clusters],
            "opacity": [1.0 if c == chosen else 0.7 for c in clusters],
            "line": {
                "width": [2 if c == chosen else 0 for c in clusters],
                "color": CHOSEN,
            },
        },
        hovertemplate="λ = %{x:.4g}, %{customdata[1]} times<br>cluster %{customdata[0]}"
        "<extra></extra>",
    )
    figure.update_xaxes(title="eigenvalue λ", range=[-0.03 * span, 1.03 * span + values.min()])
    figure.update_yaxes(title="eigenvectors", rangemode="tozero", tickformat="d")
    if len(counts) and counts.max() <= 6:
        figure.update_yaxes(dtick=1)
    return figure


def sees_figure(found: Looked) -> go.Figure:
    """The matrix of who sees whom."""
    figure = plain_figure()
    figure.add_heatmap(
        z=found.sees,
        zmin=0,
        zmax=1,
        colorscale=GREYS,
        colorbar={"thickness": 10, "title": "ρ"},
        hovertemplate="eigenpairs %{x} and %{y}: ρ = %{z:.3f}<extra></extra>",
    )
    figure.update_xaxes(title="eigenpair l", constrain="domain")
    figure.update_yaxes(
        title="eigenpair k", autorange="reversed", scaleanchor="x", constrain="domain"
    )
    return figure


def features_figure(found: Looked) -> go.Figure:
    """The encoding as a heat map: a row per node, a column per channel."""
    figure = plain_figure()
    nodes, channels = found.features.shape
    figure.add_trace(_heat(found.features, _largest(found.features)))
    node, channel = found.chosen["node"], found.chosen["channel"]
    if node is not None:
        figure.add_shape(**_frame(-0.5, channels - 0.5, node - 0.5, node + 0.5))
    if channel is not None:
        figure.add_shape(**_frame(channel - 0.5, channel + 0.5, -0.5, nodes - 0.5))
    figure.update_xaxes(title="channel")
    figure.update_yaxes(title="node", autorange="reversed")
    return figure


def molecule_figure(
    picture: Picture, colours: Floats, *, chosen: int | None = None, signed: bool = True
) -> go.Figure:
    """RDKit's drawing over discs that carry the colours; a click on a disc names its atom."""
    assert picture.svg is not None
    figure = plain_figure(margin={"l": 0, "r": 0, "t": 0, "b": 0})
    text = base64.b64encode(picture.svg.encode()).decode()
    figure.add_layout_image(
        source=f"data:image/svg+xml;base64,{text}",
        **{"x": 0, "y": 0, "sizex": picture.width, "sizey": picture.height},
        **{"xref": "x", "yref": "y", "layer": "above", "sizing": "stretch"},
    )
    x, y = zip(*picture.places, strict=True)
    scale, low, high = colour_range(colours, signed)
    ring = [3 if i == chosen else 0 for i in range(len(x))]
    figure.add_scatter(
        x=x,
        y=y,
        mode="markers",
        customdata=list(range(len(x))),
        marker={
            **{"size": 26, "opacity": 0.75, "color": colours, "colorscale": scale},
            **{"cmin": low, "cmax": high, "colorbar": {"thickness": 10, "len": 0.8}},
            "line": {"width": ring, "color": CHOSEN},
        },
        hovertemplate="atom %{customdata}: %{marker.color:.4g}<extra></extra>",
    )
    figure.update_xaxes(visible=False, range=[0, picture.width], constrain="domain")
    figure.update_yaxes(visible=False, range=[picture.height, 0], scaleanchor="x")
    return figure


def moved_figure(found: Shaken) -> go.Figure:
    """The features of an encoding before and after, in the same colours."""
    mean = found.before.mean(0)
    most = max(_largest(found.before - mean), FAINT * _largest(found.before))
    both = make_subplots(rows=1, cols=2, horizontal_spacing=0.06, shared_yaxes=True)
    figure = go.Figure(both)
    figure.update_layout(plain_figure(margin={"l": 26, "r": 4, "t": 4, "b": 24}).layout)
    for column, values in enumerate((found.before, found.after), 1):
        figure.add_trace(_heat(values - mean, most, bar=False), row=1, col=column)
    figure.update_yaxes(autorange="reversed")
    figure.update_xaxes(showticklabels=False)
    figure.update_xaxes(title={"text": "before", "standoff": 2}, col=1)
    figure.update_xaxes(title={"text": "after", "standoff": 2}, col=2)
    return figure


def bars_figure(changes: dict[str, float]) -> go.Figure:
    """How far each encoding moves, on a scale of powers of ten."""
    figure = plain_figure(margin={"l": 80, "r": 70, "t": 4, "b": 38})
    figure.add_bar(
        x=[max(change, 1e-16) for change in changes.values()],
        y=[TITLES[name] for name in changes],
        orientation="h",
        marker={"color": [of_encoding(name) for name in changes]},
        text=[percent(change) for change in changes.values()],
        textposition="outside",
        cliponaxis=False,
        hovertemplate="%{y}: %{x:.2g}<extra></extra>",
    )
    figure.update_xaxes(type="log", range=[-16.5, 0.7], dtick=4, exponentformat="power")
    figure.update_xaxes(title="change of the features")
    figure.update_yaxes(autorange="reversed")
    return figure


def verdicts_figure(found: list[ToldApart]) -> go.Figure:
    """The difference of two graphs against the noise of relabelled copies, for each encoding."""
    figure = plain_figure(margin={"l": 80, "r": 12, "t": 4, "b": 38})
    figure.update_layout(legend={"orientation": "h", "y": -0.2})
    names = [TITLES[item.name] for item in found]
    noise = [_visible(item.noise) for item in found]
    distance = [_visible(item.distance) for item in found]
    for i, name in enumerate(names):
        ends, line = [noise[i], distance[i]], {"color": QUIET, "width": 1}
        figure.add_scatter(
            x=ends, y=[name, name], mode="lines", line=line, showlegend=False, hoverinfo="skip"
        )
    figure.add_scatter(
        x=noise,
        y=names,
        mode="markers",
        name="noise",
        marker={"size": 12, "symbol": "line-ns-open", "color": QUIET},
    )
    for apart, symbol in ((True, "circle"), (False, "circle-open")):
        some = [i for i, item in enumerate(found) if item.apart is apart]
        figure.add_scatter(
            x=[distance[i] for i in some],
            y=[names[i] for i in some],
            mode="markers",
            name="difference: told apart" if apart else "difference: not told apart",
            marker={
                **{"size": 11, "symbol": symbol, "line": {"width": 2}},
                "color": [of_encoding(found[i].name) for i in some],
            },
        )
    order = {"categoryorder": "array", "categoryarray": names[::-1]}
    figure.update_xaxes(type="log", range=[-17, 1.2], dtick=4, exponentformat="power")
    figure.update_yaxes(**order)
    return figure


def percent(change: float) -> str:
    """A change in words.

    Example:
        >>> percent(1.24), percent(2e-15)
        ('124 %', '2e-13 %')
    """
    return f"{100 * change:.3g} %" if change >= 1e-4 else f"{100 * change:.0e} %"


def colour_range(colours: Floats, signed: bool) -> tuple[str, float, float]:
    """The scale of colours, and what its ends stand for."""
    if signed:
        most = _largest(colours)
        return DIVERGING, -most, most
    return SEQUENTIAL, 0.0, _largest(colours)


def _heat(values: Floats, most: float, bar: bool = True) -> go.Heatmap:
    return go.Heatmap(
        z=values,
        zmin=-most,
        zmax=most,
        colorscale=DIVERGING,
        showscale=bar,
        colorbar={"thickness": 10},
        hovertemplate="node %{y}, channel %{x}: %{z:.4g}<extra></extra>",
    )


def _frame(x0: float, x1: float, y0: float, y1: float) -> dict[str, object]:
    line = {"color": CHOSEN, "width": 2}
    return {"type": "rect", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line}


def _largest(values: Floats) -> float:
    return float(np.abs(values).max(initial=0.0)) or 1.0


def _visible(size: float) -> float:
    """A size on a scale that begins at 1e-17; unknown noise is below the rest."""
    return 1e-16 if not size > 1e-16 else min(size, 10.0)
