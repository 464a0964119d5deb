"""What is computed for the page, in processes of its own. Here are torch and RDKit."""

import warnings
from typing import Any

import torch
from torch_geometric.data import Data

from ogeaug.encodings import encoding_options, make_encoding
from ogeaug.encodings.base import Encoding
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.errors import UserError
from ogeaug.explore.graphs import Graph, places, read_graph
from ogeaug.explore.limits import MOST_TENSOR_BYTES
from ogeaug.explore.records import Looked, Picture, Shaken, ToldApart
from ogeaug.explore.state import Shown
from ogeaug.measure.expressivity import distinguishes
from ogeaug.measure.look import Sight, look_at
from ogeaug.measure.shaking import Shake, shake
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.memory import block_bytes

CHANNELS = 16
ROUNDING = 1e-9
"""Differences below this, relative to the features, are those of rounding."""


def make_jobs() -> dict[str, Any]:
    """The jobs of a process, after the first call of each kind: it loads what is loaded late."""
    torch.set_num_threads(1)
    look(Shown(text="CC"))
    return {"picture": picture, "look": look, "shake_one": shake_one, "compare_one": compare_one}


def picture(kind: str, text: str) -> Picture:
    """A graph, drawn."""
    return draw(read_graph(kind, text))


def draw(graph: Graph) -> Picture:
    """The picture of a graph: by RDKit if it is a molecule."""
    i, j = graph.data.edge_index.tolist()
    edges = [(a, b) for a, b in zip(i, j, strict=True) if a < b]
    drawing = graph.drawing
    if drawing is None:
        return Picture(graph.names, places(graph.data), edges, None, 0, 0, None)
    size = drawing.width, drawing.height
    return Picture(graph.names, drawing.places, edges, drawing.svg, *size, graph.smiles)


def look(state: Shown) -> Looked:
    """The first view: everything about one graph."""
    graph = read_graph(state.kind, state.text)
    encoding = oge_aug(state, graph.data)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = look_at(encoding, graph.data)
    nodes, clusters = len(graph.names), found.num_clusters
    chosen = {
        "cluster": min(state.cluster, clusters - 1) if clusters else None,
        "channel": min(state.channel, CHANNELS - 1),
        "node": state.node if state.node is not None and state.node < nodes else None,
    }
    notes = list(dict.fromkeys(str(warning.message) for warning in caught))
    centred = found.features - found.features.mean(0)
    if centred.abs().max() < ROUNDING * found.features.abs().max():
        centred = torch.zeros_like(centred)
        notes.append("All nodes have the same features: the graph looks the same from each.")
    colours, legend = _colours(state.colour, found, centred, chosen)
    return Looked(
        draw(graph),
        found.eigvals.numpy(),
        found.cluster.numpy(),
        found.sees.numpy(),
        centred.numpy(),
        colours.numpy(),
        legend,
        chosen,
        notes,
    )


def _colours(
    kind: str, found: Sight, centred: torch.Tensor, chosen: dict[str, int | None]
) -> tuple[torch.Tensor, str]:
    channel, cluster, node = chosen["channel"], chosen["cluster"], chosen["node"]
    if kind == "channel" or cluster is None:
        assert channel is not None
        return centred[:, channel], f"channel {channel}, less its mean"
    projector = found.projector(cluster)
    if node is None:
        return projector.diagonal(), f"share of cluster {cluster} at each node"
    return projector[node], f"cluster {cluster}, seen from node {node}"


def shake_one(state: Shown, name: str) -> Shaken:
    """One encoding of a graph, before and after."""
    data = read_graph(state.kind, state.text).data
    noise = state.noise_size if data.num_edges else 0.0
    how = Shake(noise, state.basis, state.renumber, state.seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said by the first view
        moved = shake(_encoding(name, state, data), data, how)
    return Shaken(name, moved.before.numpy(), moved.after.numpy(), moved.change)


def compare_one(state: Shown, name: str) -> ToldApart:
    """Whether one encoding tells two graphs apart."""
    left = read_graph(state.kind, state.text).data
    right = read_graph(state.kind2, state.text2).data
    generator = torch.Generator().manual_seed(state.seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = distinguishes(_encoding(name, state, left), left, right, generator=generator)
    numbers = found.distance, found.noise, found.threshold
    return ToldApart(name, found.distinguished, *numbers, found.reason)


def oge_aug(state: Shown, data: Data) -> OGEAug:
    """The OGE-Aug of the sliders, with random weights; refused if its tensors are too large."""
    torch.manual_seed(state.seed)
    options = {"delta": state.window, "order": state.order, "num_layers": state.layers}
    encoding = OGEAug(CHANNELS, hidden_channels=CHANNELS, k=state.k or None, **options)  # type: ignore[arg-type]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        spectra = encoding.double().eval().read_spectra(data)
    spectra = SpectrumBatch.stack(list(spectra))
    needed = block_bytes(spectra, encoding.smoothing, state.order, CHANNELS, torch.float64)
    if needed > MOST_TENSOR_BYTES:
        raise UserError(
            f"tensors of order {state.order} would take {needed / 2**30:.1f} GiB; this page gives "
            f"them {MOST_TENSOR_BYTES / 2**30:.0f}. Choose a lower order, a smaller delta or "
            "fewer eigenpairs (k)"
        )
    return encoding


def _encoding(name: str, state: Shown, data: Data) -> Encoding:
    if name == "oge_aug":
        return oge_aug(state, data)
    torch.manual_seed(state.seed)
    has_width = "hidden_channels" in encoding_options(name)
    options: dict[str, Any] = {"hidden_channels": CHANNELS} if has_width else {}
    return make_encoding(name, CHANNELS, **options).double().eval()
