"""A cell of a molecule column, or its molecule, -> a graph: the same to train and to predict."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from torch_geometric.data import Data

from ogeaug.data.graphs import graph6_to_data
from ogeaug.data.limits import check_atoms
from ogeaug.data.molecule import FEATURES, molecule_to_data, parse_smiles
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig

if TYPE_CHECKING:
    from rdkit import Chem


def make_converter(features: FeaturesConfig, max_atoms: int) -> Callable[[str], Data]:
    """The function that turns a cell of the molecule column into a graph, or refuses it.

    Example:
        >>> make_converter(FeaturesConfig(), 10)("CCO")
        Data(x=[3, 9], edge_index=[2, 4], edge_attr=[4, 3])
    """
    if features.kind == "own":
        raise UserError("this model was trained on PyG data, not on SMILES; call it from Python")
    if features.kind == "graph6":
        return lambda text: convert_graph6(text, max_atoms)
    return lambda text: convert_molecule(
        parse_smiles(text, max_atoms=max_atoms), features, max_atoms
    )


def convert_molecule(mol: "Chem.Mol", features: FeaturesConfig, max_atoms: int) -> Data:
    """The graph of a molecule, with the features that are asked for."""
    return molecule_to_data(
        mol,
        features=features.kind,
        hydrogens=features.hydrogens,
        ignore_stereo=features.ignore_stereo,
        max_atoms=max_atoms,
    )


def convert_graph6(text: str, max_atoms: int) -> Data:
    """The graph of a graph6 string."""
    data = graph6_to_data(text, max_nodes=max_atoms)
    check_atoms(data.num_nodes or 0, max_atoms)
    return data


def with_sizes(features: FeaturesConfig) -> FeaturesConfig:
    """Fills in how many categories each feature has."""
    if features.kind not in FEATURES:
        return features
    known = FEATURES[features.kind]
    return features.model_copy(
        update={"node_sizes": list(known.node_sizes), "edge_sizes": list(known.edge_sizes)}
    )
