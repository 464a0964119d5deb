"""What the processes that compute hand to the page: numbers and text, no torch."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Picture:
    """A graph to draw.

    Attributes:
        names: Of the nodes.
        places: ``[n, 2]``; in the drawing of a molecule, from its upper left corner.
        edges: Pairs of nodes, each edge once.
        svg: The drawing of a molecule, else None.
        width, height: Of the drawing.
        smiles: Of the molecule, else None.
    """

    names: list[str]
    places: list[tuple[float, float]]
    edges: list[tuple[int, int]]
    svg: str | None
    width: int
    height: int
    smiles: str | None


@dataclass(frozen=True)
class Looked:
    """What an OGE-Aug sees of a graph; see :class:`ogeaug.measure.look.Sight`.

    Attributes:
        picture: The graph.
        eigvals: ``[K]``.
        cluster: ``[K]``.
        sees: ``[K, K]``.
        features: ``[n, c]``, less the mean of each channel.
        colours: ``[n]`` what the nodes are coloured by.
        legend: What that is.
        chosen: The cluster, channel and node that are chosen, as far as the graph has them.
        notes: What to know about it.
    """

    picture: Picture
    eigvals: Floats
    cluster: NDArray[np.int64]
    sees: Floats
    features: Floats
    colours: Floats
    legend: str
    chosen: dict[str, int | None]
    notes: list[str]


@dataclass(frozen=True)
class Shaken:
    """An encoding before and after: see :class:`ogeaug.measure.shaking.Moved`."""

    name: str
    before: Floats
    after: Floats
    change: float


@dataclass(frozen=True)
class ToldApart:
    """Whether an encoding tells two graphs apart: see :class:`ogeaug.measure.Verdict`."""

    name: str
    apart: bool
    distance: float
    noise: float
    threshold: float
    reason: str


@dataclass(frozen=True)
class About:
    """What a model predicts.

    Attributes:
        title: The model in words.
        targets: Names that can be chosen.
        columns: That it adds to a table.
    """

    title: str
    targets: list[str]
    columns: list[str]


@dataclass(frozen=True)
class Target:
    """A prediction.

    Attributes:
        name, unit: Of the target (or the class).
        value: What is predicted.
        spread: The deviation over models; None with one.
        width: Half of the interval that holds nine in ten; None if it is not known.
    """

    name: str
    unit: str
    value: float
    spread: float | None
    width: float | None


@dataclass(frozen=True)
class Predicted:
    """What a model says about a molecule.

    Attributes:
        picture: The molecule, with the atoms that the model sees.
        targets: The predictions.
        shares: ``[n]`` what each atom adds to the chosen one; None if the model has no such.
        rest: What the atoms do not add.
        chosen: The place of the target that the shares are of.
        nearest: SMILES, similarity and target cells of training molecules.
        notes: What to know about it.
    """

    picture: Picture
    targets: list[Target]
    shares: Floats | None
    rest: float
    chosen: int
    nearest: list[tuple[str, float, list[str]]]
    notes: list[str]


@dataclass(frozen=True)
class Tabled:
    """A table that was dropped.

    Attributes:
        columns: Names.
        rows: Cells.
        molecules: The place of the molecule column.
    """

    columns: list[str]
    rows: list[list[str]]
    molecules: int
