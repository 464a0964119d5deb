"""Pretraining: an OGE-Aug learns what nodes' surroundings look like, from graphs without labels."""

from collections.abc import Sequence
from typing import Any

import torch
from lightning.pytorch import LightningModule, Trainer
from lightning.pytorch.callbacks import RichProgressBar
from rich.progress import track
from torch import Tensor, nn
from torch.optim import AdamW
from torch.optim.lr_scheduler import LambdaLR
from torch_geometric.data import Data
from torch_geometric.loader import DataLoader
from torch_geometric.transforms import BaseTransform

from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.errors import UserError
from ogeaug.layers import make_norm
from ogeaug.training.module import warm_cosine
from ogeaug.training.surroundings import data_settled, own_threads, quiet
from ogeaug.transforms.add_structure import AddStructure

CLIP, FEWEST = 1.0, 10


class Pretraining(LightningModule):
    r"""Learns the numbers of :func:`~ogeaug.walks.structure.structure_numbers`, standardised, by a
    linear map of normalised features: what is easily read off them is in them.

    .. math:: \frac{1}{n} \sum_i \big\lVert Q \operatorname{norm}(z_i) + b - y_i \big\rVert^2

    Args:
        encode: What learns.
        mean, scale: Of the numbers, ``[t]`` each.
        lr: Peak learning rate.
        steps: In all, for the schedule.
    """

    def __init__(self, encode: OGEAug, mean: Tensor, scale: Tensor, lr: float, steps: int) -> None:
        super().__init__()
        self.encode, self.lr, self.steps = encode, lr, steps
        self.register_buffer("mean", mean)
        self.register_buffer("scale", scale)
        self.norm = make_norm("batch", encode.out_channels)
        self.read = nn.Linear(encode.out_channels, mean.numel())
        self.apart: list[Tensor] = []  # square errors on the graphs kept apart

    def forward(self, batch: Data) -> Tensor:
        """The standardised numbers: ``[N, t]``."""
        found: Tensor = self.read(self.norm(self.encode(batch)))
        return found

    def errors(self, batch: Data) -> Tensor:
        """Square errors ``[N, t]``: a mean of 1 is as good as the mean number."""
        wanted = (batch.structure - self.mean) / self.scale
        found: Tensor = (self(batch) - wanted).square()
        return found

    def training_step(self, batch: Data, index: int) -> Tensor:
        return self.errors(batch).mean()

    def validation_step(self, batch: Data, index: int) -> None:
        self.apart.append(self.errors(batch))

    def on_validation_epoch_end(self) -> None:
        self.log("error", torch.cat(self.apart).mean(), prog_bar=True)
        self.apart.clear()

    def configure_optimizers(self) -> Any:
        optimizer = AdamW(self.parameters(), lr=self.lr, fused=True)
        schedule = LambdaLR(optimizer, warm_cosine(self.steps / 10, self.steps))
        return {
            "optimizer": optimizer,
            "lr_scheduler": {"scheduler": schedule, "interval": "step"},
        }


def pretrain(
    graphs: Sequence[Data],
    encode: OGEAug,
    *,
    epochs: int = 40,
    lr: float = 3e-3,
    batch_size: int = 32,
    seed: int = 0,
    progress: bool = True,
) -> float:
    """Trains an encoding (in place) on graphs without labels.

    One graph in twenty is kept apart, to tell how well the numbers of unseen graphs are told.

    Args:
        graphs: Of the kind that it is meant for; features are not looked at.
        encode: An OGE-Aug that sees no node features.
        epochs, lr, batch_size: How long and how.
        seed: Of the order. The random weights of ``encode`` are the caller's.
        progress: Whether to show progress bars.

    Returns:
        The mean square error of the standardised numbers on the graphs kept apart.
    """
    if encode.in_channels is not None:
        raise UserError("pretraining is for an encoding that sees no node features (in_channels)")
    graphs = [data for data in graphs if data.num_edges]
    if len(graphs) < FEWEST:
        raise UserError(
            f"{len(graphs)} graphs with edges are too few to learn from; it takes {FEWEST}"
        )
    transforms = [*encode.transforms(), AddStructure()]
    shown = track(graphs, "Structures", transient=True, disable=not progress)
    ready = [_bare(data, transforms) for data in shown]
    generator = torch.Generator().manual_seed(seed)
    order = torch.randperm(len(ready), generator=generator).tolist()
    apart = -(-len(ready) // 20)
    train = DataLoader(
        [ready[i] for i in order[apart:]], batch_size, shuffle=True, generator=generator
    )
    val = DataLoader([ready[i] for i in order[:apart]], batch_size)
    numbers = torch.cat([ready[i].structure for i in order[apart:]])
    spread = numbers.std(0)
    scale = torch.where(spread > 1e-6, spread, 1.0)  # no ring of 3 in any of them, say
    with torch.random.fork_rng(devices=[]), quiet(), own_threads(1):
        torch.manual_seed(seed)
        module = Pretraining(encode, numbers.mean(0), scale, lr, epochs * len(train))
        trainer = Trainer(
            max_epochs=epochs,
            accelerator="cpu",
            gradient_clip_val=CLIP,
            callbacks=[RichProgressBar(leave=False)] if progress else [],
            logger=False,
            enable_checkpointing=False,
            enable_progress_bar=progress,
            enable_model_summary=False,
            num_sanity_val_steps=0,
        )
        try:
            with data_settled():
                trainer.fit(module, train, val)
        except SystemExit as error:  # what Lightning makes of Ctrl-C
            raise KeyboardInterrupt("pretraining; nothing was written") from error
    encode.eval()
    return float(trainer.callback_metrics["error"])


def _bare(data: Data, transforms: list[BaseTransform]) -> Data:
    """The graph alone, with its spectrum and its numbers."""
    bare = Data(edge_index=data.edge_index, num_nodes=data.num_nodes)
    for transform in transforms:
        bare = transform(bare)
    bare.structure = bare.structure.float()
    return bare
