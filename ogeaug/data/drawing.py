"""Drawings of molecules, with the atom numbers that models see."""

from dataclasses import dataclass
from typing import Any

from rdkit import Chem
from rdkit.Chem.Draw import rdMolDraw2D

from ogeaug.data.molecule import parse_smiles


@dataclass(frozen=True)
class Drawing:
    """A molecule as SVG.

    Attributes:
        svg: The picture, without a background.
        places: x and y of each atom in the picture, from its upper left corner.
        width, height: Of the picture.
    """

    svg: str
    places: list[tuple[float, float]]
    width: int
    height: int


def draw_molecule(
    molecule: str | Chem.Mol,
    *,
    width: int = 480,
    height: int = 360,
    numbers: bool = True,
    hydrogens: bool = False,
) -> Drawing:
    """Draws a molecule; atom i of the graph is at ``places[i]``.

    Args:
        molecule: SMILES, or a molecule that was parsed before; it stays as it is.
        width, height: Of the picture.
        numbers: Whether to write the number of each atom beside it.
        hydrogens: Whether hydrogens are atoms, as in ``smiles_to_data(..., hydrogens=True)``.

    Example:
        >>> drawing = draw_molecule("CCO")
        >>> len(drawing.places), drawing.svg.endswith("</svg>")
        (3, True)
    """
    mol = parse_smiles(molecule) if isinstance(molecule, str) else molecule
    mol = Chem.AddHs(mol) if hydrogens else mol
    # RDKit would add hydrogens at stereo centres, as atoms with numbers of their own.
    drawn = rdMolDraw2D.PrepareMolForDrawing(mol, addChiralHs=False)
    canvas = rdMolDraw2D.MolDraw2DSVG(width, height)
    options: Any = canvas.drawOptions()
    options.clearBackground = False
    options.prepareMolsBeforeDrawing = False
    options.addAtomIndices = numbers
    options.padding = 0.08
    canvas.DrawMolecule(drawn)
    canvas.FinishDrawing()
    points = [canvas.GetDrawCoords(i) for i in range(mol.GetNumAtoms())]
    svg = canvas.GetDrawingText()
    places = [(float(point.x), float(point.y)) for point in points]
    return Drawing(svg[svg.index("<svg") :].strip(), places, width, height)
