"""Batches whose order and noise depend only on (seed, epoch), so that training can resume."""

import numpy as np
import torch
from lightning.pytorch import LightningDataModule
from torch.utils.data import Dataset
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import BaseTransform


class NoisyGraphs(Dataset[Data]):
    """Graphs with a random transform that depends on (seed, epoch, index) alone.

    Args:
        graphs: The graphs.
        transform: Applied at each access; None for none.
        seed: Of this epoch.
    """

    def __init__(self, graphs: list[Data], transform: BaseTransform | None, seed: int) -> None:
        self.graphs, self.transform, self.seed = graphs, transform, seed

    def __len__(self) -> int:
        return len(self.graphs)

    def __getitem__(self, index: int) -> Data:
        data = self.graphs[index]
        if self.transform is None:
            return data
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed + index)
            return self.transform(data)


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
        return len(batch_order(self.sizes, self.batch_size, seed=0, bucket=False))

    def train_dataloader(self) -> DataLoader:
        epoch = self.trainer.current_epoch if self.trainer else 0
        seed = epoch_seed(self.seed, epoch)
        order = batch_order(self.sizes, self.batch_size, seed=seed, bucket=self.bucket)
        if self.trainer and self.trainer.world_size > 1:
            world = self.trainer.world_size  # equal shares: processes wait for each other
            order = order[self.trainer.global_rank :: world][: len(order) // world]
        graphs = NoisyGraphs(self.train, self.transform, seed)
        return DataLoader(graphs, batch_sampler=order)

    def val_dataloader(self) -> DataLoader:
        return DataLoader(self.val, batch_size=self.batch_size)


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
        batches[-2] += batches.pop()
    if bucket:
        batches = [batches[i] for i in rng.permutation(len(batches))]
    return batches


def epoch_seed(seed: int, epoch: int) -> int:
    """A seed for one epoch; streams of different (seed, epoch) do not overlap in practice."""
    return int(np.random.SeedSequence([seed % 2**32, epoch]).generate_state(1)[0])
