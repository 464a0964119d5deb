"""A picture of one graph: its spectrum, its bands and its encoding."""

import networkx as nx
import numpy as np
import torch
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.utils import to_networkx

from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.pictures import DIVERGING, FAINT, GREY, GREYS, SEQUENTIAL, new_figure, styled
from ogeaug.spectrum.pyg import read_spectra


@styled()
def draw_encoding(data: Data, encoding: OGEAug, title: str = "") -> Figure:
    """Four panels: the graph coloured by its encoding, eigenvalues, bands, encoding.

    Args:
        data: One graph.
        encoding: An OGE-Aug; it is put into eval mode.
        title: Above the picture.

    Example:
        >>> path = Data(edge_index=torch.tensor([[0, 1, 2], [1, 2, 3]]), num_nodes=4)
        >>> draw_encoding(path, OGEAug(8, hidden_channels=8)).axes[1].get_ylabel()
        'eigenvalue'
    """
    encoding.eval()
    with torch.no_grad():
        features = encoding(data).double()  # [n, c]
    spectrum = next(iter(read_spectra(data, encoding.spectrum, training=False)))
    gaps = (spectrum.eigvals[:, None] - spectrum.eigvals[None, :]).abs()
    rho = encoding.smoothing(gaps)  # [K, K]
    figure = new_figure(13, 3.6)
    graph, values, bands, heat = figure.subplots(1, 4, width_ratios=[1.2, 1, 1, 1])
    _draw_graph(graph, data, _principal(features))
    _draw_eigvals(values, spectrum.eigvals, rho, encoding.smoothing.delta)
    image = bands.imshow(rho.numpy(), cmap=GREYS, vmin=0, vmax=1, aspect="equal")
    bands.set(title="Bands: who sees whom", xlabel="eigenpair l", ylabel="eigenpair k")
    figure.colorbar(image, ax=bands, shrink=0.8, label="smoothing")
    centred = features - features.mean(0)
    scale = float(centred.abs().max()) or 1.0
    heat.imshow(centred.numpy(), cmap=DIVERGING, vmin=-scale, vmax=scale)
    heat.set(title="Encoding, less its mean", xlabel="channel", ylabel="node")
    for axes in (bands, heat):
        axes.grid(False)
    if title:
        figure.suptitle(title)
    return figure


def _draw_graph(axes: Axes, data: Data, colour: Tensor) -> None:
    graph = to_networkx(data, to_undirected=True, remove_self_loops=True)
    place = nx.kamada_kawai_layout(graph) if len(graph) > 1 else {0: (0, 0)}
    nx.draw_networkx_edges(graph, place, ax=axes, edge_color=FAINT)
    most = 2 * float(colour.abs().max()) or 1.0  # the pale half of the map: numbers are legible
    nx.draw_networkx_nodes(
        *(graph, place),
        ax=axes,
        node_color=colour.numpy(),
        cmap=DIVERGING,
        vmin=-most,
        vmax=most,
        node_size=120,
        edgecolors=GREY,
        linewidths=0.5,
    )
    nx.draw_networkx_labels(graph, place, ax=axes, font_size=7)
    axes.set_title("Graph, coloured by its encoding")
    axes.set_axis_off()


def _draw_eigvals(axes: Axes, eigvals: Tensor, rho: Tensor, delta: float) -> None:
    crowd = (rho > 0).sum(1)  # how many eigenpairs each one sees
    k = np.arange(len(eigvals))
    axes.vlines(k, 0, eigvals.numpy(), color=FAINT, lw=1)
    dots = axes.scatter(k, eigvals.numpy(), c=crowd.numpy(), cmap=SEQUENTIAL, s=18, vmin=1)
    axes.figure.colorbar(dots, ax=axes, shrink=0.8, label="eigenpairs in its band")
    axes.set(title=f"Spectrum (delta = {delta:g})", xlabel="eigenpair k", ylabel="eigenvalue")


def _principal(features: Tensor) -> Tensor:
    """Coordinates along the direction in which the nodes differ most ``[n]``."""
    centred = features - features.mean(0)
    u, s, _ = torch.linalg.svd(centred, full_matrices=False)
    return u[:, 0] * s[0]
