"""The small perceptron that the encodings are made of."""

from typing import Literal

from torch import Tensor, nn
from torch.nn.functional import batch_norm
from torch_geometric.nn import BatchNorm

from ogeaug.checks import check_counts

Norm = Literal["layer", "batch"]


class MLP(nn.Sequential):
    r"""Two layers.

    .. math:: x \mapsto Q_2 \operatorname{SiLU}(\operatorname{norm}(Q_1 x + b_1)) + b_2

    Args:
        in_channels, hidden_channels, out_channels: Widths.
        norm: ``"layer"``, ``"batch"`` or None.

    Shapes:
        - ``[R, in_channels]`` -> ``[R, out_channels]``
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        *,
        norm: Norm | None = None,
    ) -> None:
        check_counts(hidden_channels=hidden_channels)
        between = [] if norm is None else [make_norm(norm, hidden_channels)]
        super().__init__(
            nn.Linear(in_channels, hidden_channels),
            *between,
            nn.SiLU(),
            nn.Linear(hidden_channels, out_channels),
        )

    @property
    def weight(self) -> Tensor:
        """Of the first layer: tells dtype and device."""
        first = self[0]
        assert isinstance(first, nn.Linear)
        return first.weight

    def reset_parameters(self) -> None:
        for module in self:
            if not isinstance(module, nn.SiLU):
                module.reset_parameters()  # type: ignore[operator]


class RowBatchNorm(nn.BatchNorm1d):
    """A batch norm that also takes a batch of one row or none, by what it has seen before.

    One row has no deviation: torch refuses it in training, as on a graph of a single node. Of none,
    as on the edges of such graphs, torch would keep NaN as the mean.
    """

    def forward(self, input: Tensor) -> Tensor:
        if self.training and input.numel() <= self.num_features:
            mean, var = self.running_mean, self.running_var
            return batch_norm(input, mean, var, self.weight, self.bias, False, 0.0, self.eps)
        return super().forward(input)


def make_norm(norm: str, channels: int) -> nn.Module:
    """A normalisation from its name; a batch norm that also takes a batch of one row."""
    if norm == "layer":
        if channels < 4:
            raise ValueError(
                f"hidden_channels={channels} is too few: with norm='layer' at least 4 are needed "
                "(a layer norm over 2 channels is a mere sign, over 1 it is zero)"
            )
        return nn.LayerNorm(channels)
    if norm == "batch":
        return BatchNorm(channels, allow_single_element=True)
    raise ValueError(f"unknown norm {norm!r}; choose from layer, batch")
