"""Prediction for tables of any length: rows out = rows in, in order, nothing lost."""

import csv
import math
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path

import torch
from torch import Tensor
from torch_geometric.data import Batch, Data

from ogeaug.data.columns import unused_names
from ogeaug.data.convert import make_converter
from ogeaug.data.limits import MAX_ATOMS
from ogeaug.data.table import TableReader
from ogeaug.errors import UserError
from ogeaug.files.output import writing_text
from ogeaug.inference.early import check_prediction
from ogeaug.inference.in_groups import Tally, in_groups
from ogeaug.inference.row_counter import RowCounter
from ogeaug.inference.scale_out import map_in_order
from ogeaug.model.file import load_model
from ogeaug.model.graph_model import GraphModel
from ogeaug.tasks import Task, make_task
from ogeaug.training.outputs import mean_and_spread, output_columns
from ogeaug.transforms.needed import needed

STATUS = "status"


def predict_table(
    test_path: str | Path,
    model_paths: list[str | Path],
    preds_path: str | Path,
    *,
    column: str = "smiles",
    header: bool = True,
    multiline: bool = False,
    allow_unfinished: bool = False,
    max_atoms: int = MAX_ATOMS,
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
        multiline: Whether cells may have line breaks.
        allow_unfinished: Whether to take models of runs that were interrupted; see
            :func:`ogeaug.inference.find_models.find_models`.
        max_atoms: Larger graphs are not computed: their status says so.
        chunk: Rows in memory at a time.
        dask: Where to compute; see :func:`ogeaug.inference.scale_out.map_in_order`.
        progress: Whether to show progress.

    Returns:
        How many rows were ``read``, and how many ``failed``.

    Raises:
        RuntimeError: All rows fail, for a reason that is not in the rows; nothing is written.
    """
    files = check_prediction(
        test_path,
        model_paths,
        preds_path,
        column=column,
        header=header,
        multiline=multiline,
        allow_unfinished=allow_unfinished,
        dask=dask,
    )
    models, reader = [load_model(path) for path in files.models], files.reader
    names = unused_names([*_columns(models), STATUS], reader.columns)
    tally = Tally()
    with ExitStack() as stack:
        writer = csv.writer(stack.enter_context(writing_text(files.out, make_folder=True)))
        counter = stack.enter_context(RowCounter("Predicting", shown=progress))
        writer.writerow([*reader.columns, *names])
        shared = models, files.place, max_atoms
        for rows in map_in_order(_predict_rows, shared, read_blocks(reader, chunk), dask=dask):
            writer.writerows(rows)
            tally.add(len(rows), [row[-1] for row in rows if row[-1] != "ok"])
            counter.tell(tally.read)
        tally.check()
    return {"read": tally.read, "failed": tally.failed}


def read_blocks(reader: TableReader, size: int) -> Iterator[list[list[str]]]:
    """The rows of a table, so many at a time."""
    rows = iter(reader)
    while block := list(islice(rows, size)):
        yield block


def _predict_rows(
    shared: tuple[list[GraphModel], int, int], block: list[list[str]]
) -> list[list[str]]:
    """Rows with predictions and status added."""
    models, place, max_atoms = shared
    values, notes = predict_texts(models, [row[place] for row in block], max_atoms=max_atoms)
    values = values.to(_task(models).written)
    # NumPy writes as many digits as there are: six would lose those of large energies.
    cells = [["" if math.isnan(v) else str(v) for v in numbers] for numbers in values.numpy()]
    return [[*row, *new, note] for row, new, note in zip(block, cells, notes, strict=True)]


def predict_texts(
    models: list[GraphModel], texts: list[str], *, max_atoms: int = MAX_ATOMS
) -> tuple[Tensor, list[str]]:
    """Predictions for SMILES (or graph6) strings, NaN where there is none, and a status each.

    Shapes:
        - T texts -> ``[T, columns]``; see :func:`ogeaug.training.outputs.output_columns`
    """
    config = models[0].config
    assert config is not None
    task = _task(models)
    convert = make_converter(config.features, max_atoms)
    graphs: dict[int, Data] = {}
    notes = ["ok"] * len(texts)
    for i, text in enumerate(texts):
        try:
            graphs[i] = convert(text)
        except UserError as error:
            notes[i] = str(error)
    values = torch.full((len(texts), len(_columns(models))), math.nan, dtype=torch.float64)

    def compute(batch: Batch) -> Tensor:
        each = [task.activate(model(batch)) for model in models]
        return mean_and_spread(torch.stack(each))  # [M, B, t] -> [B, columns]

    transforms = needed(encoding for model in models for encoding in model.encodings)
    for group, found in in_groups(compute, graphs, transforms):
        if isinstance(found, str):
            notes[group[0]] = found
        else:
            values[group] = found.double()
    for i in graphs:
        if notes[i] == "ok" and not values[i].isfinite().all():
            notes[i], values[i] = "the prediction is not finite", math.nan
    return values, notes


def _columns(models: list[GraphModel]) -> list[str]:
    """The columns that prediction adds."""
    return output_columns(_task(models), spread=len(models) > 1)


def _task(models: list[GraphModel]) -> Task:
    config = models[0].config
    assert config is not None
    return make_task(config.task)
