"""Reads BREC: the published file with its relabelled copies, or files of pairs. Loads no torch."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from ogeaug.errors import UserError
from ogeaug.measure.brec.parts import ALL, in_order, parts_of
from ogeaug.measure.pairs import HEADER, open_text, parse_graph6

COPIES = 32
"""Relabelled copies of each of two graphs that are compared, and again for the reliability."""
WHOLE = ALL * 4 * COPIES
"""Graphs in ``brec_v3.npy``: the copies of all pairs, then those for the reliability."""
ENDINGS = (".npy", ".g6", ".g6.gz")
MOST_DIGITS = 200_000
"""Of a graph6 text: a graph of 1,500 nodes."""


@dataclass(frozen=True, eq=False)
class Sample:
    """A pair of BREC.

    Attributes:
        name: Its file and number.
        part: One of :data:`ogeaug.measure.brec.parts.PARTS`, or the file's name.
        texts: The two graphs, as graph6.
        copies: The published relabelled copies, one and the other graph in turn; else empty.
        reliability: As many of one of the graphs; else empty.
    """

    name: str
    part: str
    texts: tuple[str, str]
    copies: tuple[str, ...] = ()
    reliability: tuple[str, ...] = ()

    def graphs(self) -> tuple[nx.Graph, nx.Graph]:
        left, right = (parse_graph6(text, self.name) for text in self.texts)
        return left, right


def read_brec(path: str | Path) -> list[Sample]:
    """All pairs of a file, or of a folder with files of BREC.

    Files are ``brec_v3.npy`` as published (51,200 graphs), or pairs as ``.npy`` (texts, flat or in
    two columns) or ``.g6`` (a graph per line, ``.gz`` too), with the part in their name: basic,
    regular, str, extension, cfi, 4vtx, dr. A pickle inside an array is not run.

    Raises:
        UserError: No such files, two of a part, an odd number of graphs, something else than
            graphs, or a pair of graphs of different sizes.
    """
    path = Path(path)
    files = [path] if path.is_file() else _find(path)
    samples: list[Sample] = []
    origin: dict[str, Path] = {}
    for file in files:
        found = _read(file)
        for part in dict.fromkeys(sample.part for sample in found):
            if part in origin:
                raise UserError(
                    f"{origin[part].name} and {file.name} both hold the part {part!r} of BREC; "
                    "leave one of them out, or no count would be right"
                )
            origin[part] = file
        samples += found
    for sample in samples:
        left, right = map(len, sample.graphs())
        if left != right:
            raise UserError(
                f"{sample.name}: graphs of {left} and {right} nodes; the two of a pair have equal "
                "sizes in BREC. Is a line missing before it?"
            )
    return sorted(samples, key=lambda sample: in_order(sample.part))


def _find(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise UserError(f"there is no file or folder {folder}")
    for place in (folder, folder / "raw", folder / "Data" / "raw"):
        if (place / "brec_v3.npy").is_file():
            return [place / "brec_v3.npy"]
        files = [f for f in sorted(place.glob("*")) if f.name.endswith(ENDINGS) and f.is_file()]
        if files:
            return files
    raise UserError(
        f"{folder} has no file of BREC: neither brec_v3.npy nor files that end in "
        f"{', '.join(ENDINGS)}"
    )


def _read(path: Path) -> list[Sample]:
    if not path.name.endswith(ENDINGS):
        raise UserError(f"{path} is no file of BREC: they end in {', '.join(ENDINGS)}")
    texts = _npy(path) if path.suffix == ".npy" else _lines(path)
    stem = path.name.split(".")[0]
    if not texts:
        raise UserError(f"{path}: no graphs")
    if len(texts) == WHOLE:
        return _published(stem, texts)
    if stem.startswith("brec_v3") and len(texts) != 2 * ALL:
        raise UserError(
            f"{path}: {len(texts):,} graphs; the published brec_v3.npy has {WHOLE:,}. Parts of it "
            "are given as files of pairs: basic.npy, regular.npy, str.npy, ..."
        )
    if len(texts) % 2:
        raise UserError(
            f"{path}: {len(texts)} graphs, an odd number; two graphs that follow each other are a "
            "pair. Is one missing?"
        )
    parts = parts_of(stem, len(texts) // 2)
    return [
        Sample(f"{stem} {k}", part, (texts[2 * k], texts[2 * k + 1]))
        for k, part in enumerate(parts)
    ]


def _published(stem: str, texts: list[str]) -> list[Sample]:
    step, samples = 2 * COPIES, []
    for k, part in enumerate(parts_of(stem, ALL)):
        copies = tuple(texts[k * step : (k + 1) * step])
        again = tuple(texts[(ALL + k) * step : (ALL + k + 1) * step])
        samples.append(Sample(f"{stem} {k}", part, (copies[0], copies[1]), copies, again))
    return samples


def _lines(path: Path) -> list[str]:
    try:
        with open_text(path) as file:
            texts = [line.strip().removeprefix(HEADER) for line in file]
    except (UnicodeDecodeError, OSError, EOFError) as error:
        raise UserError(f"{path} holds no graph6 texts ({error})") from error
    return [text for text in texts if text]


def _npy(path: Path) -> list[str]:
    array = _load_array(path)
    if array.dtype.kind not in "SUO" or array.ndim > 2 or (array.ndim == 2 and array.shape[1] != 2):
        raise UserError(
            f"{path}: an array of {array.dtype} and shape {array.shape}; BREC has graph6 texts, "
            "in one or two columns"
        )
    return [_text(value, path) for value in array.flatten().tolist()]


def _load_array(path: Path) -> NDArray[Any]:
    """An array of texts; one of Python objects through the reader that runs nothing."""
    from numpy.lib import format as npy

    try:
        with path.open("rb") as file:
            version = npy.read_magic(file)
            read = npy.read_array_header_1_0 if version == (1, 0) else npy.read_array_header_2_0
            shape, _, dtype = read(file)
            if not dtype.hasobject:
                if math.prod(shape) * dtype.itemsize > path.stat().st_size - file.tell():
                    raise ValueError("it is cut off")
                return np.load(path, allow_pickle=False)
            from ogeaug.files.pickled import load_pickle  # loads torch

            found = load_pickle(file, str(path))
    except ValueError as error:
        raise UserError(f"{path} is no array of graphs ({error})") from error
    if not isinstance(found, np.ndarray):
        raise UserError(f"{path} holds {type(found).__name__}, not an array of graphs")
    return found


def _text(value: object, path: Path) -> str:
    if isinstance(value, bytes):
        value = value.decode("latin-1")
    if not isinstance(value, str) or len(value) > MOST_DIGITS:
        raise UserError(f"{path}: {str(value)[:40]!r} is no graph6 text")
    return value.strip().removeprefix(HEADER)
