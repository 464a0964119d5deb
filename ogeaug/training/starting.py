"""Weights of another model to start from, in place of random ones."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from ogeaug.errors import UserError
from ogeaug.model.backbone_config import BackboneConfig
from ogeaug.model.config import ModelConfig
from ogeaug.model.folder import MODEL, check_whole, find_folder, read_model_config

if TYPE_CHECKING:
    from ogeaug.model.graph_model import GraphModel

TAKEN = "features", "encodings", "combine", "backbone"
"""Parts of a configuration that a model to start from decides."""
_FREE = "dropout", "attention_dropout"


def described_by(source: str, asked: BackboneConfig) -> dict[str, Any]:
    """What the configuration of a run that starts from a model takes over from it.

    Args:
        source: Folder of the model, or name of a shipped one.
        asked: The backbone that the configuration names. If that sets dropout, it keeps it.

    Example:
        >>> described_by("zinc", BackboneConfig())["backbone"]["conv"]
        'gine'
    """
    folder = find_folder(source)
    _check_single(folder)
    theirs = read_model_config(folder).model_dump(mode="json")
    check_whole(folder)
    taken = {key: theirs[key] for key in TAKEN}
    free = _FREE if asked.name == taken["backbone"]["name"] else ("dropout",)  # which all have
    kept = asked.model_fields_set.intersection(free)
    taken["backbone"] |= {key: getattr(asked, key) for key in kept}
    return taken


def _check_single(folder: Path) -> None:
    """Refuses the folder of an ensemble."""
    members = sorted(file.parent for file in folder.glob(f"*/{MODEL}"))
    if members and not (folder / MODEL).exists():
        raise UserError(
            f"{folder} holds several models; name the one to start from, like {members[0]}"
        )


def take_weights(model: "GraphModel", config: ModelConfig, source: str | None) -> None:
    """Copies the weights of a model, if there is one to start from.

    Its head comes along only if it predicts the same; the scale of targets stays that of the new
    training part.

    Args:
        model: Built from the configuration.
        config: May differ from that of the source in task, head and dropout.
        source: Folder of a model, or name of a shipped one.
    """
    if source is None:
        return
    from ogeaug.model.file import load_model

    theirs = read_model_config(find_folder(source))
    other = [key for key in TAKEN if _built(theirs, key) != _built(config, key)]
    if other:
        raise UserError(
            f"training.start_from={source}: that model has other {' and '.join(other)} than this "
            "configuration, so its weights do not fit; leave these out"
        )
    weights, own = load_model(source).state_dict(), model.state_dict()
    same_head = (theirs.task, theirs.head.layers) == (config.task, config.head.layers)
    kept = [
        name
        for name in own
        if name.startswith("head.") and (not same_head or name.startswith("head.scale."))
    ]
    taken = {name: weights[name] for name in own if name not in kept}
    model.load_state_dict(taken | {name: own[name] for name in kept})


def _built(config: ModelConfig, key: str) -> Any:
    """What decides the weights."""
    part = config.model_dump(mode="json")[key]
    return {k: v for k, v in part.items() if k not in _FREE} if key == "backbone" else part
