"""What all point-cloud networks share."""

from collections.abc import Sequence

from torch import Tensor, nn


class PointCloud(nn.Module):
    r"""Features of points that do not change under orthogonal maps.

    .. math:: f(X Q)_i = f(X)_i, \qquad f(P X) = P f(X), \qquad Q \in O(p), \ P \in S_n

    Args:
        channels: Width c of the features.

    Shapes:
        - points ``[n, p]``, any n and p -> ``[n, c]``
    """

    def __init__(self, channels: int) -> None:
        super().__init__()
        if channels < 4:
            raise ValueError(f"channels={channels} is too few; a layer norm needs at least 4")
        self.channels = channels

    def forward(self, points: Tensor) -> Tensor:
        raise NotImplementedError

    def forward_all(self, clouds: Sequence[Tensor]) -> list[Tensor]:
        """Many clouds, of any sizes: as one by one, but at once where that is faster."""
        return [self(points) for points in clouds]


def encode_all(f: nn.Module, clouds: Sequence[Tensor]) -> list[Tensor]:
    """What f gives for each cloud; f may be any module with the contract."""
    return f.forward_all(clouds) if isinstance(f, PointCloud) else [f(points) for points in clouds]


def mlp(in_channels: int, channels: int) -> nn.Sequential:
    """Two linear maps with a SiLU between."""
    return nn.Sequential(nn.Linear(in_channels, channels), nn.SiLU(), nn.Linear(channels, channels))


def reset_parts(module: nn.Module) -> None:
    """Draws the parameters of all parts anew; those in no part of their own from N(0, 1)."""
    for part in module.modules():
        if part is module:
            continue
        if hasattr(part, "reset_parameters"):
            part.reset_parameters()  # type: ignore[operator]
        elif isinstance(part, PointCloud | nn.ParameterList):
            for parameter in part.parameters(recurse=False):
                nn.init.normal_(parameter)
