"""Model folders: config.json (how to build it) and model.safetensors (its weights)."""

import json
import warnings
from pathlib import Path
from typing import Any

import torch
from pydantic import ValidationError
from torch import Tensor

from ogeaug import __version__
from ogeaug.errors import UserError
from ogeaug.files.output import write_text
from ogeaug.files.tensors import read_tensors, write_tensors
from ogeaug.model.config import ModelConfig
from ogeaug.model.folder import (
    FIX,
    MODEL,
    WEIGHTS,
    by_newer,
    find_folder,
    parse_model_config,
    read_record,
)
from ogeaug.model.graph_model import GraphModel


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
    write_text(folder / MODEL, json.dumps(record, indent=2) + "\n")


def load_model(path: str | Path) -> GraphModel:
    """Loads a model from its folder, in eval mode, on the CPU. No code in the folder is run.

    ``"zinc"`` is a model that comes with the package: penalised logP of molecules like those of
    ZINC (docs/results.md has how it was trained).

    Warns if the weights have another precision than float32, which the model has.

    Raises:
        UserError: Something is absent, damaged, or does not fit together.
    """
    folder = find_folder(path)
    record = read_record(folder)
    config = parse_model_config(folder, record)
    tensors, description = read_tensors(folder / WEIGHTS)
    try:
        _check_fit(folder, config, tensors)
    except UserError as error:
        raise by_newer(folder, record, error) from error
    _check_same(folder, config, description)
    broken = [name for name, t in tensors.items() if t.isnan().any()]
    if broken:
        raise UserError(
            f"{folder / WEIGHTS} holds NaN in {len(broken)} tensors ({broken[0]}, ...), so nothing "
            f"can be predicted; {FIX}"
        )
    model = GraphModel.from_config(config)
    model.load_state_dict(tensors)
    return model.eval()


def _check_same(folder: Path, config: ModelConfig, record: Any) -> None:
    """Weights carry the description of their model: another delta, say, would go unnoticed."""
    try:
        same = ModelConfig.model_validate(record).model_dump() == config.model_dump()
    except ValidationError:
        same = False
    if not same:
        raise UserError(
            f"{folder / MODEL} is not the description that {folder / WEIGHTS} was saved with: it "
            "was changed or damaged; use the two files of one training run"
        )


def _check_fit(folder: Path, config: ModelConfig, tensors: dict[str, Tensor]) -> None:
    """Compares names, shapes and types, without memory for the model: a file may ask for any
    amount."""
    try:
        with torch.device("meta"):
            model = GraphModel.from_config(config).state_dict()
    except (ValueError, TypeError) as error:
        raise UserError(f"{folder / MODEL} does not describe a model: {error}; {FIX}") from error
    wanted = {name: tensor.shape for name, tensor in model.items()}
    found = {name: tensor.shape for name, tensor in tensors.items()}
    if found != wanted:
        names = [n for n in {**wanted, **found} if wanted.get(n) != found.get(n)]
        differ = ", ".join(
            f"{n}: {list(found[n]) if n in found else 'absent'}, expected "
            f"{list(wanted[n]) if n in wanted else 'none'}"
            for n in names[:3]
        )
        raise UserError(
            f"{folder / WEIGHTS} does not fit {folder / MODEL} ({len(names)} tensors differ: "
            f"{differ}); use the two files of one training run"
        )
    # Version 0.1.0 wrote the scale of targets as float32, of which float64 loses nothing.
    exact = (torch.float32, torch.float64)
    other = {
        n: t.dtype
        for n, t in tensors.items()
        if t.dtype != model[n].dtype and (t.dtype, model[n].dtype) != exact
    }
    for name, dtype in other.items():
        if not (dtype.is_floating_point and model[name].is_floating_point()):
            raise UserError(
                f"{folder / WEIGHTS} holds {_name(dtype)} for {name}, expected "
                f"{_name(model[name].dtype)}; {FIX}"
            )
    if other:
        kinds = ", ".join(sorted({_name(dtype) for dtype in other.values()}))
        warnings.warn(
            f"{folder / WEIGHTS} holds weights in {kinds}, which become float32: predictions "
            "may differ from those of the model that was saved",
            stacklevel=3,
        )


def _name(dtype: torch.dtype) -> str:
    return str(dtype).removeprefix("torch.")
