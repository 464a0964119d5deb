"""A data set and a configuration that train in a second."""

from pathlib import Path

import pytest

from ogeaug.data.nci import nci_smiles
from ogeaug.training.config import Config, load_config
from ogeaug.training.fitting import fit
from ogeaug.training.module import GraphModule

SMALL = [
    "training.epochs=4",
    "training.batch_size=8",
    "training.tensorboard=false",
    "backbone.layers=2",
    "backbone.channels=16",
    "backbone.dropout=0.1",
    "encodings.0.hidden_channels=4",
    "encodings.0.num_layers=1",
    "encodings.0.out_channels=4",
]


def molecules(count: int = 40) -> list[str]:
    return [smiles for smiles in nci_smiles()[:200] if len(smiles) < 40][:count]


def write_csv(path: Path, *, header: str = "smiles,y", rows: list[str] | None = None) -> Path:
    """SMILES and their length, which is easily learned."""
    if rows is None:
        rows = [f"{smiles},{len(smiles)}" for smiles in molecules()]
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return path


def tiny_config(path: Path, *overrides: str) -> Config:
    return load_config("default", [*SMALL, *overrides], {"data.path": str(path)})


def fit_interrupted(config: Config, folder: Path, epoch: int, match: str | None = None) -> None:
    """Trains until Ctrl-C in the first step of an epoch, counted from 1; ``match``: the message."""
    step = GraphModule.training_step

    def interrupted(self, batch, index):
        if self.current_epoch == epoch - 1:
            raise KeyboardInterrupt
        return step(self, batch, index)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(GraphModule, "training_step", interrupted)
        with pytest.raises(KeyboardInterrupt, match=match):
            fit(config, folder, progress=False)
