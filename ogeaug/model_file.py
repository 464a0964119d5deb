"""Model folders: config.json (how to build it) and model.safetensors (its weights)."""

import json
from pathlib import Path

from pydantic import ValidationError

from ogeaug import __version__
from ogeaug.errors import UserError
from ogeaug.model import GraphModel
from ogeaug.model_config import ModelConfig
from ogeaug.tensor_file import read_tensors, write_tensors, write_text

CONFIG, WEIGHTS = "config.json", "model.safetensors"


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
    write_text(folder / CONFIG, json.dumps(record, indent=2) + "\n")
    write_tensors(folder / WEIGHTS, model.state_dict(), record["model"])


def load_model(path: str | Path) -> GraphModel:
    """Loads a model from its folder, in eval mode, on the CPU. No code in the folder is run.

    Raises:
        UserError: Something is absent, damaged, or does not fit together.
    """
    folder = Path(path)
    config = read_model_config(folder)
    tensors, _ = read_tensors(folder / WEIGHTS)
    model = GraphModel.from_config(config)
    try:
        model.load_state_dict(tensors)
    except RuntimeError as error:
        raise UserError(
            f"{folder / WEIGHTS} does not fit {folder / CONFIG}; use the two files of one training "
            f"run ({' '.join(str(error).split())[:300]})"
        ) from error
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
    except (ValueError, KeyError, TypeError) as error:
        kind = "does not describe a model" if isinstance(error, ValidationError) else "is damaged"
        raise UserError(f"{file} {kind}: {error}; copy it again or retrain") from error
