"""The paper's tables: what it prints, and which models of ours stand beside it.

A table is a YAML file in ``ogeaug/reproduce/tables``; this module reads and checks it.
"""

from dataclasses import dataclass
from importlib import resources
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, model_validator

from ogeaug.errors import UserError
from ogeaug.files.yaml_text import load_yaml
from ogeaug.presets import NOISY
from ogeaug.strict import Strict
from ogeaug.training.config import Config, load_config


@dataclass(frozen=True)
class Quote:
    """A figure of the paper.

    Attributes:
        value: As printed.
        deviation: Over its runs; None if it gives none.

    Example:
        >>> Quote.read("0.163 ± 0.004")
        Quote(value=0.163, deviation=0.004)
    """

    value: float
    deviation: float | None = None

    @classmethod
    def read(cls, text: object) -> Self:
        value, _, deviation = str(text).partition("±")
        return cls(float(value), float(deviation) if deviation else None)

    def __str__(self) -> str:
        return f"{self.value:g}" + (f" ± {self.deviation:g}" if self.deviation else "")


class Column(Strict):
    """A figure that a run gives.

    Attributes:
        name: In tables.
        metric: Of the task.
        part: Of the data; without a test part, the validation part stands for it.
        times: The paper prints the metric times this.
    """

    name: str
    metric: str
    part: str = "test"
    times: float = 1.0


class Group(Strict):
    """Columns that come from one training.

    Attributes:
        columns: At least one.
        set: Keys of the configuration that differ from group to group, like the target.
    """

    columns: Annotated[list[Column], Field(min_length=1)]
    set: dict[str, Any] = Field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.columns[0].name


class Row(Strict):
    """A model of ours.

    Attributes:
        label: In tables.
        beside: The paper's row that it is to be compared with; None if there is none.
        config: A shipped configuration, if it is not the table's.
        encodings: In place of the configuration's.
        set: Further keys of the configuration.
    """

    label: str
    beside: str | None = None
    config: str | None = None
    encodings: list[dict[str, Any]] | None = None
    set: dict[str, Any] = Field(default_factory=dict)


class Share(Strict):
    """How much of a table a budget takes.

    Attributes:
        graphs: At most so many; all if absent.
        groups: By the names of their first columns; all if absent.
        without: Labels of rows that would take most of the time; the caller may still name them.
    """

    graphs: Annotated[int, Field(ge=1)] | None = None
    groups: list[str] | None = None
    without: list[str] = Field(default_factory=list)


class PaperTable(Strict):
    """A table of the paper.

    Attributes:
        title: What is measured.
        paper: Where the paper has it, and what its figures are.
        config: The shipped configuration of the rows.
        groups: Of columns.
        quoted: The paper's rows: a figure per column, None where it has none.
        rows: Ours.
        budgets: What a budget leaves out.
    """

    title: str
    paper: str
    config: str
    groups: list[Group]
    quoted: dict[
        str,
        list[
            Annotated[Quote | None, BeforeValidator(lambda v: None if v is None else Quote.read(v))]
        ],
    ]
    rows: list[Row]
    budgets: dict[str, Share] = Field(default_factory=dict)

    @property
    def columns(self) -> list[Column]:
        return [column for group in self.groups for column in group.columns]

    @model_validator(mode="after")
    def _check(self) -> Self:
        for name, figures in self.quoted.items():
            if len(figures) != len(self.columns):
                raise ValueError(f"{name} has {len(figures)} figures of {len(self.columns)}")
        unknown = {row.beside for row in self.rows} - {None, *self.quoted}
        if unknown:
            raise ValueError(f"no such rows of the paper: {unknown}")
        left = {label for share in self.budgets.values() for label in share.without}
        if absent := left - {row.label for row in self.rows}:
            raise ValueError(f"a budget leaves out rows that are not there: {absent}")
        named = [row.beside or row.label for row in self.rows]
        if len(set(named)) < len(named):
            raise ValueError(f"two rows of ours would share one of the table: {named}")
        return self

    def config_of(self, row: Row, group: Group, values: dict[str, Any] | None = None) -> Config:
        """The experiment of a row and a group of columns.

        Noise on the Laplacian belongs to the encodings whose authors train with it.

        Args:
            row: Which model.
            group: Which training.
            values: Keys that the caller sets, like the folder of the data.
        """
        given = dict(group.set)
        if row.encodings is not None:
            given["encodings"] = row.encodings
            if not any(encoding["name"] in NOISY for encoding in row.encodings):
                given |= {"training.noise": 0.0, "training.permute": False}
        return load_config(row.config or self.config, None, given | row.set | (values or {}))


FACTS = {"datasets": ("data_path", "graphs"), "params": (), "time": ("data_path",)}
"""Tables without training, and the options that they take; see :mod:`ogeaug.reproduce.facts`."""


def table_names() -> list[str]:
    """Of all tables with trained rows.

    Example:
        >>> "zinc" in table_names()
        True
    """
    files = resources.files("ogeaug.reproduce").joinpath("tables").iterdir()
    return sorted(file.name[:-5] for file in files if file.name.endswith(".yaml"))


def read_paper_table(name: str) -> PaperTable:
    """A table by name.

    Example:
        >>> read_paper_table("zinc").quoted["GPS, with OGE-Aug"]
        [Quote(value=0.064, deviation=0.003)]
    """
    if name not in table_names():
        names = ", ".join([*table_names(), *FACTS])
        raise UserError(f"the paper has no table {name!r}; choose from {names}")
    file = resources.files("ogeaug.reproduce").joinpath("tables", f"{name}.yaml")
    return PaperTable.model_validate(load_yaml(file.read_text("utf-8"), name))
