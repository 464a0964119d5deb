"""What several encodings need on the data, each thing once."""

from collections.abc import Callable, Iterable, Sequence

from torch import nn
from torch_geometric.data import Batch, Data
from torch_geometric.transforms import BaseTransform

from ogeaug.transforms.base import Addition


def declared(encodings: Iterable[nn.Module]) -> list[list[BaseTransform]]:
    """What encodings declare (``encoding.transforms()``), in groups that store the same attributes.

    A group of one serves all encodings: equal options count once, the longest walk and the most
    eigenspaces serve those that want fewer. A group of several is a conflict: the data has room for
    one spectrum, but the encodings want different ones.

    Args:
        encodings: Of one model, or of several.
    """
    groups: list[list[BaseTransform]] = []
    for encoding in encodings:
        own: Callable[[], list[BaseTransform]] = getattr(encoding, "transforms", list)
        for transform in own():
            _sort_in(groups, transform)
    return groups


def needed(encodings: Iterable[nn.Module]) -> list[BaseTransform]:
    """The transforms that serve all encodings, each to be applied once.

    Where they conflict, nothing is stored: each encoding computes its own at each call.

    Args:
        encodings: Of one model, or of several.

    Example:
        >>> from ogeaug.encodings import OGEAug, RWSE, SPE
        >>> needed([OGEAug(8), RWSE(8, steps=4), SPE(8), RWSE(8, steps=6)])[1:]
        [AddRandomWalk(steps=6, edges=None, directed='symmetrize')]
        >>> needed([OGEAug(8, k=4), OGEAug(8)])
        []
    """
    return [group[0] for group in declared(encodings) if len(group) == 1]


def to_batch(graphs: Sequence[Data], transforms: Sequence[BaseTransform]) -> Batch:
    """A batch with all that the transforms add; those of one graph are applied before."""
    whole = [transform for transform in transforms if isinstance(transform, Addition)]
    for transform in transforms:
        if not isinstance(transform, Addition):
            graphs = [transform(data) for data in graphs]
    batch = Batch.from_data_list(list(graphs))
    for addition in whole:
        addition.add_to_batch(batch)
    return batch


def _sort_in(groups: list[list[BaseTransform]], transform: BaseTransform) -> None:
    for group in groups:
        if not isinstance(transform, Addition):  # a user's own: nobody knows what it stores
            if group[0] == transform:
                return
        elif type(group[0]) is type(transform) and group[0].stores == transform.stores:
            for i, other in enumerate(group):
                both = other.serving(transform)
                if both is not None:
                    group[i] = both
                    return
            group.append(transform)
            return
    groups.append([transform])
