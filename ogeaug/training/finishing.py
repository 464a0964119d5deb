"""The end of a run: what the model that was kept can do."""

from pathlib import Path

from torch import Tensor

from ogeaug.model.file import load_model
from ogeaug.tasks import make_task
from ogeaug.training import run_folder
from ogeaug.training.callbacks import BestModel, History
from ogeaug.training.evaluation import predict_part
from ogeaug.training.outputs import labelled_columns
from ogeaug.training.prepare import Parts, Prepared
from ogeaug.training.result import FitResult


def finish(
    prepared: Prepared, parts: Parts, folder: Path, best: BestModel, history: History
) -> FitResult:
    """The figures of the model that was kept; its predictions of the test part are written."""
    config, kept = prepared.config, load_model(folder)
    found = {
        part: predict_part(kept, config, parts.part(part))
        for part in parts.names[1:]
        if parts.part(part)
    }
    if "test" in found:
        _write_predictions(prepared, found["test"][1], folder)
    rows = {part: len(prepared.parts.part(part)) for part in parts.names}
    return FitResult(
        folder=str(folder),
        parameters=kept.num_parameters,
        best_epoch=best.epoch + 1,
        epochs=len(history.records),
        metrics={part: figures for part, (figures, _) in found.items()},
        rows=rows | {"skipped": len(prepared.skipped)},
        seconds=round(sum(r["seconds"] for r in history.records), 1),
        units=config.task.units,
        main=make_task(config.task, config.training.loss).main,
        chosen_by=best.choice.metric,
        stand_in=prepared.stand_in,
    )


def _write_predictions(prepared: Prepared, predicted: Tensor, folder: Path) -> None:
    task, graphs = make_task(prepared.config.task), prepared.parts.test
    if not task.keys() or (task.keys() == ["row"] and prepared.split is None):
        return  # rows of graphs that were given are nowhere to be looked up
    rows = range(len(graphs)) if prepared.split is None else prepared.split.test
    shown = task.activate(predicted).tolist()
    lines = [
        [*labels, *values]
        for labels, values in zip(task.label_lines(graphs, rows), shown, strict=True)
    ]
    run_folder.write_table(folder / run_folder.PREDICTIONS, labelled_columns(task), lines)
