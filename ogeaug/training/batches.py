"""Batches whose order and noise depend only on (seed, epoch), so that training can resume."""

from collections.abc import Callable, Iterator

import numpy as np
import torch
from lightning.pytorch import LightningDataModule
from torch.utils.data import Dataset, Sampler
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import BaseTransform

from ogeaug.errors import UserError
from ogeaug.training.prepare import Parts
from ogeaug.training.processes import Processes


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
    """The batches of the current epoch, this process's share of each; see :func:`batch_order`.

    Args:
        sizes: Nodes of each graph.
        batch_size: Graphs per batch, over all processes.
        bucket: Whether a batch takes graphs of similar size.
        seed: Gives the seed of the current epoch.
        processes: Who shares the batches.
    """

    def __init__(
        self,
        sizes: list[int],
        batch_size: int,
        *,
        bucket: bool,
        seed: Callable[[], int],
        processes: Processes,
    ) -> None:
        self.sizes, self.batch_size, self.bucket, self.seed = sizes, batch_size, bucket, seed
        self.processes = processes

    def __len__(self) -> int:
        return len(self._batches(0))

    def __iter__(self) -> Iterator[list[int]]:
        # A generator: Lightning makes the iterator of a resumed run before it sets the epoch.
        for batch in self._batches(self.seed()):
            yield batch[self.processes.rank :: self.processes.count]

    def _batches(self, seed: int) -> list[list[int]]:
        least = 2 * self.processes.count  # batch norms need more than one graph each
        return batch_order(self.sizes, self.batch_size, seed=seed, bucket=self.bucket, least=least)


class GraphBatches(LightningDataModule):
    """The loaders of a run.

    Args:
        train: Training graphs.
        val: Validation graphs.
        batch_size: Graphs per batch, over all processes.
        transform: For training graphs, at each access.
        bucket: Whether a batch takes graphs of similar size.
        seed: Of the order and the transform.
        processes: Each takes its share of every batch, so that all together see every graph once.
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
        processes: Processes | None = None,
    ) -> None:
        super().__init__()
        self.processes = processes or Processes()
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
        share = self.val[self.processes.rank :: self.processes.count]
        return DataLoader(share, batch_size=-(-self.batch_size // self.processes.count))

    def _seed(self) -> int:
        return epoch_seed(self.seed, self.trainer.current_epoch if self.trainer else 0)

    def _order(self) -> EpochOrder:
        return EpochOrder(
            self.sizes,
            self.batch_size,
            bucket=self.bucket,
            seed=self._seed,
            processes=self.processes,
        )


def batch_order(
    sizes: list[int], batch_size: int, *, seed: int, bucket: bool, least: int = 2
) -> list[list[int]]:
    """Which graphs each batch of an epoch takes.

    A last batch of fewer graphs than ``least`` is joined to the one before it.
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
    if len(batches) > 1 and len(batches[-1]) < least:
        last = batches.pop()
        batches[-1] = batches[-1] + last
    if bucket:
        batches = [batches[i] for i in rng.permutation(len(batches))]
    return batches


def epoch_seed(seed: int, epoch: int, rank: int = 0) -> int:
    """A seed for one epoch of one process, by a hash: those of different ones are unlike."""
    return int(np.random.SeedSequence([seed % 2**32, epoch, rank]).generate_state(1)[0])


def check_enough(parts: Parts, batch_size: int, processes: Processes) -> None:
    """Refuses more processes than there are graphs for, in a batch or in the validation part."""
    train, val, count = len(parts.train), len(parts.val), processes.count
    if count > 1 and (min(train, batch_size) < 2 * count or val < count):
        raise UserError(
            f"{train} training and {val} validation graphs in batches of {batch_size} are too few "
            f"for {count} processes: each needs two graphs per batch and one to validate on; use "
            "fewer processes or a larger --batch-size (it is that of all processes together)"
        )
