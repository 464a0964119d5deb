"""Perceptrons and graph isomorphism networks as the authors of SPE and SignNet have them."""

import torch
from torch import Tensor, nn

from ogeaug.checks import check_counts
from ogeaug.layers import Norm, make_norm
from ogeaug.tensors.node_rows import Rows, check_rows


class DeepMLP(nn.Sequential):
    r"""Any number of linear maps with ReLUs between them.

    .. math:: x \mapsto Q_L \, g(\dots g(Q_1 x + b_1) \dots) + b_L, \qquad
        g = \operatorname{ReLU} \circ \operatorname{norm}

    Args:
        in_channels, hidden_channels, out_channels: Widths.
        num_layers: Number L of linear maps.
        norm: ``"layer"``, ``"batch"`` or None.
        norm_last: Whether the norm comes after the ReLU.

    Shapes:
        - ``[R, in_channels]`` -> ``[R, out_channels]``
    """

    def __init__(
        self,
        in_channels: int,
        hidden_channels: int,
        out_channels: int,
        num_layers: int,
        *,
        norm: Norm | None,
        norm_last: bool = False,
    ) -> None:
        check_counts(hidden_channels=hidden_channels, num_layers=num_layers)
        widths = [in_channels] + [hidden_channels] * (num_layers - 1) + [out_channels]
        parts: list[nn.Module] = []
        for i in range(num_layers):
            parts.append(nn.Linear(widths[i], widths[i + 1]))
            if i < num_layers - 1:
                between = (
                    [nn.ReLU()] if norm is None else [make_norm(norm, widths[i + 1]), nn.ReLU()]
                )
                parts.extend(reversed(between) if norm_last else between)
        super().__init__(*parts)

    def reset_parameters(self) -> None:
        for module in self:
            if not isinstance(module, nn.ReLU):
                module.reset_parameters()  # type: ignore[operator]


class DeepGIN(nn.Module):
    r"""A graph isomorphism network that runs on every column by itself.

    .. math:: h_{ic} \leftarrow \operatorname{MLP}\Big( (1 + \epsilon) \tilde h_{ic} +
        \sum_{j} A_{ij} \tilde h_{jc} \Big), \qquad \tilde h = \operatorname{norm}(h)

    The norm is that between layers: the first has none before it.

    Args:
        in_channels, channels, out_channels: Widths of the input, of all layers, of the last.
        num_layers: Number of layers.
        mlp_layers: Linear maps of each MLP.
        mlp_channels: Width inside the MLPs; ``channels`` if absent.
        norm: Inside each MLP; ``"layer"``, ``"batch"`` or None.
        norm_last: Whether it comes after the ReLU.
        between: The norm between layers, likewise.
        learn_eps: Whether :math:`\epsilon` is learned, from a normal start, or 0.

    Shapes:
        - ``[R, in_channels]`` -> ``[R, out_channels]``
    """

    def __init__(
        self,
        in_channels: int,
        channels: int,
        out_channels: int,
        num_layers: int,
        *,
        mlp_layers: int,
        mlp_channels: int | None = None,
        norm: Norm | None,
        norm_last: bool = False,
        between: Norm | None = None,
        learn_eps: bool = True,
    ) -> None:
        super().__init__()
        check_counts(hidden_channels=channels, num_layers=num_layers)
        self.channels = channels
        widths = [in_channels] + [channels] * (num_layers - 1) + [out_channels]
        inside = channels if mlp_channels is None else mlp_channels
        self.mlps = nn.ModuleList(
            DeepMLP(widths[i], inside, widths[i + 1], mlp_layers, norm=norm, norm_last=norm_last)
            for i in range(num_layers)
        )
        self.norms = nn.ModuleList(
            make_norm(between, channels) for _ in range(num_layers - 1) if between is not None
        )
        self.eps = nn.Parameter(torch.empty(num_layers)) if learn_eps else None
        self.reset_parameters()

    def reset_parameters(self) -> None:
        if self.eps is not None:
            nn.init.normal_(self.eps)
        for part in (*self.mlps, *self.norms):
            part.reset_parameters()

    def forward(self, h: Tensor, rows: Rows) -> Tensor:
        check_rows(rows, h, self.channels, len(self.mlps))
        for i, mlp in enumerate(self.mlps):
            if i > 0 and len(self.norms) > 0:
                h = self.norms[i - 1](h)
            own = h if self.eps is None else (1 + self.eps[i]) * h
            h = mlp(own + rows.sum_neighbours(h))
        return h  # [R, out_channels]
