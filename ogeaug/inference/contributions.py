"""What each atom adds to a prediction."""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor
from torch_geometric.data import Data

from ogeaug.model.graph_model import GraphModel
from ogeaug.tasks.heads import GraphHead
from ogeaug.transforms.needed import needed, to_batch

STEPS = 64


@dataclass(frozen=True, eq=False)
class Contributions:
    """Shares of a prediction; they and the rest add up to it.

    Attributes:
        nodes: ``[n, t]`` of each node, for each output; of classes before they are probabilities.
        rest: ``[t]`` what is predicted for a graph whose nodes add nothing.
    """

    nodes: Tensor
    rest: Tensor


def node_contributions(models: Sequence[GraphModel], data: Data) -> Contributions | None:
    r"""Integrated gradients (Sundararajan, Taly, Yan, 2017) along the way from nothing to the
    pooled graph, the mean over models.

    .. math:: c_i = \int_0^1 \nabla f(t\,p)^\top x_i \, dt, \qquad
        \sum_i c_i = f(p) - f(0), \qquad p = \sum_i x_i

    with the shares :math:`x_i` of the nodes in what the head pools (for a mean, their vectors
    divided by n), and the MLP f after it. A vector knows the neighbourhood of its node, so a share
    is that of an atom in its place, not of the atom alone.

    Args:
        models: In eval mode.
        data: One graph, with the features of the models.

    Returns:
        None if a model's head does not pool the nodes of a graph.
    """
    heads = [model.head for model in models]
    if not all(isinstance(head, GraphHead) for head in heads):
        return None
    transforms = needed(encoding for model in models for encoding in model.encodings)
    batch = to_batch([data], transforms)
    found = [_of_one(model, batch) for model in models]
    return Contributions(
        torch.stack([nodes for nodes, _ in found]).mean(0),
        torch.stack([rest for _, rest in found]).mean(0),
    )


def _of_one(model: GraphModel, batch: Data) -> tuple[Tensor, Tensor]:
    head = model.head
    assert isinstance(head, GraphHead)
    with torch.no_grad():
        x, _ = model.node_vectors(batch)  # [n, h]
    x = head.shares(x)
    t = (torch.arange(STEPS, dtype=x.dtype) + 0.5) / STEPS
    way = (t[:, None] * x.sum(0)).requires_grad_()  # [S, h]
    out = head.mlp(way)  # [S, t]
    slopes = [torch.autograd.grad(column.sum(), way, retain_graph=True)[0] for column in out.T]
    nodes = (x @ torch.stack(slopes).mean(1).T).double()  # [n, t]
    with torch.no_grad():
        whole = head.mlp(x.sum(0, keepdim=True))[0]  # [t]
        if head.standardized:
            nodes, whole = nodes * head.scale.std, head.scale(whole)
    return nodes, whole.double() - nodes.sum(0)
