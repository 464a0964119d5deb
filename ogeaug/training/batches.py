"""Batches whose order and noise depend only on (seed, epoch), so that training can resume."""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from lightning.pytorch import LightningDataModule
from torch.utils.data import Dataset, Sampler
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import BaseTransform


class NoisyGraphs(Dataset[Data]):
    """Graphs with a random transform that depends on (seed of the epoch, index) alone.

    Args:
        graphs: The graphs.
        transform: Applied at each access; None for none.
        seed: Gives the seed of the current epoch.
    """

    def __init__(
        self, graphs: list[Data], transform: BaseTransform | None, seed: Callable[[], int]
    ) -> None:
        self.graphs, self.transform, self.seed = graphs, transform, seed

    def __len__(self) -> int:
        return len(self.graphs)

    def __getitem__(self, index: int) -> Data:
        data = self.graphs[index]
        if self.transform is None:
            return data
        with torch.random.fork_rng(devices=[]):
            # Not torch.manual_seed: without a GPU it formats a stack trace for each kind of device,
            # which takes longer than a molecule's eigenvectors.
            torch.default_generator.manual_seed(self.seed() + index)
            return self.transform(data)


class EpochOrder(Sampler[list[int]]):
    """The batches of the current epoch; see :func:`batch_order`.

    Args:
        sizes: Nodes of each graph.
        batch_size: Graphs a batch.
        bucket: Whether a batch takes graphs of similar size.
        seed: Gives the seed of the current epoch.
    """

    def __init__(
        self, sizes: list[int], batch_size: int, *, bucket: bool, seed: Callable[[], int]
    ) -> None:
        self.sizes, self.batch_size, self.bucket, self.seed = sizes, batch_size, bucket, seed

    def __len__(self) -> int:
        return len(batch_order(self.sizes, self.batch_size, seed=0, bucket=False))

    def __iter__(self) -> Iterator[list[int]]:
        # A generator: Lightning makes the iterator of a resumed run before it sets the epoch.
        yield from batch_order(self.sizes, self.batch_size, seed=self.seed(), bucket=self.bucket)


class GraphBatches(LightningDataModule):
    """The loaders of a run.

    Args:
        train: Training graphs.
        val: Validation graphs.
        batch_size: Graphs a batch.
        transform: For training graphs, at each access.
        bucket: Whether a batch takes graphs of similar size.
        seed: Of the order and the transform.
    """

    def __init__(
        self,
        train: list[Data],
        val: list[Data],
        *,
        batch_size: int,
        transform: BaseTransform | None,
        bucket: bool,
        seed: int,
    ) -> None:
        super().__init__()
        self.train, self.val, self.batch_size = train, val, batch_size
        self.transform, self.bucket, self.seed = transform, bucket, seed
        self.sizes = [data.num_nodes for data in train]

    @property
    def steps_per_epoch(self) -> int:
        return len(self._order())

    def train_dataloader(self) -> DataLoader:
        graphs = NoisyGraphs(self.train, self.transform, self._seed)
        return DataLoader(graphs, batch_sampler=self._order())

    def val_dataloader(self) -> DataLoader:
        return DataLoader(self.val, batch_size=self.batch_size)

    def _seed(self) -> int:
        return epoch_seed(self.seed, self.trainer.current_epoch if self.trainer else 0)

    def _order(self) -> EpochOrder:
        return EpochOrder(self.sizes, self.batch_size, bucket=self.bucket, seed=self._seed)


def batch_order(sizes: list[int], batch_size: int, *, seed: int, bucket: bool) -> list[list[int]]:
    """Which graphs each batch of an epoch takes.

    A last batch of one graph is joined to the one before it: batch norms need more than one.
    With ``bucket``, shuffled graphs are sorted by size inside windows of 20 batches, and the
    batches shuffled again.

    Example:
        >>> batch_order([5, 5, 5], 2, seed=0, bucket=False)
        [[2, 0, 1]]
    """
    rng = np.random.default_rng(seed)
    order = rng.permutation(len(sizes))
    if bucket:
        window = 20 * batch_size
        pieces = [order[i : i + window] for i in range(0, len(order), window)]
        by_size = np.asarray(sizes)
        order = np.concatenate([p[np.argsort(by_size[p], kind="stable")] for p in pieces])
    batches = [order[i : i + batch_size].tolist() for i in range(0, len(order), batch_size)]
    if len(batches) > 1 and len(batches[-1]) == 1:
        last = batches.pop()
        batches[-1] = batches[-1] + last
    if bucket:
        batches = [batches[i] for i in rng.permutation(len(batches))]
    return batches


def epoch_seed(seed: int, epoch: int) -> int:
    """A seed for one epoch; streams of different (seed, epoch) do not overlap in practice."""
    return int(np.random.SeedSequence([seed % 2**32, epoch]).generate_state(1)[0])
