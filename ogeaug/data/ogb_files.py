"""Graphs in the CSV folders of the Open Graph Benchmark."""

import gzip
import warnings
import zlib
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch_geometric.data import Data

from ogeaug.data.graph_records import check_categories, check_pairs_of_nodes
from ogeaug.data.molecule import FEATURES
from ogeaug.errors import UserError


class RawGraphs:
    """The graphs of a folder ``raw``, each made when it is asked for.

    Args:
        paths: ``num-node-list``, ``num-edge-list``, ``edge``, ``node-feat``, ``edge-feat``.
        count: How many graphs there should be.
    """

    def __init__(self, paths: list[Path], count: int) -> None:
        self.paths = paths
        nodes, edges, self.ends, self.x, self.edge_attr = map(_read, paths)
        for path, sizes in zip(paths, (nodes, edges), strict=False):
            if sizes.shape != (count, 1) or (sizes < 0).any():
                raise UserError(f"{path} has {len(sizes)} rows; the molecules are {count}")
        self.first_node = np.concatenate([[0], nodes[:, 0].cumsum()])
        self.first_edge = np.concatenate([[0], edges[:, 0].cumsum()])
        for path, rows, total in (
            (paths[2], self.ends, self.first_edge[-1]),
            (paths[3], self.x, self.first_node[-1]),
            (paths[4], self.edge_attr, self.first_edge[-1]),
        ):
            if len(rows) != total:
                raise UserError(
                    f"{path} has {len(rows):,} rows, by {paths[0].name} and {paths[1].name} there "
                    f"are {total:,}; is it cut off?"
                )

    def graph(self, entry: int) -> Data:
        """As OGB's own reader has it: each bond is there once, and is put in both directions."""
        name = f"graph {entry} of {self.paths[0].parent}"
        nodes = slice(self.first_node[entry], self.first_node[entry + 1])
        edges = slice(self.first_edge[entry], self.first_edge[entry + 1])
        x, attr = torch.from_numpy(self.x[nodes]), torch.from_numpy(self.edge_attr[edges])
        forward = torch.from_numpy(self.ends[edges]).T.contiguous()  # [2, m]
        n = len(x)
        if n == 0:
            raise UserError(f"{name} has no nodes")
        check_pairs_of_nodes(forward, n, name)
        known = FEATURES["ogb"]
        check_categories(x, known.node_sizes, n, name)
        check_categories(attr, known.edge_sizes, forward.size(1), name)
        return Data(
            x=x,
            edge_index=torch.stack([forward, forward.flip(0)], 2).flatten(1),  # [2, 2m]
            edge_attr=attr.repeat_interleave(2, 0),  # [2m, columns]
        )


def _read(path: Path) -> NDArray[np.int64]:
    """Whole numbers ``[rows, columns]``."""
    try:
        with gzip.open(path, "rt", encoding="ascii") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of an empty file, which is told later
            return np.loadtxt(file, dtype=np.int64, delimiter=",", ndmin=2)
    except (ValueError, EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path} is no table of whole numbers ({error}); fetch it again") from error
