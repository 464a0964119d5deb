"""Loss and metrics of a whole part."""

import math

import torch
from torch import Tensor
from torch_geometric.data import Batch, Data
from torch_geometric.loader import DataLoader

from ogeaug.model.config import TaskConfig
from ogeaug.model.graph_model import GraphModel
from ogeaug.training.config import Config
from ogeaug.training.metrics import known, loss, mean_reciprocal_rank, metrics


@torch.no_grad()
def predict_part(
    model: GraphModel, config: Config, graphs: list[Data]
) -> tuple[dict[str, float], Tensor]:
    """Metrics and predictions of a model on graphs with targets."""
    model.eval()
    loader = DataLoader(graphs, batch_size=config.training.batch_size)
    found = [outputs(config.task, model(batch), batch) for batch in loader]
    std: Tensor | None = None
    if config.task.type == "regression":
        std = model.head.scale.std  # type: ignore[assignment]
    record = evaluate(config.task, found, std, config.training.loss)
    return record, torch.cat([o[0] for o in found])


def evaluate(
    task: TaskConfig, found: list[tuple[Tensor, ...]], std: Tensor | None, kind: str
) -> dict[str, float]:
    """Loss and metrics of a whole part."""
    predicted = torch.cat([o[0] for o in found])
    y = torch.cat([o[1] for o in found])
    scale = None if std is None else std.detach().cpu()
    labelled = bool(known(y).any())
    record = {"loss": float(loss(task, predicted, y, scale, kind)) if labelled else math.nan}
    if task.type == "link_ranking":
        offset, sources = 0, []
        for _, _, source, nodes in found:
            sources.append(source + offset)
            offset += int(nodes)
        ranks = mean_reciprocal_rank(predicted.flatten(), y, torch.cat(sources))
        return record | {"mrr": ranks}
    return record | metrics(task, predicted, y)


def outputs(task: TaskConfig, predicted: Tensor, batch: Batch) -> tuple[Tensor, ...]:
    """What :func:`evaluate` needs of one batch, on the CPU."""
    out = predicted.detach().cpu()
    if out.dtype != torch.float64:  # bfloat16 has too few digits to be averaged
        out = out.float()
    if task.type == "link_ranking":
        nodes = torch.tensor(batch.num_nodes)
        return out, batch.edge_label.cpu(), batch.edge_label_index[0].cpu(), nodes
    return out, batch.y.cpu()
