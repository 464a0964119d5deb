"""How large the parts of a model may be: a number in a file must not fill the memory."""

from typing import Annotated, Any

from pydantic import Field

WIDEST = 8192
MOST = {"layers": 256, "depth": 256, "roots": 256, "limit": 1_000_000}
"""Of options by the last word of their names; all others are at most WIDEST."""
Width = Annotated[int, Field(ge=1, le=WIDEST)]
Depth = Annotated[int, Field(ge=0, le=256)]
Fraction = Annotated[float, Field(ge=0, lt=1)]
Sizes = Annotated[list[Annotated[int, Field(ge=1, le=100_000)]], Field(max_length=100)]


def check_limits(where: str, options: dict[str, Any]) -> None:
    """Refuses numbers that would fill the memory; options may hold options of a part."""
    for key, value in options.items():
        most = MOST.get(str(key).rpartition("_")[2], WIDEST)
        if isinstance(value, int) and abs(value) > most:
            raise ValueError(f"{where}{key}={value} is larger than {most}")
        if isinstance(value, dict):
            check_limits(f"{where}{key}: ", value)
