"""How large the parts of a model may be, as types: a number in a file must not fill the memory."""

from typing import Annotated

from pydantic import Field

from ogeaug.checks import WIDEST

Width = Annotated[int, Field(ge=1, le=WIDEST)]
Depth = Annotated[int, Field(ge=0, le=256)]
Fraction = Annotated[float, Field(ge=0, lt=1)]
Sizes = Annotated[list[Annotated[int, Field(ge=1, le=100_000)]], Field(max_length=100)]
