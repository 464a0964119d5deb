"""What is computed with a model, in processes of its own."""

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
from torch_geometric.utils import to_networkx

from ogeaug.data.convert import make_converter
from ogeaug.data.drawing import draw_molecule
from ogeaug.data.molecule import parse_smiles
from ogeaug.data.molecule_edits import MoleculeEdit, find_edits
from ogeaug.data.similarity import Fingerprints
from ogeaug.errors import UserError
from ogeaug.explore.graphs import Graph, read_graph
from ogeaug.explore.jobs import draw
from ogeaug.explore.limits import MOST_NODES, check_letters, check_nodes
from ogeaug.explore.records import About, Picture, Predicted, Tabled, Target
from ogeaug.explore.state import Shown
from ogeaug.explore.uploads import read_upload
from ogeaug.inference.contributions import node_contributions
from ogeaug.inference.interval import held_out_widths
from ogeaug.inference.predict import predict_texts
from ogeaug.inference.training_set import read_training_set
from ogeaug.model.file import load_model
from ogeaug.tasks import make_task
from ogeaug.training.outputs import output_columns

NEAREST = 5


def table_jobs() -> dict[str, Any]:
    """Jobs that need no model."""
    return {"table": table, "drawing": drawing, "status": status, "edits": edits}


def table(contents: str) -> Tabled:
    """A table that was dropped."""
    found, place = read_upload(contents)
    return Tabled(found.columns, found.rows, place)


def drawing(smiles: str) -> str:
    """A small picture of a molecule."""
    mol = parse_smiles(smiles, max_atoms=MOST_NODES)
    check_nodes(mol.GetNumAtoms())
    return draw_molecule(mol, width=170, height=120, numbers=False).svg


def edits(text: str, node: int) -> list[MoleculeEdit]:
    """What a molecule can become by a small change at an atom."""
    check_letters(text)
    check_nodes(parse_smiles(text, max_atoms=MOST_NODES).GetNumAtoms())
    return find_edits(text, node)


def status(texts: list[str]) -> list[list[str]]:
    """``ok`` for each molecule, or why it is none."""
    return [[_reason(text)] for text in texts]


def _reason(text: str) -> str:
    try:
        check_nodes(parse_smiles(text, max_atoms=MOST_NODES).GetNumAtoms())
    except UserError as error:
        return str(error)
    return "ok"


class ModelJobs:
    """Jobs of a model or an ensemble, which is loaded once.

    Args:
        folder: That was named: it may hold predictions on a test part.
        models: Folders of the models.
    """

    def __init__(self, folder: Path, models: list[Path]) -> None:
        self.models = [load_model(path).eval() for path in models]
        config = self.models[0].config
        assert config is not None
        self.features, self.task = config.features, config.task
        self.widths = held_out_widths(folder, config.task)
        self.notes: list[str] = []
        self.training = self.prints = None
        try:
            self.training = read_training_set(models[0])
            self.prints = Fingerprints(self.training.smiles)
            if self.training.left_out:
                kept = len(self.training.smiles)
                self.notes.append(f"nearest molecules: of the first {kept:,} of the training part")
        except (UserError, OSError) as error:
            self.notes.append(f"no training molecules to show: {error}")

    def jobs(self) -> dict[str, Any]:
        """By name."""
        return {"about": self.about, "predict": self.predict, "predict_many": self.predict_many}

    def about(self) -> About:
        """What it predicts."""
        task, count = make_task(self.task), len(self.models)
        names = task.columns()
        title = f"{self.task.type}, {count} model{'s' if count > 1 else ''}"
        return About(title, names, output_columns(task, spread=count > 1))

    def predict_many(self, texts: list[str]) -> list[list[str]]:
        """Cells of predictions and a status, for each text."""
        values, notes = predict_texts(self.models, texts, max_atoms=MOST_NODES)
        cells = [["" if np.isnan(v) else f"{v:.6g}" for v in row] for row in values.tolist()]
        return [[*row, note] for row, note in zip(cells, notes, strict=True)]

    def predict(self, state: Shown) -> Predicted:
        """All about one molecule."""
        graph = read_graph(state.kind, state.text)
        text = self._text(graph)
        values, notes = predict_texts(self.models, [text], max_atoms=MOST_NODES)
        if notes[0] != "ok":
            raise UserError(notes[0])
        step = 2 if len(self.models) > 1 else 1
        numbers = values[0].tolist()
        names = make_task(self.task).columns()
        widths = self.widths if len(self.widths) == len(names) else [None] * len(names)
        targets = [
            Target(
                name,
                self.task.units.get(name, ""),
                numbers[step * i],
                numbers[step * i + 1] if step == 2 else None,
                widths[i],
            )
            for i, name in enumerate(names)
        ]
        chosen = min(state.target, len(targets) - 1)
        found = node_contributions(self.models, make_converter(self.features, MOST_NODES)(text))
        shares = None if found is None else found.nodes[:, chosen].numpy()
        rest = 0.0 if found is None else float(found.rest[chosen])
        picture = self._picture(graph)
        return Predicted(picture, targets, shares, rest, chosen, self._nearest(graph), self.notes)

    def _text(self, graph: Graph) -> str:
        """What the model reads."""
        if self.features.kind == "graph6":
            plain = to_networkx(graph.data, to_undirected=True, remove_self_loops=True)
            return nx.to_graph6_bytes(plain, header=False).decode().strip()
        if graph.smiles is None:
            raise UserError("the model takes molecules; type a SMILES, or choose a molecule")
        return graph.smiles

    def _picture(self, graph: Graph) -> Picture:
        plain = draw(graph)
        if graph.smiles is None or not self.features.hydrogens:
            return plain
        drawn = draw_molecule(graph.smiles, hydrogens=True)
        names = [str(i) for i in range(len(drawn.places))]
        size = drawn.width, drawn.height
        return Picture(names, drawn.places, plain.edges, drawn.svg, *size, graph.smiles)

    def _nearest(self, graph: Graph) -> list[tuple[str, float, list[str]]]:
        if self.prints is None or self.training is None or graph.smiles is None:
            return []
        found = self.prints.nearest(graph.smiles, NEAREST)
        training = self.training
        return [(training.smiles[i], alike, training.targets[i]) for i, alike in found]
