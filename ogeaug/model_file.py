"""Model folders: config.json (how to build it) and model.safetensors (its weights)."""

import json
from pathlib import Path
from typing import Any

import torch
from pydantic import ValidationError
from torch import Tensor

from ogeaug import __version__
from ogeaug.errors import UserError
from ogeaug.model import GraphModel
from ogeaug.model_config import ModelConfig, explain
from ogeaug.tensor_file import read_tensors, write_tensors, write_text

CONFIG, WEIGHTS = "config.json", "model.safetensors"
FIX = "copy it again or retrain"


def save_model(model: GraphModel, path: str | Path) -> None:
    """Writes a model into a folder (made if absent), each file atomically."""
    if model.config is None:
        raise ValueError(
            "this model was not built by GraphModel.from_config, so a file could not "
            "tell how to rebuild it"
        )
    folder = Path(path)
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "ogeaug_version": __version__,
        "parameters": model.num_parameters,
        "model": model.config.model_dump(mode="json"),
    }
    write_tensors(folder / WEIGHTS, model.state_dict(), record["model"])
    # Last: a folder with this file is a model.
    write_text(folder / CONFIG, json.dumps(record, indent=2) + "\n")


def load_model(path: str | Path) -> GraphModel:
    """Loads a model from its folder, in eval mode, on the CPU. No code in the folder is run.

    Raises:
        UserError: Something is absent, damaged, or does not fit together.
    """
    folder = Path(path)
    config = read_model_config(folder)
    tensors, record = read_tensors(folder / WEIGHTS)
    _check_fit(folder, config, tensors)
    _check_same(folder, config, record)
    model = GraphModel.from_config(config)
    model.load_state_dict(tensors)
    return model.eval()


def read_model_config(folder: Path) -> ModelConfig:
    """Reads and checks config.json."""
    file = folder / CONFIG
    if not file.is_file():
        raise UserError(
            f"{folder} is no model folder: it has no {CONFIG}. If its training was interrupted, "
            f"continue it by  ogeaug train --resume {folder}"
        )
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
        return ModelConfig.model_validate(record["model"])
    except ValidationError as error:
        raise UserError(f"{file} does not describe a model: {explain(error)}; {FIX}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise UserError(f"{file} is damaged: {error}; {FIX}") from error


def _check_same(folder: Path, config: ModelConfig, record: Any) -> None:
    """Weights carry the description of their model: another delta, say, would go unnoticed."""
    try:
        same = ModelConfig.model_validate(record).model_dump() == config.model_dump()
    except ValidationError:
        same = False
    if not same:
        raise UserError(
            f"{folder / CONFIG} is not the description that {folder / WEIGHTS} was saved with: it "
            "was changed or damaged; use the two files of one training run"
        )


def _check_fit(folder: Path, config: ModelConfig, tensors: dict[str, Tensor]) -> None:
    """Compares names and shapes, without memory for the model: a file may ask for any amount."""
    try:
        with torch.device("meta"):
            wanted = {n: t.shape for n, t in GraphModel.from_config(config).state_dict().items()}
    except (ValueError, TypeError) as error:
        raise UserError(f"{folder / CONFIG} does not describe a model: {error}; {FIX}") from error
    found = {name: tensor.shape for name, tensor in tensors.items()}
    if found != wanted:
        names = [n for n in {**wanted, **found} if wanted.get(n) != found.get(n)]
        differ = ", ".join(
            f"{n}: {list(found[n]) if n in found else 'absent'}, expected "
            f"{list(wanted[n]) if n in wanted else 'none'}"
            for n in names[:3]
        )
        raise UserError(
            f"{folder / WEIGHTS} does not fit {folder / CONFIG} ({len(names)} tensors differ: "
            f"{differ}); use the two files of one training run"
        )
