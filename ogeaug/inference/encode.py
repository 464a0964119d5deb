"""OGE-Aug features as a table for other tools: Parquet or CSV, in constant memory."""

from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import torch
from torch import Tensor
from torch_geometric.data import Batch, Data

from ogeaug.data.convert import make_converter
from ogeaug.data.limits import MAX_ATOMS
from ogeaug.errors import UserError
from ogeaug.files.output import writing
from ogeaug.inference.early import check_encoding, table_kind
from ogeaug.inference.encoder import Encoder, random_encoder, trained_encoder
from ogeaug.inference.in_groups import Tally, in_groups
from ogeaug.inference.predict import read_blocks
from ogeaug.inference.row_counter import RowCounter
from ogeaug.inference.scale_out import map_in_order
from ogeaug.tasks.heads import POOLING
from ogeaug.transforms.needed import needed


def encode_table(
    data_path: str | Path,
    output: str | Path,
    *,
    model_path: str | Path | None = None,
    encoding: str | None = None,
    out_channels: int | None = None,
    pooling: str = "none",
    column: str = "smiles",
    header: bool = True,
    multiline: bool = False,
    graph6: bool = False,
    seed: int | None = None,
    allow_unfinished: bool = False,
    max_atoms: int = MAX_ATOMS,
    chunk: int = 500,
    dask: str | None = None,
    progress: bool = True,
) -> dict[str, int]:
    """Writes the encoding of each graph of a table.

    Columns: ``row`` (from 0), ``node`` (from 0; absent when pooled), ``z0``, ``z1``, ... A graph
    that cannot be read has no features: one line with its ``row`` and the reason in ``status``.

    Args:
        data_path: A table with a molecule column.
        output: A .parquet or .csv file.
        model_path: Take the trained encoding of this model. Without it the weights are random,
            from ``seed``: features that are invariant and expressive, but fitted to nothing.
        encoding: Name of an encoding, if there is no model; ``oge_aug`` if absent.
        out_channels: Its width; 28 if absent.
        pooling: ``none`` (a line per node), ``sum`` or ``mean`` (a line per graph).
        column: The molecule column.
        header: Whether the first line names the columns.
        multiline: Whether cells may have line breaks.
        graph6: Whether the column holds graph6 strings.
        seed: Of random weights; 0 if absent.
        allow_unfinished: Whether the model may be that of a run that was interrupted.
        max_atoms: Larger graphs are not computed: their status says so.
        chunk: Graphs in memory at a time.
        dask: Where to compute; see :func:`ogeaug.inference.scale_out.map_in_order`.
        progress: Whether to show progress.

    Returns:
        How many rows were ``read``, and how many ``failed``.

    Raises:
        RuntimeError: All rows fail, for a reason that is not in the rows; nothing is written.
    """
    files = check_encoding(
        data_path,
        output,
        model_path=model_path,
        encoding=encoding,
        out_channels=out_channels,
        pooling=pooling,
        column=column,
        header=header,
        multiline=multiline,
        graph6=graph6,
        seed=seed,
        allow_unfinished=allow_unfinished,
        dask=dask,
    )
    if model_path is None:
        encoder = random_encoder(
            encoding or "oge_aug",
            out_channels or 28,
            seed or 0,
            graph6=graph6,
            pooling=pooling,
            max_atoms=max_atoms,
        )
    else:
        encoder = trained_encoder(files.models[0], pooling, max_atoms)
    tally = Tally()
    blocks = (
        (i * chunk, [row[files.place] for row in block])
        for i, block in enumerate(read_blocks(files.reader, chunk))
    )
    with _Writer(files.out) as writer, RowCounter("Encoding", shown=progress) as counter:
        for done in map_in_order(_encode, encoder, blocks, dask=dask):
            writer.write(done.table)
            tally.add(done.read, done.failed)
            counter.tell(tally.read)
        if not tally.read:
            writer.write(_encode(encoder, (0, [])).table)  # column names
        tally.check()
    return {"read": tally.read, "failed": tally.failed}


@dataclass(frozen=True, eq=False)
class Encoded:
    """The features of a chunk: its lines, how many texts it had, and why some have none."""

    table: pa.Table
    read: int
    failed: list[str]


def _encode(encoder: Encoder, work: tuple[int, list[str]]) -> Encoded:
    """The features of some texts; ``work`` has the row number of the first one."""
    first, texts = work
    module, pooling = encoder.module, encoder.pooling
    convert = make_converter(encoder.features, encoder.max_atoms)
    graphs: dict[int, Data] = {}
    failed: dict[int, str] = {}
    for row, text in enumerate(texts, start=first):
        try:
            data = convert(text)
            graphs[row] = Data(data.x, data.edge_index, data.edge_attr, num_nodes=data.num_nodes)
        except UserError as error:
            failed[row] = str(error)
    row_of: list[int] = []
    node_of: list[int] = []
    parts: list[Tensor] = []

    def compute(batch: Batch) -> Tensor:
        z: Tensor = module(batch)  # [N, channels]
        return z if pooling == "none" else POOLING[pooling](z, batch.batch, batch.num_graphs)

    for group, found in in_groups(compute, graphs, needed(encoder.encodings)):
        if isinstance(found, str):
            failed[group[0]] = found
            continue
        counts = [int(graphs[row].num_nodes or 0) if pooling == "none" else 1 for row in group]
        for row, z in zip(group, found.split(counts), strict=True):
            if not z.isfinite().all():
                failed[row] = "the encoding is not finite"
                continue
            parts.append(z)
            row_of += [row] * len(z)
            node_of += range(len(z))
    values = torch.cat(parts) if parts else torch.zeros(0, encoder.channels)
    empty = [None] * len(failed)
    columns: dict[str, pa.Array] = {"row": pa.array([*row_of, *failed], pa.int64())}
    if pooling == "none":
        columns["node"] = pa.array([*node_of, *empty], pa.int32())
    for j in range(encoder.channels):
        columns[f"z{j}"] = pa.array([*values[:, j].tolist(), *empty], pa.float32())
    columns["status"] = pa.array(["ok"] * len(row_of) + list(failed.values()), pa.string())
    table = pa.table(columns).sort_by([("row", "ascending")])
    return Encoded(table, len(texts), list(failed.values()))


class _Writer:
    """A Parquet or CSV file, by its ending, that takes its place when complete."""

    def __init__(self, path: Path) -> None:
        self.kind = table_kind(path)
        self.path = path
        self.file: Any = None
        self.stack = ExitStack()

    def __enter__(self) -> "_Writer":
        self.output = self.stack.enter_context(writing(self.path, make_folder=True))
        return self

    def write(self, table: pa.Table) -> None:
        if self.file is None:
            make = pa.parquet.ParquetWriter if self.kind == ".parquet" else pa.csv.CSVWriter
            self.file = self.stack.enter_context(make(self.output, table.schema))
        self.file.write_table(table)

    def __exit__(self, *exception: object) -> bool | None:
        return self.stack.__exit__(*exception)  # type: ignore[arg-type]
