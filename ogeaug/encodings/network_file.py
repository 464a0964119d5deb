"""Files of pretrained networks: an OGE-Aug's weights, and how to build it."""

from pathlib import Path
from typing import Any

import torch

from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.errors import UserError
from ogeaug.files.tensors import read_tensors, write_tensors

FIX = "copy it again, or make it anew by  ogeaug pretrain"
_FOLDER = Path(__file__).parent / "pretrained"
SHIPPED = tuple(sorted(file.stem for file in _FOLDER.glob("*.safetensors")))
"""Names of the networks that come with the package."""
OPTIONS = ("hidden_channels", "num_layers", "delta", "readout", "message_norm", "k")
"""What a file says of a network, besides ``out_channels``; all else is as the class has it."""


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


def load_network(source: str | Path) -> OGEAug:
    """A network by the name of a shipped one, or from a file, in eval mode. No code is run.

    A file of your own goes before a shipped one of the same name.

    Example:
        >>> load_network("molecules").num_layers
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
    if not isinstance(record, dict) or not {"out_channels"} <= set(record) <= {
        "out_channels",
        *OPTIONS,
    }:
        raise UserError(f"{path} holds no pretrained network (of a model, say); {FIX}")
    with torch.device("meta"):  # without memory: a file may ask for any amount
        wanted = {name: t.shape for name, t in _build(path, record).state_dict().items()}
    if {name: t.shape for name, t in tensors.items()} != wanted:
        raise UserError(f"the weights in {path} do not fit its own description; {FIX}")
    if any(not t.isfinite().all() for t in tensors.values()):
        raise UserError(f"{path} holds weights that are no finite numbers; {FIX}")
    with torch.device("cpu"):
        network = _build(path, record)
    network.load_state_dict(tensors)
    return network.eval()


def _build(path: Path, record: dict[str, Any]) -> OGEAug:
    try:
        return OGEAug(**record)
    except (ValueError, TypeError) as error:
        raise UserError(f"{path} does not describe a network: {error}; {FIX}") from error
