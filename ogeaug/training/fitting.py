"""fit: from a configuration to a trained model, its folder and its figures."""

import time
from contextlib import nullcontext
from dataclasses import asdict, replace
from pathlib import Path

import torch
from lightning.pytorch import Callback

from ogeaug.errors import CannotWrite, TrainingStopped, UserError
from ogeaug.files.output import write_text
from ogeaug.model.folder import check_whole
from ogeaug.model.graph_model import GraphModel
from ogeaug.tasks import make_task
from ogeaug.training import run_folder
from ogeaug.training.add_spectra import add_spectra
from ogeaug.training.asked import check_kekule, check_kept, check_noise_used
from ogeaug.training.averaging import AverageWeights
from ogeaug.training.batches import GraphBatches, check_enough
from ogeaug.training.callbacks import BestModel, History, SameData
from ogeaug.training.config import Config, dump_config
from ogeaug.training.early import check_task_options
from ogeaug.training.finishing import finish
from ogeaug.training.freezing import freeze_encodings, restore_encodings
from ogeaug.training.from_data import fill_in_options
from ogeaug.training.given import take_parts
from ogeaug.training.interrupt import SAME_CALL
from ogeaug.training.kekule import with_kekule
from ogeaug.training.module import GraphModule
from ogeaug.training.new_folder import new_folder
from ogeaug.training.prepare import Parts, Prepared, prepare
from ogeaug.training.processes import Processes, one_voice
from ogeaug.training.result import FitResult as FitResult
from ogeaug.training.result import read_result
from ogeaug.training.run_lock import locked
from ogeaug.training.started import check_unchanged, data_changed, name_run, read_start, write_start
from ogeaug.training.starting import take_weights
from ogeaug.training.statistics import check_statistics
from ogeaug.training.surroundings import data_settled, memory_told, own_threads, quiet
from ogeaug.training.trainer import make_trainer


def fit(
    config: Config, output_dir: str | Path, *, parts: Parts | None = None, progress: bool = True
) -> FitResult:
    """Trains a model and writes it, with everything needed to repeat it, into a new folder.

    Started by torchrun in several processes, these share each batch, and the first one writes.

    Args:
        config: The experiment.
        output_dir: A folder that holds no run yet.
        parts: Graphs, if they are not to be read from ``config.data``: PyG data objects with
            ``y`` (a number per target, or a class per node), or ``edge_label_index`` and
            ``edge_label`` for link ranking.
        progress: Whether to show progress bars.

    Raises:
        UserError: Something about data, configuration or folder; nothing was trained.
        TrainingStopped: The loss became NaN; the last checkpoint is still there.
        KeyboardInterrupt: The same; :func:`resume` goes on.
    """
    with one_voice():
        prepared = take_parts(config, parts) if parts else prepare(config, progress=progress)
    return fit_prepared(prepared, Path(output_dir), progress=progress)


@one_voice()
def fit_prepared(
    prepared: Prepared, folder: Path, *, progress: bool = True, go_on: str | None = None
) -> FitResult:
    """:func:`fit` with data that were read before; ``go_on`` says how after Ctrl-C, if not by
    ``ogeaug train --resume``."""
    config = fill_in_options(prepared.config, prepared.parts.train)
    prepared = replace(prepared, config=config)
    check_task_options(prepared.config)
    check_kept(prepared.config)
    check_noise_used(prepared.config)
    check_kekule(prepared.config)
    check_statistics(_start(prepared.config), prepared.config.training)  # fails now if it cannot
    processes = Processes.current()
    check_enough(prepared.parts, prepared.config.training.batch_size, processes)
    run = name_run(prepared.config, prepared.checksum)
    with new_folder(folder) if processes.first else nullcontext():
        if processes.first:
            write_start(prepared, folder, run)
            # Last: from here on the folder is a run that can be resumed.
            write_text(folder / run_folder.RUN_CONFIG, dump_config(prepared.config))
        try:
            with memory_told():
                return _train(prepared, folder, run, progress, go_on=go_on)
        except (TrainingStopped, CannotWrite):
            raise  # it can be resumed
        except UserError:
            if processes.first and not (folder / run_folder.CHECKPOINT).is_file():
                # Nothing was trained: the folder is free for another attempt.
                (folder / run_folder.RUN_CONFIG).unlink(missing_ok=True)
            raise


@one_voice()
def resume(
    output_dir: str | Path,
    *,
    parts: Parts | None = None,
    progress: bool = True,
    go_on: str | None = None,
) -> FitResult:
    """Continues an interrupted run, to the same weights as if it had not been interrupted."""
    folder = Path(output_dir)
    if (folder / run_folder.PLAN).is_file():
        raise UserError(
            f"{folder} holds several runs; continue them by  ogeaug train --resume {folder}  (a "
            "comparison by the same  ogeaug compare)"
        )
    file = folder / run_folder.RUN_CONFIG
    again = f"ogeaug train --config {file} --output-dir NEW"
    check_unchanged(folder / run_folder.STARTED, file, again)
    result = read_result(folder)
    if result is not None:
        check_whole(folder)
        return result
    config, started = read_start(folder, given=parts is not None)
    prepared = take_parts(config, parts) if parts else prepare(config, progress=progress)
    if started.checksum not in (prepared.checksum, run_folder.GIVEN):
        raise data_changed(folder)
    processes = Processes.current()
    check_enough(prepared.parts, config.training.batch_size, processes)
    with locked(folder) if processes.first else nullcontext(), memory_told():
        return _train(prepared, folder, started.run, progress, started.format, go_on)


def _train(
    prepared: Prepared,
    folder: Path,
    run: str | None,
    progress: bool,
    begun_as: int = run_folder.FORMAT,
    go_on: str | None = None,
) -> FitResult:
    config, t, processes = prepared.config, prepared.config.training, Processes.current()
    progress = progress and processes.first
    begun = time.perf_counter()
    with torch.random.fork_rng(devices=[]), quiet(), own_threads(t.threads):
        torch.manual_seed(t.seed)
        checkpoint = folder / run_folder.CHECKPOINT
        goes_on = checkpoint.is_file()
        model = GraphModel.from_config(config.model_part()) if goes_on else _start(config)
        task = make_task(config.task, t.loss)
        task.fit_head(model.head, prepared.parts.train)
        if t.freeze:
            if goes_on:
                restore_encodings(model, checkpoint, run)
            parts, transform = freeze_encodings(prepared.parts, model, t, progress), None
        else:
            parts, transform = add_spectra(prepared.parts, model, t, progress)
        batches = GraphBatches(
            parts.train,
            parts.val,
            batch_size=t.batch_size,
            transform=with_kekule(transform, t),
            bucket=t.bucket,
            seed=t.seed,
            processes=processes,
        )
        module = GraphModule(model, task, t, batches.steps_per_epoch)
        choice = task.choice(parts.val) if begun_as >= 3 else task.earlier_choice()
        best, history = BestModel(folder, choice), History(folder / run_folder.METRICS)
        callbacks: list[Callback] = [SameData(prepared.checksum), best, history]
        if t.ema is not None:
            callbacks.append(AverageWeights(t.ema * batches.steps_per_epoch))
        trainer = make_trainer(
            t,
            folder,
            callbacks,
            progress,
            processes,
            choice=choice,
            run=run,
        )
        try:
            with data_settled():
                trainer.fit(module, batches, ckpt_path=checkpoint if goes_on else None)
        except SystemExit as error:  # what Lightning makes of Ctrl-C
            how = go_on or f"ogeaug train --resume {folder}"
            if prepared.checksum.startswith(run_folder.GIVEN):
                how = SAME_CALL
            raise KeyboardInterrupt(
                f"in epoch {trainer.current_epoch + 1}; continue by  {how}"
            ) from error
        result = None
        if processes.first:
            result = finish(prepared, parts, folder, best, history)
            record = {
                "format": run_folder.FORMAT,
                "result": asdict(result),
                "wall_seconds": round(time.perf_counter() - begun, 1),
                "threads": t.threads,
                "processes": processes.count,
                "seeds": {"training": t.seed, "split": config.split.seed},
                "versions": run_folder.versions(),
            }
            run_folder.write_json(folder / run_folder.RESULTS, record)
        result = trainer.strategy.broadcast(result)
    assert result is not None
    return result


def _start(config: Config) -> GraphModel:
    model = GraphModel.from_config(config.model_part())
    take_weights(model, config.model_part(), config.training.start_from)
    return model
