"""Records that refuse unknown keys, and what pydantic has to say about the others."""

from pydantic import BaseModel, ConfigDict, ValidationError

MOST_LINES, MOST_SHOWN = 8, 80


class Strict(BaseModel):
    """Refuses unknown keys."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def explain(error: ValidationError) -> str:
    """The errors of pydantic in a line each; of a file that is something else, not all of it."""
    lines = []
    for item in error.errors():
        place = ".".join(map(str, item["loc"]))
        received = repr(item["input"])
        if len(received) > MOST_SHOWN:
            received = f"{received[:MOST_SHOWN]}..."
        got = f", got {received}" if not isinstance(item["input"], dict) else ""
        message = item["msg"].replace("Extra inputs are not permitted", "unknown key")
        lines.append(f"{place}{': ' * bool(place)}{message.removeprefix('Value error, ')}{got}")
    if len(lines) > MOST_LINES:
        lines[MOST_LINES:] = [f"and {len(lines) - MOST_LINES} more"]
    return "; ".join(lines)
