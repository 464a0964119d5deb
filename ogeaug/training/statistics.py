"""Batch norms that keep what they have seen of the data that their model was trained on."""

from torch import nn
from torch_geometric.nn import BatchNorm

from ogeaug.errors import UserError
from ogeaug.training.config import TrainingConfig

KINDS = (nn.modules.batchnorm._BatchNorm, BatchNorm)
"""PyTorch's, and PyG's around them."""


def keep_statistics(model: nn.Module) -> None:
    """Until the model is told to train: norms by the statistics that are there, as in evaluation.

    Example:
        >>> model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2)).train()
        >>> keep_statistics(model)
        >>> [module.training for module in model]
        [True, False]
    """
    for norm in _norms(model):
        norm.eval()


def check_statistics(model: nn.Module, t: TrainingConfig) -> None:
    """Refuses to keep statistics that are not there."""
    if t.keep_statistics and not _norms(model):
        raise UserError(
            f"training.keep_statistics: the model {t.start_from} has no batch norms; leave it out"
        )


def _norms(model: nn.Module) -> list[nn.Module]:
    return [module for module in model.modules() if isinstance(module, KINDS)]
