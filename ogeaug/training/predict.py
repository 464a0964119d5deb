"""Prediction for tables of any length: rows out = rows in, in order, nothing lost."""

import csv
import math
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import torch
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from torch import Tensor
from torch_geometric.data import Batch, Data

from ogeaug.data.table import TableReader, unused_names
from ogeaug.errors import UserError
from ogeaug.model import GraphModel
from ogeaug.model_file import load_model
from ogeaug.output_file import writing_text
from ogeaug.training.early_tables import check_prediction
from ogeaug.training.outputs import activate, mean_and_spread, output_columns
from ogeaug.training.prepare import make_converter
from ogeaug.training.scale_out import map_in_order

STATUS = "status"
NODES_PER_BATCH = 1000
"""Graphs are batched up to so many nodes, so that a few huge ones do not fill the memory."""


def predict_table(
    test_path: str | Path,
    model_paths: list[str | Path],
    preds_path: str | Path,
    *,
    column: str = "smiles",
    header: bool = True,
    allow_unfinished: bool = False,
    chunk: int = 1000,
    dask: str | None = None,
    progress: bool = True,
) -> dict[str, int]:
    """Adds predictions to a table, chunk by chunk.

    The columns of the input stay; ``pred_<target>`` is the mean of all models, ``spread_<target>``
    their standard deviation (with more than one model), and ``status`` is ``ok`` or says why
    there is no prediction.

    Args:
        test_path: A table with a molecule column.
        model_paths: Folders of models or ensembles (folds included).
        preds_path: The table to write; gzipped if it ends in .gz.
        column: The molecule column.
        header: Whether the first line names the columns.
        allow_unfinished: Whether to take models of runs that were interrupted; see
            :func:`ogeaug.training.find_models.find_models`.
        chunk: Rows in memory at a time.
        dask: Where to compute; see :func:`ogeaug.training.scale_out.map_in_order`.
        progress: Whether to show progress.

    Returns:
        How many rows were ``read``, and how many ``failed``.
    """
    files = check_prediction(
        test_path,
        model_paths,
        preds_path,
        column=column,
        header=header,
        allow_unfinished=allow_unfinished,
        dask=dask,
    )
    models, reader = [load_model(path) for path in files.models], files.reader
    names = unused_names([*_columns(models), STATUS], reader.columns)
    counts = {"read": 0, "failed": 0}
    with ExitStack() as stack:
        writer = csv.writer(stack.enter_context(writing_text(files.out, make_folder=True)))
        bar = _bar(stack, progress)
        writer.writerow([*reader.columns, *names])
        blocks = ((files.place, block) for block in read_blocks(reader, chunk))
        for rows in map_in_order(_predict_rows, models, blocks, dask=dask):
            writer.writerows(rows)
            counts["read"] += len(rows)
            counts["failed"] += sum(row[-1] != "ok" for row in rows)
            bar.update(bar.task_ids[0], description=f"{counts['read']:,} rows")
    return counts


def read_blocks(reader: TableReader, size: int) -> Iterator[list[list[str]]]:
    """The rows of a table, so many at a time."""
    rows = iter(reader)
    while block := list(islice(rows, size)):
        yield block


def _predict_rows(models: list[GraphModel], work: tuple[int, list[list[str]]]) -> list[list[str]]:
    """Rows with predictions and status added; ``work`` has the place of the text in each row."""
    place, block = work
    values, notes = predict_texts(models, [row[place] for row in block])
    # NumPy writes as many digits as a float32 has: six would lose those of large energies.
    cells = [["" if math.isnan(v) else str(v) for v in numbers] for numbers in values.numpy()]
    return [[*row, *new, note] for row, new, note in zip(block, cells, notes, strict=True)]


def predict_texts(models: list[GraphModel], texts: list[str]) -> tuple[Tensor, list[str]]:
    """Predictions for SMILES (or graph6) strings, NaN where there is none, and a status each.

    Shapes:
        - T texts -> ``[T, columns]``; see :func:`ogeaug.training.outputs.output_columns`
    """
    config = models[0].config
    assert config is not None
    convert = make_converter(config.features)
    graphs: dict[int, Data] = {}
    notes = ["ok"] * len(texts)
    for i, text in enumerate(texts):
        try:
            graphs[i] = convert(text)
        except UserError as error:
            notes[i] = str(error)
    values = torch.full((len(texts), len(_columns(models))), math.nan)
    for group in groups(graphs):
        batch = Batch.from_data_list([graphs[i] for i in group])
        try:
            with torch.no_grad():
                each = torch.stack(
                    [activate(config.task, model(batch)) for model in models]
                )  # [M, B, t]
        except (MemoryError, RuntimeError) as error:
            for i in group:
                notes[i] = too_large(error, batch)
            continue
        values[group] = mean_and_spread(each)
    for i in graphs:
        if notes[i] == "ok" and not values[i].isfinite().all():
            notes[i], values[i] = "the prediction is not finite", math.nan
    return values, notes


def _columns(models: list[GraphModel]) -> list[str]:
    """The columns that prediction adds."""
    config = models[0].config
    assert config is not None
    return output_columns(config.task, spread=len(models) > 1)


def groups(graphs: dict[int, Data]) -> Iterator[list[int]]:
    """Keys of graphs to batch together, in order; see :data:`NODES_PER_BATCH`."""
    group: list[int] = []
    nodes = 0
    for i, data in graphs.items():
        if group and nodes + data.num_nodes > NODES_PER_BATCH:
            yield group
            group, nodes = [], 0
        group.append(i)
        nodes += data.num_nodes
    if group:
        yield group


def too_large(error: Exception, batch: Batch) -> str:
    """A status for graphs that memory does not suffice for; any other error is raised again."""
    # PyTorch has no class of its own for what the CPU's memory lacks.
    if not isinstance(error, MemoryError) and "can't allocate memory" not in str(error):
        raise error
    return f"too large: {batch.num_nodes} nodes need more memory than there is"


def _bar(stack: ExitStack, progress: bool) -> Progress:
    bar = Progress(
        SpinnerColumn(),
        TextColumn("Predicting: {task.description}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),  # the table may go to the standard output
        transient=True,
        disable=not progress,
    )
    bar.add_task("0 rows", total=None)
    return stack.enter_context(bar)
