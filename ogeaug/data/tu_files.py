"""Text files of the TU collection, as PyG reads them, in one piece until a graph is asked for."""

from pathlib import Path

import torch
from torch import Tensor
from torch_geometric.data import Data
from torch_geometric.io import read_tu_data
from torch_geometric.io.tu import read_file

from ogeaug.errors import UserError


class TuGraphs:
    """All graphs of a data set: nodes and edges with a category each, and targets.

    Args:
        data: All graphs together, as PyG's reader gives them.
        slices: Where each begins in each of its tensors.
    """

    def __init__(self, data: Data, slices: dict[str, Tensor]) -> None:
        self.data, self.slices = data, slices

    def __len__(self) -> int:
        return len(self.slices["x"]) - 1

    def graph(self, entry: int) -> Data:
        """One of them; PyG's one-hot columns become one column of categories."""
        x, edge_index, edge_attr = (
            self._slice(name, entry) for name in ("x", "edge_index", "edge_attr")
        )
        return Data(
            x=x.argmax(1, keepdim=True),  # [n, 1]
            edge_index=edge_index.contiguous(),  # [2, E]
            edge_attr=edge_attr.argmax(1, keepdim=True),  # [E, 1]
        )

    def targets(self, entry: int) -> list[float]:
        found: list[float] = self._slice("y", entry).flatten().tolist()
        return found

    def _slice(self, name: str, entry: int) -> Tensor:
        begin, end = self.slices[name][entry : entry + 2].tolist()
        whole: Tensor = self.data[name]
        return whole[:, begin:end] if name == "edge_index" else whole[begin:end]


def read_tu(
    paths: list[Path], prefix: str, num_types: int, num_bonds: int, num_targets: int
) -> TuGraphs:
    """The graphs of the text files of a folder.

    Args:
        paths: The files, all in one folder.
        prefix: How their names begin.
        num_types: Of nodes.
        num_bonds: Types of edges.
        num_targets: Numbers of each graph.
    """
    folders = {path.parent for path in paths}
    if len(folders) > 1:
        raise UserError(f"the files {prefix}_*.txt are in several folders: put them into one")
    folder = folders.pop()
    try:
        graphs, pairs = (  # the reader makes a number of a file of one row
            read_file(str(folder), prefix, kind, torch.long).reshape(shape)
            for kind, shape in (("graph_indicator", -1), ("A", (-1, 2)))
        )
        _check_edges(pairs, graphs)
        for kind, most, rows in (
            ("node_labels", num_types, len(graphs)),
            ("edge_labels", num_bonds, len(pairs)),
        ):
            labels = torch.atleast_1d(read_file(str(folder), prefix, kind, torch.long))
            if len(labels) != rows:
                raise ValueError(f"{kind} has {len(labels):,} rows, expected {rows:,}")
            span = int(labels.max()) - int(labels.min()) + 1
            if span > most:  # PyG would make as many columns, be it a thousand million
                raise ValueError(f"{kind} has {span:,} categories, expected {most}")
        data, slices, _ = read_tu_data(str(folder), prefix)
    except (ValueError, IndexError, RuntimeError, UnicodeDecodeError) as error:
        why = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise UserError(
            f"the files {prefix}_*.txt in {folder} do not fit together, or are cut off ({why}); "
            "fetch them again"
        ) from error
    count = len(slices["x"]) - 1
    for name in ("edge_index", "edge_attr"):  # PyG leaves out graphs at the end without edges
        short = count + 1 - len(slices[name])
        slices[name] = torch.cat([slices[name], slices[name][-1:].expand(short)])
    wanted = {"x": num_types, "edge_attr": num_bonds, "y": num_targets}
    for name, columns in wanted.items():
        tensor = data.get(name)
        found = 0 if tensor is None or not len(tensor) else tensor[0].numel()
        if found != columns:
            raise UserError(
                f"the files {prefix}_*.txt in {folder} have {found} columns of {name}, expected "
                f"{columns}: types of nodes, types of edges, or targets are not those of {prefix}"
            )
    targets = folder / f"{prefix}_graph_attributes.txt"
    if len(data.y) != count:
        raise UserError(
            f"{targets} has {len(data.y)} rows, and there are {count} graphs; fetch it again"
        )
    wrong = (~torch.isfinite(data.y)).view(count, -1).any(1).nonzero()
    if len(wrong):
        raise UserError(
            f"{targets}, row {int(wrong[0]) + 1}, holds something else than finite numbers "
            f"({len(wrong)} such row(s)); fetch it again"
        )
    return TuGraphs(data, slices)


def _check_edges(pairs: Tensor, graphs: Tensor) -> None:
    """Refuses edges that name a node that is not there, or nodes of two graphs."""
    if int(pairs.min()) < 1 or int(pairs.max()) > len(graphs):
        raise ValueError(f"A names a node outside 1..{len(graphs):,}, those of graph_indicator")
    source, target = graphs[pairs - 1].T
    if bool((source != target).any()):
        row = int((source != target).nonzero()[0])
        raise ValueError(f"row {row + 1:,} of A joins nodes of two graphs")
