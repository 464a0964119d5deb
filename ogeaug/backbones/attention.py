"""Attention of all nodes of a graph to each other."""

import torch
from torch import Tensor, nn
from torch_geometric.utils import to_dense_batch


class GlobalAttention(nn.Module):
    r"""Multi-head attention inside each graph of a batch.

    .. math:: x_i' = O \, \big\Vert_t \sum_{j \in G(i)}
        \operatorname{softmax}_j \big( (Q_t x_i)^\top K_t x_j / \sqrt{d} \big) V_t x_j

    Args:
        channels: Width h, divisible by ``heads``.
        heads: Number of heads t.
        dropout: Of the attention weights.

    Shapes:
        - x ``[N, h]``, batch ``[N]`` -> ``[N, h]``
    """

    def __init__(self, channels: int, heads: int, dropout: float = 0.0) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(channels, heads, dropout, batch_first=True)

    def reset_parameters(self) -> None:
        self.attention._reset_parameters()
        self.attention.out_proj.reset_parameters()

    def forward(self, x: Tensor, batch: Tensor) -> Tensor:
        dense, present = to_dense_batch(x, batch)  # [B, n, h], [B, n]
        mask = torch.where(present, 0.0, float("-inf")).to(dense.dtype)
        out, _ = self.attention(dense, dense, dense, key_padding_mask=mask, need_weights=False)
        return out[present]
