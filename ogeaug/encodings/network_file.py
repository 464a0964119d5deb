"""Files of pretrained networks: an OGE-Aug's weights, and how to build it."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from types import NoneType
from typing import Any, NamedTuple

import torch
from torch import Tensor

from ogeaug.checks import check_limits
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.errors import UserError
from ogeaug.files.tensors import read_tensors, write_tensors

FIX = "copy it again, or make it anew by  ogeaug pretrain"
_FOLDER = Path(__file__).parent / "pretrained"
SHIPPED = tuple(sorted(file.stem for file in _FOLDER.glob("*.safetensors")))
"""Names of the networks that come with the package."""
KINDS: dict[str, tuple[type, ...]] = {
    "out_channels": (int,),
    "hidden_channels": (int,),
    "num_layers": (int,),
    "delta": (int, float),
    "readout": (str,),
    "message_norm": (str, NoneType),
    "k": (int, NoneType),
}
"""What a file says of a network, and of which kind it is; all else is as the class has it."""
_WORDS = {int: "a whole number", float: "a number", str: "a word", NoneType: "null"}


class Network(NamedTuple):
    """A network in eval mode, and what :func:`build_network` makes another like it from."""

    network: OGEAug
    description: dict[str, Any]

    def number(self) -> int:
        """One that no other network has: of the description and all weights, as float32."""
        digest = hashlib.sha256(json.dumps(self.description, sort_keys=True).encode())
        for name, t in sorted(self.network.state_dict().items()):
            plain = t.detach().cpu().float().contiguous()
            digest.update(name.encode() + plain.numpy().tobytes())
        return int.from_bytes(digest.digest()[:7], "big")  # fits into an int64


def save_network(network: OGEAug, options: dict[str, Any], path: Path) -> None:
    """Writes a network, atomically, into a folder that is made if absent.

    Args:
        network: Built from ``out_channels`` and ``options``.
        options: Of those in ``KINDS``.
        path: Where to.
    """
    record = {"out_channels": network.out_channels, **options}
    path.parent.mkdir(parents=True, exist_ok=True)
    write_tensors(path, network.state_dict(), record)


def load_network(source: str | Path) -> Network:
    """A network by the name of a shipped one, or from a file. No code is run.

    A file of your own goes before a shipped one of the same name.

    Example:
        >>> load_network("molecules").description["num_layers"]
        4
    """
    path = Path(source)
    if str(source) in SHIPPED and not _is_file(path):
        path = _FOLDER / f"{source}.safetensors"
    if not _is_file(path):
        raise UserError(
            f"there is no pretrained network {str(source)[:200]!r}: give a file that  ogeaug "
            f"pretrain  wrote, or the name of one that comes with the package: {', '.join(SHIPPED)}"
        )
    tensors, record = read_tensors(path)
    if not isinstance(record, dict):
        raise UserError(f"{path} holds no pretrained network (of a model, say); {FIX}")
    try:
        with torch.device("meta"):  # without memory: a file may ask for any amount
            wanted = build_network(record).state_dict()
    except UserError as error:
        raise UserError(f"{path} holds no pretrained network: {error}; {FIX}") from error
    if {n: _kind(t) for n, t in tensors.items()} != {n: _kind(t) for n, t in wanted.items()}:
        raise UserError(f"the weights in {path} do not fit its own description; {FIX}")
    if any(not t.isfinite().all() for t in tensors.values()):
        raise UserError(f"{path} holds weights that are no finite numbers; {FIX}")
    with torch.device("cpu"):
        network = build_network(record)
    network.load_state_dict(tensors)
    return Network(network, record)


def build_network(description: Mapping[str, Any]) -> OGEAug:
    """A network with random weights, in eval mode, from what a file says of it.

    Example:
        >>> build_network({"out_channels": 5, "hidden_channels": 8, "num_layers": 1}).out_channels
        5
    """
    given, (first, *others) = set(description), KINDS
    if not {first} <= given <= set(KINDS):
        raise UserError(
            f"a network is described by {first} and, by choice, {', '.join(others)}; got "
            f"{', '.join(sorted(map(str, given))) or 'nothing'}"
        )
    for name, value in description.items():
        if type(value) not in KINDS[name]:
            wanted = " or ".join(_WORDS[kind] for kind in KINDS[name])
            raise UserError(f"{name} of a network must be {wanted}, got {value!r}")
    try:
        check_limits("", dict(description))
        return OGEAug(**description).eval()
    except (ValueError, TypeError) as error:
        raise UserError(f"what is said of the network is no description: {error}") from error


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long, or no path at all
        return False


def _kind(tensor: Tensor) -> tuple[torch.Size, bool, bool]:
    """Shape, whether it holds numbers with a point, and whether less than float32."""
    floating = tensor.is_floating_point()
    return tensor.shape, floating, floating and tensor.element_size() < 4
