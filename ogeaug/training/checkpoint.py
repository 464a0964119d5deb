"""Lightning's checkpoints as safetensors + JSON: complete, atomic, and without pickle."""

from pathlib import Path
from typing import Any

from lightning.pytorch.callbacks import ModelCheckpoint
from lightning.pytorch.plugins.io import CheckpointIO
from torch import Tensor

from ogeaug.errors import UserError
from ogeaug.files.tensors import read_tensors, write_tensors

RUN = "ogeaug_run"
CONTENT: dict[str, type] = {
    "state_dict": dict,
    "optimizer_states": list,
    "lr_schedulers": list,
    "loops": dict,
    "callbacks": dict,
    "epoch": int,
    "global_step": int,
}
"""What Lightning reads from a checkpoint."""


class SafeCheckpointIO(CheckpointIO):
    """Writes the nested dictionary that Lightning wants to save without pickling it.

    Tensors go into a safetensors file; everything around them, plain containers and values only,
    as JSON into its header. Loading a file can thus run no code, and a kill while saving leaves
    the file that was there before.

    Args:
        run: The name of the run; its checkpoints carry it, and no others are loaded. None: any are,
            since those of version 0.1.0 have no name.
    """

    def __init__(self, run: str | None = None) -> None:
        self.run = run

    def save_checkpoint(
        self, checkpoint: dict[str, Any], path: Any, storage_options: Any = None
    ) -> None:
        tensors: dict[str, Tensor] = {}
        record = _take_apart(checkpoint | {RUN: self.run}, tensors, "checkpoint")
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        write_tensors(Path(path), tensors, record)

    def load_checkpoint(self, path: Any, *args: Any, **kwargs: Any) -> dict[str, Any]:
        tensors, record = read_tensors(Path(path))
        fix = "restore it, or delete it to begin the run anew by --resume"
        try:
            found = _put_together(record, tensors)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise UserError(f"{path} is no checkpoint of a training run: {error}; {fix}") from error
        if not isinstance(found, dict):
            raise UserError(f"{path} is no checkpoint of a training run; {fix}")
        lacks = [key for key, kind in CONTENT.items() if not isinstance(found.get(key), kind)]
        if lacks:
            raise UserError(
                f"{path} is no checkpoint of a training run: it lacks {', '.join(lacks)}; {fix}"
            )
        if self.run is not None and found.get(RUN) != self.run:
            raise UserError(f"{path} is a checkpoint of another run; {fix}")
        return found

    def remove_checkpoint(self, path: Any) -> None:
        Path(path).unlink(missing_ok=True)


class LastCheckpoint(ModelCheckpoint):
    """Keeps the state at the end of the last whole epoch in one file, ``last.safetensors``."""

    FILE_EXTENSION = ".safetensors"

    def __init__(self, folder: Path) -> None:
        super().__init__(
            dirpath=folder,
            filename="last",
            save_top_k=1,
            enable_version_counter=False,
            save_on_train_epoch_end=True,
        )


def _take_apart(value: Any, tensors: dict[str, Tensor], name: str) -> Any:
    """Plain JSON: containers as [kind, items], tensors by name."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Tensor):
        tensors[name] = value
        return ["tensor", name]
    if isinstance(value, dict):
        items = enumerate(value.items())
        return ["dict", [[k, _take_apart(v, tensors, f"{name}.{i}")] for i, (k, v) in items]]
    if isinstance(value, list | tuple):
        kind = "list" if isinstance(value, list) else "tuple"
        return [kind, [_take_apart(v, tensors, f"{name}.{i}") for i, v in enumerate(value)]]
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"a checkpoint holds tensors and plain values only, not {type(value)}")


def _put_together(record: Any, tensors: dict[str, Tensor]) -> Any:
    if not isinstance(record, list):
        return record
    kind, content = record
    if kind == "tensor":
        return tensors[content]
    if kind == "dict":
        return {key: _put_together(value, tensors) for key, value in content}
    if kind in ("list", "tuple"):
        items = [_put_together(value, tensors) for value in content]
        return items if kind == "list" else tuple(items)
    raise ValueError(f"unknown kind {kind!r}")
