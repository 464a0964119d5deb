"""How encodings enter a backbone: by its input, by every layer, or as gates of its messages."""

from collections.abc import Iterable, Sequence

from torch import nn

from ogeaug.backbone_names import GATED_BACKBONES
from ogeaug.backbones.injection import Injection
from ogeaug.errors import UserError


def level(encoding: nn.Module) -> str:
    """Whether an encoding describes nodes (the default) or edges."""
    return getattr(encoding, "level", "node")


def is_gate(encoding: nn.Module) -> bool:
    """Whether distances between an encoding gate messages, and it joins no features."""
    return bool(getattr(encoding, "gates", False))


def check_gates(encodings: Iterable[nn.Module], backbone: nn.Module) -> None:
    """Refuses gates that the backbone has not, or has twice."""
    gates = [type(encoding).__name__ for encoding in encodings if is_gate(encoding)]
    if len(gates) > 1:
        raise UserError(f"a backbone has one gate per message, got {', '.join(gates)}; keep one")
    if gates and not getattr(backbone, "gated", False):
        raise UserError(f"{gates[0]} gates messages, which needs {GATED_BACKBONES}")


def make_injection(
    encodings: Sequence[nn.Module], inject: Sequence[str], backbone: nn.Module
) -> Injection | None:
    """What brings encodings into every layer; None if all enter the first alone."""
    chosen = [e for e, where in zip(encodings, inject, strict=True) if where == "every"]
    if not chosen:
        return None
    depth = getattr(backbone, "depth", None)
    if depth is None or depth < 2:
        has = "one without layers that can be reached" if depth is None else f"{depth}"
        raise UserError(
            f"inject: every needs a backbone of at least 2 layers, this is {has}; set "
            "backbone.layers, or inject: first"
        )
    for encoding in chosen:
        if is_gate(encoding):
            raise UserError(
                f"{type(encoding).__name__} gates every layer by itself; leave inject out"
            )
    widths = {"node": 0, "edge": 0}
    for encoding in chosen:
        widths[level(encoding)] += encoding.out_channels  # type: ignore[operator, assignment]
    return Injection(
        backbone.channels,  # type: ignore[arg-type]
        node_channels=widths["node"],
        edge_channels=widths["edge"],
        depth=depth,
    )
