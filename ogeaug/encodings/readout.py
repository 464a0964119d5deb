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

    def forward(self, scalars: Sequence[Tensor]) -> Tensor:
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

    Shapes:
        - L times ``[N, h]`` -> ``[N, out_channels]``
    """

    def __init__(self, channels: int, out_channels: int, layers: int, kind: str = "last") -> None:
        if kind not in READOUTS:
            raise ValueError(f"unknown readout {kind!r}; choose from {', '.join(READOUTS)}")
        count = layers if kind == "every" else 1
        super().__init__(count * channels, out_channels)
        self.kind = kind
        self.norms = nn.ModuleList(
            make_norm("batch", channels) for _ in range(count if kind == "every" else 0)
        )

    def reset_parameters(self) -> None:
        super().reset_parameters()
        for norm in getattr(self, "norms", ()):  # nn.Linear calls this before there are any
            norm.reset_parameters()

    def forward(self, scalars: Sequence[Tensor]) -> Tensor:  # type: ignore[override]
        if self.kind == "last":
            return super().forward(scalars[-1])
        joined = [norm(w0) for norm, w0 in zip(self.norms, scalars, strict=True)]
        return super().forward(torch.cat(joined, 1))  # [N, out_channels]

    def extra_repr(self) -> str:
        return f"{super().extra_repr()}, kind={self.kind!r}"
