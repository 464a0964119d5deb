"""Named tensors and a JSON record in one safetensors file, with a checksum, written atomically."""

import hashlib
import json
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from ogeaug.errors import UserError
from ogeaug.files.json_text import parse_json
from ogeaug.files.output import writing


def write_tensors(path: Path, tensors: dict[str, Tensor], record: Any = None) -> None:
    """Writes tensors and a JSON-able record atomically."""
    plain = torch.contiguous_format  # also where a stride of a single number is odd
    owned = {n: t.detach().cpu().clone(memory_format=plain) for n, t in tensors.items()}
    text = json.dumps(record)
    metadata = {"format": "pt", "record": text, "sha256": _checksum(owned, text)}
    with writing(path) as file:
        file.write(save(owned, metadata))


def read_tensors(path: Path) -> tuple[dict[str, Tensor], Any]:
    """Reads what :func:`write_tensors` wrote; never runs code from the file.

    Raises:
        UserError: The file is not there, cut off, changed, or something else altogether.
    """
    if not path.is_file():
        raise UserError(f"there is no file {path}")
    try:
        with safe_open(path, "pt") as file:
            metadata = file.metadata() or {}
            tensors = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError) as error:
        raise UserError(
            f"{path} is no complete safetensors file ({error}); copy it again or retrain"
        ) from error
    text = metadata.get("record", "null")
    if metadata.get("sha256") != _checksum(tensors, text):
        raise UserError(
            f"{path} does not match its checksum: it was changed or damaged after it was written; "
            "copy it again or retrain"
        )
    return tensors, parse_json(text, f"the record in {path}", "copy it again or retrain")


def _checksum(tensors: dict[str, Tensor], text: str) -> str:
    digest = hashlib.sha256(text.encode())
    for name in sorted(tensors):
        t = tensors[name]
        digest.update(f"{name} {t.dtype} {list(t.shape)}".encode())
        digest.update(t.contiguous().flatten().view(torch.uint8).numpy().tobytes())
    return digest.hexdigest()
