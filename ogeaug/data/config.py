"""Which data, and how they are split: the part of a configuration that the door takes."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from ogeaug.data.limits import MAX_ATOMS
from ogeaug.strict import Strict

SEEDS = 2**32
Seed = Annotated[int, Field(ge=0, lt=SEEDS)]
Count = Annotated[int, Field(ge=1, le=10**9)]


class DataConfig(Strict):
    """Where the molecules or graphs come from.

    Attributes:
        name: Of a data set; see :data:`ogeaug.data.sets.DATASETS`.
        path: File or folder.
        column: The column of SMILES (or graph6 strings).
        header: Whether a CSV file has a header line.
        multiline: Whether its cells may have line breaks.
        limit: Use only so many rows, evenly spread over the table; of a generated set, so many
            training graphs.
        max_atoms: Rows with larger graphs are left out, and listed in skipped.csv.
    """

    name: str = "csv"
    path: str | None = None
    column: str = "smiles"
    header: bool = True
    multiline: bool = False
    limit: Count | None = None
    max_atoms: Count = MAX_ATOMS


class SplitConfig(Strict):
    """Training, validation, test.

    Attributes:
        type: ``random``, ``scaffold``, or ``column``.
        sizes: Fractions.
        column: The column that says train, val or test (``test_...``: a further test part).
        seed: Of the shuffle, or of generated graphs; apart from the seed of the training, so that
            an ensemble shares it.
        num_folds: If more than 1, random folds instead of fractions.
        fold: Which fold is the test part.
    """

    type: Literal["random", "scaffold", "column"] = "random"
    sizes: tuple[float, float, float] = (0.8, 0.1, 0.1)
    column: str | None = None
    seed: Seed = 0
    num_folds: Annotated[int, Field(ge=1)] = 1
    fold: Annotated[int, Field(ge=0)] = 0

    @model_validator(mode="after")
    def _check(self) -> Self:
        if (self.type == "column") != (self.column is not None):
            raise ValueError("split.column names the column of split type 'column', and only then")
        if self.num_folds > 1 and self.type != "random":
            raise ValueError(f"folds are random; split type {self.type} has none")
        if self.fold >= self.num_folds:
            raise ValueError(f"fold {self.fold} of {self.num_folds}: folds count from 0")
        return self
