"""How loud encodings are at the start of training, as their authors have them and as we do.

python -m benchmarks.spread [--zinc] [--graphs 64] [--seeds 3]
"""

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from torch_geometric.data import Batch, Data

from benchmarks.molecules import molecules
from ogeaug.encodings import make_encoding
from ogeaug.measure.spread import spread
from ogeaug.presets import AUTHORS


def measure(name: str, preset: str, batch: Data, seeds: int) -> float:
    """The mean over seeds, in training mode, at the authors' width."""
    found = []
    for seed in range(seeds):
        torch.manual_seed(seed)
        width = AUTHORS[name].out_channels or 28
        found.append(spread(make_encoding(name, width, preset=preset).train(), batch))
    return sum(found) / seeds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zinc", action="store_true", help="molecules of ZINC, not NCI")
    parser.add_argument("--graphs", type=int, default=64)
    parser.add_argument("--seeds", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    batch = Batch.from_data_list(molecules(args.graphs, zinc=args.zinc))
    print("| encoding | authors | ours |\n|---|---|---|")
    for name in AUTHORS:
        authors, ours = (measure(name, p, batch, args.seeds) for p in ("authors", "ours"))
        print(f"| `{name}` | {authors:.2g} | {ours:.2g} |", flush=True)


if __name__ == "__main__":
    main()
