"""Encodings that stay as they are: computed once, and not in each step."""

import copy
from pathlib import Path

import torch
from rich.progress import track
from torch_geometric.data import Batch, Data

from ogeaug.model.entering import level
from ogeaug.model.file import load_model
from ogeaug.model.graph_model import STORED, GraphModel, run_encoding
from ogeaug.training.add_spectra import add_spectra
from ogeaug.training.config import TrainingConfig
from ogeaug.training.prepare import Parts


def freeze_encodings(
    parts: Parts, model: GraphModel, t: TrainingConfig, progress: bool, begun: Path | None = None
) -> Parts:
    """Graphs that carry what the encodings give; the model reads it there from now on.

    Args:
        parts: The graphs.
        model: Its encodings are those of the model to start from.
        t: How to train; without noise.
        progress: Whether to show a progress bar.
        begun: Folder of the run that goes on, where these encodings are: the model to start from
            may be gone.
    """
    if begun is not None:
        model.encodings.load_state_dict(load_model(begun).encodings.state_dict())
    model.encodings.requires_grad_(False)
    ready, _ = add_spectra(parts, model, t, progress)
    model.eval()

    def with_encodings(part: str) -> list[Data]:
        graphs = [copy.copy(data) for data in parts.part(part)]
        starts = range(0, len(graphs), t.batch_size)
        for start in track(starts, f"Encodings ({part})", disable=not progress, transient=True):
            some = slice(start, start + t.batch_size)
            _store(model, ready.part(part)[some], graphs[some])
        return graphs

    found = parts.map(with_encodings)
    model.stored = True
    return found


@torch.no_grad()
def _store(model: GraphModel, ready: list[Data], graphs: list[Data]) -> None:
    batch = Batch.from_data_list(ready)
    for number, encoding in enumerate(model.encodings):
        edges = level(encoding) == "edge"
        sizes = [data.num_edges if edges else data.num_nodes for data in ready]
        z = run_encoding(encoding, batch, None, None)
        for data, mine in zip(graphs, z.split(sizes), strict=True):
            data[STORED.format(number)] = mine
