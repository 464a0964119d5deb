"""From a table of molecules, or the ones that come with RDKit, to a pretrained network's file."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch_geometric.data import Data

from ogeaug.data.molecule import smiles_to_data
from ogeaug.data.nci import nci_smiles
from ogeaug.data.table import TableReader
from ogeaug.encodings.network_file import save_network
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.errors import UserError
from ogeaug.files.output import check_output
from ogeaug.training.pretrain import pretrain

OPTIONS: dict[str, Any] = {"delta": 0.05, "readout": "every", "message_norm": "sym"}
"""Of every network: as in the configuration ``zinc``."""
LARGEST = 200
"""Atoms of a molecule; spectra of larger ones would take most of the time."""


@dataclass(frozen=True)
class Pretrained:
    """What came of it.

    Attributes:
        path: The file.
        molecules: How many were learned from, those kept apart included.
        left_out: How many rows were no molecule, or too large, or of a single atom.
        error: Mean square error of the standardised numbers, on molecules kept apart.
    """

    path: Path
    molecules: int
    left_out: int
    error: float

    def __str__(self) -> str:
        said = f"{self.path}: learned from {self.molecules:,} molecules"
        if self.left_out:
            said += f" ({self.left_out:,} rows left out: no molecule, one atom, or over {LARGEST})"
        return (
            f"{said}\nmean square error on those kept apart: {self.error:.3f} "
            "(1: nothing learned, 0: all)"
        )


def pretrain_molecules(
    path: str | Path,
    data_path: str | Path | None = None,
    column: str = "smiles",
    *,
    out_channels: int = 64,
    options: Mapping[str, Any] | None = None,
    epochs: int = 40,
    seed: int = 0,
    progress: bool = True,
) -> Pretrained:
    """Trains a network on the structure of molecules, without labels, and writes it.

    Args:
        path: The file, for ``oge_pretrained``'s option ``source``.
        data_path: A table of SMILES; if absent, RDKit's 5,000 NCI molecules.
        column: Of SMILES.
        out_channels: Features of a node.
        options: ``hidden_channels``, ``num_layers`` and ``k``.
        epochs: How long.
        seed: Of weights and order.
        progress: Whether to show progress bars.
    """
    path = Path(path)
    check_output(path)
    rows = nci_smiles() if data_path is None else TableReader(data_path).read().column(column)
    graphs = [data for smiles in rows if (data := _graph(smiles)) is not None]
    if not graphs:
        raise UserError(
            f"none of the {len(rows):,} rows of {data_path} is a molecule of 2 to {LARGEST} atoms"
            + (f"; is {column!r} the column of SMILES?" if len(rows) else "")
        )
    options = OPTIONS | {"hidden_channels": 64, "num_layers": 4, "k": 40} | dict(options or {})
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        network = OGEAug(out_channels, **options)
    error = pretrain(graphs, network, epochs=epochs, seed=seed, progress=progress)
    save_network(network, options, path)
    return Pretrained(path, len(graphs), len(rows) - len(graphs), error)


def _graph(smiles: str) -> Data | None:
    try:
        data = smiles_to_data(smiles, max_atoms=LARGEST)
    except UserError:  # no molecule, or too large
        return None
    return data if data.num_edges else None
