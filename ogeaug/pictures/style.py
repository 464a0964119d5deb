"""One style for all figures: fonts, colours that colour-blind people can tell apart, legends."""

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, RED, GREEN, PINK, ORANGE, SKY, GREY = COLOURS = (
    *("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"),
    "#555555",
)
"""Okabe and Ito's colours, less black and yellow (too near to ink and paper), and a dark grey."""
INK, FAINT = "#222222", "#BBBBBB"
"""Of text and axes, and of guides and grids."""
SEQUENTIAL, DIVERGING, GREYS = "cividis", "RdBu_r", "Greys"
"""Colour maps: of sizes, of what has a sign, of shares between 0 and 1."""
DPI = 130
STYLE: dict[Any, Any] = {
    "font.family": "DejaVu Sans",  # comes with Matplotlib: the same on every machine
    "mathtext.fontset": "dejavusans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": FAINT,
    "grid.alpha": 0.5,
    "grid.linewidth": 0.6,
    "lines.linewidth": 1.6,
    "lines.markersize": 4,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
    "text.color": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "figure.dpi": DPI,
    "figure.facecolor": "white",  # readable on a dark page, too
    "image.aspect": "auto",
}


@dataclass(frozen=True)
class Look:
    """How a series is drawn. Colour, dashes and marker each tell it, so that print does, too."""

    colour: str
    dashes: str
    marker: str

    def line(self) -> dict[str, Any]:
        """Arguments of Matplotlib's ``plot``."""
        return {"color": self.colour, "linestyle": self.dashes, "marker": self.marker}


LOOKS = tuple(
    Look(colour, dashes, marker)
    for dashes, markers in (("-", "osD^vPX"), ("--", "D^vPXos"), (":", "vPXosD^"))
    for colour, marker in zip(COLOURS, markers, strict=True)
)
"""In the order in which series get them."""
KNOWN = {
    name: LOOKS[place]
    for place, name in enumerate(
        (
            *("oge_aug", "lap_pe", "spe", "signnet", "rwse", "peg", "none"),
            *("general", "vanilla", "basisnet", "latent", "edge_rwse", "hodge1_lap"),
            *("es_lap_pe", "oge_pairs", "structure"),
        )
    )
}
"""Encodings look the same in all pictures."""


def looks(names: Iterable[str]) -> dict[str, Look]:
    """The look of each name: an encoding has its own, others get those that are left, in order.

    Example:
        >>> looks(["wide", "oge_aug", "narrow"])["oge_aug"].colour == BLUE
        True
        >>> looks(["wide", "oge_aug", "narrow"])["wide"].colour == RED
        True
    """
    names = list(dict.fromkeys(names))
    taken = {KNOWN[name] for name in names if name in KNOWN}
    free = [look for look in LOOKS if look not in taken]
    out, others = {}, 0
    for name in names:
        out[name] = KNOWN.get(name) or free[others % len(free)]
        others += name not in KNOWN
    return out


@contextlib.contextmanager
def styled() -> Iterator[None]:
    """Whatever is drawn within has the style; also a decorator of functions that draw.

    Example:
        >>> with styled():
        ...     axes = new_figure(6, 4).subplots()
        >>> axes.xaxis.label.get_fontsize()
        9.0
    """
    from matplotlib import rc_context, rcdefaults, rcParams  # slow to import

    with rc_context():
        rcdefaults()  # what a user's own matplotlibrc says is for the user's own figures
        rcParams.update(STYLE)
        yield


def new_figure(width: float, height: float) -> "Figure":
    """An empty figure, in inches, whose parts make room for each other."""
    from matplotlib.figure import Figure  # slow to import

    return Figure(figsize=(width, height), layout="constrained")


def legend_beside(figure: "Figure", axes: "Axes", **options: Any) -> None:
    """A legend to the right of all panels, where it covers nothing."""
    handles: list[Artist]
    handles, labels = axes.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside right upper", **options)


def plain_numbers(axes: "Axes", which: str = "y") -> None:
    """Logarithmic axis with 0.1, 0.2, 0.5, 1, 2 ... beside it, and no numbers between."""
    from matplotlib.ticker import LogLocator, NullFormatter

    axis = getattr(axes, f"{which}axis")
    axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(NullFormatter())


def as_written(text: str) -> str:
    r"""Text that is not to be read as a formula.

    Example:
        >>> as_written("price in $, not in $")
        'price in \\$, not in \\$'
    """
    return text.replace("$", r"\$")
