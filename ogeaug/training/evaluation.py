"""Loss and metrics of a model on a whole part."""

import torch
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader

from ogeaug.model.graph_model import GraphModel
from ogeaug.tasks import make_task
from ogeaug.training.config import Config


@torch.no_grad()
def predict_part(
    model: GraphModel, config: Config, graphs: list[Data]
) -> tuple[dict[str, float], Tensor]:
    """Metrics and predictions of a model on graphs with targets."""
    model.eval()
    task = make_task(config.task, config.training.loss)
    loader = DataLoader(graphs, batch_size=config.training.batch_size)
    found = [task.outputs(model(batch), batch) for batch in loader]
    record = task.evaluate(found, std=task.std(model.head))
    return record, torch.cat([item[0] for item in found])
