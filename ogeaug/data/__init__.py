"""Molecules and graphs -> PyG data; tables, splits, data sets."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.data.graphs import edges_to_data as edges_to_data
    from ogeaug.data.graphs import graph6_to_data as graph6_to_data
    from ogeaug.data.graphs import networkx_to_data as networkx_to_data
    from ogeaug.data.molecule import smiles_to_data as smiles_to_data
    from ogeaug.data.sbm import generate_cluster as generate_cluster
    from ogeaug.data.sbm import generate_pattern as generate_pattern
    from ogeaug.data.splits import random_split as random_split
    from ogeaug.data.splits import scaffold_split as scaffold_split

__all__ = [
    "edges_to_data",
    "generate_cluster",
    "generate_pattern",
    "graph6_to_data",
    "networkx_to_data",
    "random_split",
    "scaffold_split",
    "smiles_to_data",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "edges_to_data": "graphs",
        "generate_cluster": "sbm",
        "generate_pattern": "sbm",
        "graph6_to_data": "graphs",
        "networkx_to_data": "graphs",
        "random_split": "splits",
        "scaffold_split": "splits",
        "smiles_to_data": "molecule",
    },
)
