"""What a model folder must hold, read without torch, which takes seconds to load."""

import re
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from ogeaug import __version__
from ogeaug.errors import UserError
from ogeaug.files.json_text import read_json
from ogeaug.model.config import ModelConfig
from ogeaug.strict import explain

MODEL, WEIGHTS = "config.json", "model.safetensors"
FIX = "copy it again or retrain"
_SHIPPED_FOLDER = Path(__file__).parent / "shipped"
SHIPPED = tuple(sorted(file.parent.name for file in _SHIPPED_FOLDER.glob(f"*/{MODEL}")))
"""Names of the models that come with the package, each as good as a folder."""


class ModelRecord(BaseModel):
    """What config.json holds.

    Attributes:
        ogeaug_version: Of the package that wrote it.
        model: See :class:`ModelConfig`.
    """

    ogeaug_version: str = ""
    model: dict[str, Any]


def find_folder(path: str | Path) -> Path:
    """The folder of a model by its path, or by the name of a shipped model.

    A folder of your own that holds a model goes before a shipped one of the same name.

    Example:
        >>> find_folder("runs/first").name, find_folder("zinc").parent.name
        ('first', 'shipped')
    """
    if str(path) in SHIPPED and not (Path(path) / MODEL).exists():
        return _SHIPPED_FOLDER / str(path)
    return Path(path)


def check_folder(path: Path) -> None:
    """Refuses what is no folder at all."""
    if path.is_dir():
        return
    if path.exists():
        raise UserError(f"{path} is a file; name the folder of the model, like {path.parent}")
    raise UserError(
        f"there is no folder {path}; name that of a trained model, or one that comes with the "
        f"package: {', '.join(SHIPPED)}"
    )


def check_whole(folder: Path) -> None:
    """Refuses the folder of a model whose weights or description are gone."""
    for file in (folder / WEIGHTS, folder / MODEL):
        if not file.is_file():
            raise UserError(f"there is no file {file}: the model is not whole; {FIX}")


def read_model_config(folder: Path) -> ModelConfig:
    """Reads and checks config.json."""
    return parse_model_config(folder, read_record(folder))


def read_record(folder: Path) -> ModelRecord:
    """Reads config.json."""
    check_folder(folder)
    file = folder / MODEL
    if not file.is_file():
        raise UserError(
            f"{folder} is no model folder: it has no {MODEL}. If its training was interrupted, "
            f"continue it by  ogeaug train --resume {folder}"
        )
    return read_json(file, ModelRecord, FIX)


def parse_model_config(folder: Path, record: ModelRecord) -> ModelConfig:
    """Checks the configuration in a record."""
    try:
        return ModelConfig.model_validate(record.model)
    except ValidationError as error:
        plain = UserError(f"{folder / MODEL} does not describe a model: {explain(error)}; {FIX}")
        raise by_newer(folder, record, plain) from error


def by_newer(folder: Path, record: ModelRecord, error: UserError) -> UserError:
    """What does not fit is no damage, if a later version may have written it so."""
    there, here = _numbers(record.ogeaug_version), _numbers(__version__)
    if there <= here:
        return error
    return UserError(
        f"{folder} was written by ogeaug {record.ogeaug_version}, this is {__version__}, which "
        f"does not know such models; install {record.ogeaug_version} or later ({error})"
    )


def _numbers(version: str) -> list[int]:
    """``1.10.2rc1`` as ``[1, 10, 2]``."""
    found = re.match(r"\d{1,9}(\.\d{1,9})*", version)
    return [int(number) for number in found[0].split(".")] if found else []
