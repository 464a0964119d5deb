"""What ``predict`` and ``encode`` can refuse before torch is loaded: models, tables, outputs."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ogeaug.data.table import TableReader
from ogeaug.encodings import ENCODINGS, about_edges
from ogeaug.errors import UserError
from ogeaug.files.output import check_output, is_stream
from ogeaug.inference.find_models import find_model, find_models
from ogeaug.inference.scale_out import check_address
from ogeaug.model.config import ModelConfig
from ogeaug.model.folder import check_whole, read_model_config
from ogeaug.model.limits import WIDEST
from ogeaug.training.config import check_seed
from ogeaug.training.run_folder import is_own

LINES = ("none", "sum", "mean")
"""What ``encode`` can make of the nodes of a graph: a line each, or one of their sum or mean."""


@dataclass(frozen=True)
class TableFiles:
    """Files that can be worked with.

    Attributes:
        models: Folders of the models.
        reader: The table.
        place: Of its molecule column.
        out: The file to write.
        rows, lines: Of the table, and of its file.
    """

    models: list[Path]
    reader: TableReader
    place: int
    out: Path
    rows: int
    lines: int


def check_prediction(
    test_path: str | Path,
    model_paths: list[str | Path],
    preds_path: str | Path,
    *,
    column: str,
    header: bool,
    multiline: bool,
    allow_unfinished: bool,
    dask: str | None,
) -> TableFiles:
    """Refuses what cannot be predicted; see :func:`ogeaug.inference.predict.predict_table`."""
    models = check_models(model_paths, allow_unfinished=allow_unfinished)
    reader = _open_table(test_path, column, header, multiline)
    out = Path(preds_path)
    if out.is_dir():
        raise UserError(f"--preds-path {out} is a folder; name a file in it, like {out}/preds.csv")
    if out.suffix in (".parquet", ".xlsx", ".json"):
        raise UserError(f"predictions are written as CSV; name --preds-path {out.stem}.csv")
    _check_output(out, reader, "--preds-path", models)
    check_address(dask)
    return _found(models, reader, out)


def check_models(
    model_paths: Sequence[str | Path], *, allow_unfinished: bool = False
) -> list[Path]:
    """The folders of models that predict graphs together; refuses others."""
    models = find_models(model_paths, allow_unfinished=allow_unfinished)
    configs = [_check_model(folder) for folder in models]
    for folder, config in zip(models, configs, strict=True):
        if not config.task.facts.in_tables:
            raise UserError(
                f"the model in {folder} is for {config.task.type}, which a table with a row per "
                f"graph has no place for; call it from Python: ogeaug.load_model({str(folder)!r})"
            )
    _check_alike(configs)
    return models


def check_encoding(
    data_path: str | Path,
    output: str | Path,
    *,
    model_path: str | Path | None,
    encoding: str | None,
    out_channels: int | None,
    pooling: str,
    column: str,
    header: bool,
    multiline: bool,
    graph6: bool,
    seed: int | None,
    allow_unfinished: bool,
    dask: str | None,
) -> TableFiles:
    """Refuses what cannot be encoded; see :func:`ogeaug.inference.encode.encode_table`."""
    if pooling not in LINES:
        raise UserError(f"unknown pooling {pooling!r}; choose from {', '.join(LINES)}")
    if encoding is not None:
        ENCODINGS.check(encoding)
        if ENCODINGS.level(encoding) == "edge":
            raise UserError(f"{about_edges(encoding)}; a table of nodes has no place for it")
    if seed is not None:
        check_seed(seed)
    if out_channels is not None and not 1 <= out_channels <= WIDEST:
        raise UserError(f"--out-channels must be 1 to {WIDEST}, got {out_channels}")
    if model_path is None and allow_unfinished:
        raise UserError("--allow-unfinished is about a model; name one by --model-path")
    models = []
    if model_path is not None:
        if encoding is not None or out_channels is not None or seed is not None or graph6:
            raise UserError(
                f"the model in {model_path} has its own encoding, width, weights and kind of "
                "graphs; leave out --encoding, --out-channels, --seed and --graph6, or "
                "--model-path"
            )
        models = [find_model(model_path, allow_unfinished=allow_unfinished)]
        _check_model(models[0])
    reader = _open_table(data_path, column, header, multiline)
    out = Path(output)
    table_kind(out)
    if out.is_dir():
        raise UserError(f"--output {out} is a folder; name a file in it")
    _check_output(out, reader, "--output", models)
    check_address(dask)
    return _found(models, reader, out)


def _found(models: list[Path], reader: TableReader, out: Path) -> TableFiles:
    """Reads the table to its end: a row that cannot be read is told now, not after hours."""
    rows, lines = reader.count()
    assert reader.molecules is not None
    return TableFiles(models, reader, reader.molecules, out, rows, lines)


def table_kind(path: Path) -> str:
    """``.parquet`` or ``.csv``, by the ending; a device without one gets CSV."""
    kind = ".csv" if not path.suffix and is_stream(path) else path.suffix
    if kind not in (".parquet", ".csv"):
        raise UserError(f"--output {path}: expected a name that ends in .parquet or .csv")
    return kind


def _check_model(folder: Path) -> ModelConfig:
    config = read_model_config(folder)
    check_whole(folder)
    if config.features.kind == "own":
        raise UserError(
            f"the model in {folder} was trained on PyG data objects, not on the molecules of a "
            f"table; call it from Python: ogeaug.load_model({str(folder)!r})"
        )
    return config


def _check_alike(configs: list[ModelConfig]) -> None:
    if len({(c.features.model_dump_json(), c.task.model_dump_json()) for c in configs}) > 1:
        raise UserError(
            "the models do not predict the same targets from the same features, so they are no "
            "ensemble; predict with one of them at a time"
        )


def _open_table(path: str | Path, column: str, header: bool, multiline: bool) -> TableReader:
    reader = TableReader(path, header=header, multiline=multiline, option="--allow-multiline")
    reader.find(column)
    return reader


def _check_output(out: Path, reader: TableReader, option: str, models: list[Path]) -> None:
    for folder in models:
        if is_own(folder, out):
            raise UserError(
                f"{option} {out} is a file of the model in {folder}; choose another name"
            )
    if out.exists() and out.resolve() == reader.path.resolve():
        raise UserError(f"{option} {out} is the input; choose another name")
    check_output(out)
