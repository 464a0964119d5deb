"""Files of pretrained networks: an OGE-Aug's weights, and how to build it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import torch

from ogeaug.checks import check_limits
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.errors import UserError
from ogeaug.files.tensors import read_tensors, write_tensors

FIX = "copy it again, or make it anew by  ogeaug pretrain"
_FOLDER = Path(__file__).parent / "pretrained"
SHIPPED = tuple(sorted(file.stem for file in _FOLDER.glob("*.safetensors")))
"""Names of the networks that come with the package."""
OPTIONS = ("hidden_channels", "num_layers", "delta", "readout", "message_norm", "k")
"""What a file says of a network, besides ``out_channels``; all else is as the class has it."""


class Network(NamedTuple):
    """A network in eval mode, and what :func:`build_network` makes another like it from."""

    network: OGEAug
    description: dict[str, Any]


def save_network(network: OGEAug, options: dict[str, Any], path: Path) -> None:
    """Writes a network, atomically, into a folder that is made if absent.

    Args:
        network: Built from ``out_channels`` and ``options``.
        options: Of those in ``OPTIONS``.
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
    if str(source) in SHIPPED and not path.is_file():
        path = _FOLDER / f"{source}.safetensors"
    if not path.is_file():
        raise UserError(
            f"there is no pretrained network {source}: give a file that  ogeaug pretrain  wrote, "
            f"or the name of one that comes with the package: {', '.join(SHIPPED)}"
        )
    tensors, record = read_tensors(path)
    if not isinstance(record, dict):
        raise UserError(f"{path} holds no pretrained network (of a model, say); {FIX}")
    try:
        with torch.device("meta"):  # without memory: a file may ask for any amount
            wanted = build_network(record).state_dict()
    except UserError as error:
        raise UserError(f"{path} holds no pretrained network: {error}; {FIX}") from error
    if {name: t.shape for name, t in tensors.items()} != {n: t.shape for n, t in wanted.items()}:
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
    given, known = set(description), {"out_channels", *OPTIONS}
    if not {"out_channels"} <= given <= known:
        raise UserError(
            f"a network is described by out_channels and, by choice, {', '.join(OPTIONS)}; got "
            f"{', '.join(sorted(map(str, given))) or 'nothing'}"
        )
    try:
        check_limits("", dict(description))
        return OGEAug(**description).eval()
    except (ValueError, TypeError) as error:
        raise UserError(f"what is said of the network is no description: {error}") from error
