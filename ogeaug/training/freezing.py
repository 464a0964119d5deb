"""Encodings that stay as they are: computed once, and not in each step."""

import copy
from pathlib import Path

import torch
from rich.progress import track
from torch_geometric.data import Batch, Data

from ogeaug.errors import UserError
from ogeaug.model.entering import level
from ogeaug.model.graph_model import STORED, GraphModel, run_encoding
from ogeaug.training.add_spectra import add_spectra
from ogeaug.training.checkpoint import SafeCheckpointIO
from ogeaug.training.config import TrainingConfig
from ogeaug.training.prepare import Parts

PREFIX = "model.encodings."
"""How the names of their weights begin in a checkpoint."""


def restore_encodings(model: GraphModel, checkpoint: Path, run: str | None) -> None:
    """Takes the encodings of a run that goes on from its checkpoint: the model that it started
    from may be gone."""
    weights = SafeCheckpointIO(run).load_checkpoint(checkpoint)["state_dict"]
    mine = {name: weights.get(PREFIX + name) for name in model.encodings.state_dict()}
    try:
        model.encodings.load_state_dict(mine)
    except (RuntimeError, AttributeError) as error:
        raise UserError(
            f"{checkpoint} is of another model: its encodings do not fit; restore the one of this "
            "run, or delete it to begin anew by --resume"
        ) from error


def freeze_encodings(parts: Parts, model: GraphModel, t: TrainingConfig, progress: bool) -> Parts:
    """Graphs that carry what the encodings give; the model reads it there from now on.

    A batch norm after an encoding (``standardize``) is no part of it, and goes on learning.

    Args:
        parts: The graphs.
        model: Its encodings are those of the model to start from.
        t: How to train; without noise.
        progress: Whether to show a progress bar.
    """
    model.encodings.requires_grad_(False)
    ready, _ = add_spectra(parts, model, t, progress)
    model.encodings.eval()

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
