"""Molecules and graphs -> PyG data; tables, splits, data sets. The door is :func:`load_data`."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.data.graphs import edges_to_data as edges_to_data
    from ogeaug.data.graphs import graph6_to_data as graph6_to_data
    from ogeaug.data.graphs import networkx_to_data as networkx_to_data
    from ogeaug.data.load import LoadedData as LoadedData
    from ogeaug.data.load import load_data as load_data
    from ogeaug.data.molecule import smiles_to_data as smiles_to_data
    from ogeaug.data.parts import Parts as Parts
    from ogeaug.data.sbm import generate_cluster as generate_cluster
    from ogeaug.data.sbm import generate_pattern as generate_pattern
    from ogeaug.data.splits import random_split as random_split
    from ogeaug.data.splits import scaffold_split as scaffold_split

__all__ = [
    "LoadedData",
    "Parts",
    "edges_to_data",
    "generate_cluster",
    "generate_pattern",
    "graph6_to_data",
    "load_data",
    "networkx_to_data",
    "random_split",
    "scaffold_split",
    "smiles_to_data",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "LoadedData": "load",
        "Parts": "parts",
        "edges_to_data": "graphs",
        "generate_cluster": "sbm",
        "generate_pattern": "sbm",
        "graph6_to_data": "graphs",
        "load_data": "load",
        "networkx_to_data": "graphs",
        "random_split": "splits",
        "scaffold_split": "splits",
        "smiles_to_data": "molecule",
    },
)
