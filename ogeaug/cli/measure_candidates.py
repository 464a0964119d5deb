"""Which network ``expressivity`` and ``brec`` try, checked before torch is loaded."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from ogeaug.cli.measure_arguments import finite
from ogeaug.compare.entries import Entry, read_entries
from ogeaug.errors import UserError

if TYPE_CHECKING:
    from torch import nn

    from ogeaug.measure.scoring import Candidate


def _encoding(text: str | None) -> str | None:
    try:
        if text is not None:
            read_entries([text])
    except UserError as error:
        raise typer.BadParameter(str(error)) from error
    return text


ORDER = Annotated[int | None, typer.Option(min=1, max=4, help="One network instead of the ladder.")]
SEARCH = Annotated[
    int | None, typer.Option(min=1, help="Likewise, a search with so many marks at most.")
]
LAYERS = Annotated[
    int | None, typer.Option(min=1, max=256, help="With --order (default 6) or --search (8).")
]
CHANNELS = Annotated[
    int | None, typer.Option(min=4, max=8192, help="With --order or --search; default 8.")
]
DELTA = Annotated[
    float | None,
    typer.Option(help="With --order; default 0.05. 30 spans most spectra.", callback=finite),
]
OTHER_ENCODING = Annotated[
    str | None,
    typer.Option(
        "--encoding", "-e", help="Another one: spe, or oge_aug(delta=0.5).", callback=_encoding
    ),
]


@dataclass(frozen=True)
class AskedFor:
    """What was asked for; refused if it contradicts itself."""

    order: int | None = None
    search: int | None = None
    layers: int | None = None
    channels: int | None = None
    delta: float | None = None
    encoding: str | None = None

    def __post_init__(self) -> None:
        if sum(choice is not None for choice in (self.encoding, self.order, self.search)) > 1:
            raise typer.BadParameter("choose one of --order, --search (OGE-Aug) and --encoding")
        if self._given and self.order is None and (self.search is None or "delta" in self._given):
            name = "delta" if "delta" in self._given else next(iter(self._given))
            needs = "--order" if name == "delta" else "--order or --search"
            raise typer.BadParameter(f"--{name} needs {needs}")

    @property
    def _given(self) -> dict[str, float]:
        settings = {"layers": self.layers, "channels": self.channels, "delta": self.delta}
        return {name: value for name, value in settings.items() if value is not None}

    def candidates(self) -> "list[Candidate]":
        """The ladder, or the one network that was asked for; loads torch."""
        from ogeaug.measure.scoring import (
            LADDER,
            Candidate,
            oge_aug_candidate,
            search_candidate,
        )

        if self.encoding is not None:
            (entry,) = read_entries([self.encoding]).values()
            return [Candidate(self.encoding, lambda _: make_entry(entry))]
        if self.order is not None:
            return [oge_aug_candidate(self.order, **self._given)]  # type: ignore[arg-type]
        if self.search is not None:
            return [search_candidate(self.search, **self._given)]  # type: ignore[arg-type]
        return list(LADDER)


def make_entry(entry: Entry) -> "nn.Module":
    """The encoding with random weights, in float64."""
    from ogeaug.encodings import make_encoding

    return make_encoding(entry.name, 16, **entry.options).double().eval()
