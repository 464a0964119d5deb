"""The option ``training.kekule``: another Kekulé structure at each access."""

from torch_geometric.transforms import BaseTransform, Compose

from ogeaug.training.config import TrainingConfig


def with_kekule(transform: BaseTransform | None, t: TrainingConfig) -> BaseTransform | None:
    """What is done to a training graph at each access, with a Kekulé structure first if asked."""
    if not t.kekule:
        return transform
    from ogeaug.data.kekule import RandomKekule  # imports RDKit

    return RandomKekule() if transform is None else Compose([RandomKekule(), transform])
