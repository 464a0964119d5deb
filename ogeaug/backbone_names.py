"""What is known of backbones by name, apart from the backbones themselves, which need torch."""

from typing import Literal, get_args

ConvName = Literal["gcn", "gin", "gine", "gat", "gatedgcn"]
BackboneName = Literal[ConvName, "gps", "transformer"]
CONVS: tuple[ConvName, ...] = get_args(ConvName)
"""The convolutions, each a backbone by itself and a part of ``gps``."""
WITH_EDGES: tuple[ConvName, ...] = ("gine", "gat", "gatedgcn")
"""Those that take edge features."""
WITH_GATES: tuple[ConvName, ...] = ("gin", "gine", "gatedgcn")
"""Those whose messages can be gated by distances."""
EDGE_BACKBONES = f"{', '.join(WITH_EDGES)}, or gps with one of them"
GATED_BACKBONES = f"{', '.join(WITH_GATES)}, or gps with one of them"
