"""What the tensor network gives out: a linear map of its scalars."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from ogeaug.layers import make_norm

READOUTS = ("last", "every")


class LastScalars(nn.Module):
    """The scalars after the last layer as they are: L times ``[N, h]`` -> ``[N, h]``."""

    def reset_parameters(self) -> None:
        """There are none."""

    def forward(self, scalars: Sequence[Tensor], beside: None = None) -> Tensor:
        return scalars[-1]


class Readout(nn.Linear):
    r"""A linear map of the scalars after the last layer, or after every one.

    .. math:: z = Q W^{(0), L} + b \qquad \text{or} \qquad
        z = Q \, \big\Vert_l \operatorname{norm}_l(W^{(0), l}) + b

    Early layers hold short closed walks; later ones are large, and nearly the degree alone. Joined
    after a batch norm each, none drowns another.

    Args:
        channels: Width h of the scalars.
        out_channels: Width of the output.
        layers: Number L of layers.
        kind: ``"last"`` or ``"every"``.
        beside: Width w of what else is read.

    Shapes:
        - L times ``[N, h]``, ``[N, w]`` -> ``[N, out_channels]``
    """

    def __init__(
        self, channels: int, out_channels: int, layers: int, kind: str = "last", *, beside: int = 0
    ) -> None:
        if kind not in READOUTS:
            raise ValueError(f"unknown readout {kind!r}; choose from {', '.join(READOUTS)}")
        count = layers if kind == "every" else min(layers, 1)
        super().__init__(count * channels + beside, out_channels)
        self.kind = kind
        self.norms = nn.ModuleList(
            make_norm("batch", channels) for _ in range(count if kind == "every" else 0)
        )

    def reset_parameters(self) -> None:
        super().reset_parameters()
        for norm in getattr(self, "norms", ()):  # nn.Linear calls this before there are any
            norm.reset_parameters()

    def forward(  # type: ignore[override]
        self, scalars: Sequence[Tensor], beside: Tensor | None = None
    ) -> Tensor:
        joined = list(scalars[-1:])
        if self.kind == "every":
            joined = [norm(w0) for norm, w0 in zip(self.norms, scalars, strict=True)]
        if beside is not None:
            joined.append(beside)
        return super().forward(torch.cat(joined, 1))  # [N, out_channels]

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, kind={self.kind!r}"
