"""What the statistics of edge encodings cost on dense graphs.

python -m benchmarks.edges [--graphs 4] [--rounds 3]
"""

import argparse
import os
from functools import partial

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from torch_geometric.data import Data

from benchmarks.history import record
from benchmarks.timing import interleaved
from ogeaug.data.sbm import generate_cluster
from ogeaug.walks.edge_walk import edge_walks
from ogeaug.walks.hodge import hodge_statistics


def walks(data: Data) -> None:
    edge_walks(data.edge_index, torch.tensor([data.num_nodes]), steps=20)


def projections(data: Data) -> None:
    hodge_statistics(data.edge_index, torch.tensor([data.num_nodes]), k=8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--graphs", type=int, default=4, help="CLUSTER graphs, seed 0")
    parser.add_argument("--rounds", type=int, default=3)
    args = parser.parse_args()
    torch.set_num_threads(1)
    for data in generate_cluster(args.graphs, 0):
        tasks = {"edge_rwse": partial(walks, data), "hodge1_lap": partial(projections, data)}
        size = f"{data.num_nodes} nodes, {data.edge_index.size(1) // 2} edges"
        for name, seconds in interleaved(tasks, args.rounds).items():
            print(f"{size}, {name}: {seconds:.2f} s")
            record("edges", f"{name}, {size}", seconds, "s a graph")


if __name__ == "__main__":
    main()
