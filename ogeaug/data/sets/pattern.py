"""``pattern``: find the nodes of a planted pattern."""

from typing import TYPE_CHECKING

from ogeaug.data.sets.files import Layout
from ogeaug.data.sets.graph_set import Draw, DrawnSet

if TYPE_CHECKING:
    from torch_geometric.data import Data


class Pattern(DrawnSet):
    """PATTERN, from its file; else see :func:`ogeaug.data.sbm.generate_pattern`: all parts share
    their patterns."""

    name = "pattern"
    node_sizes = (3,)
    num_classes = 2
    ratio = 5
    layouts = (Layout(("PATTERN_v2.pt",), ("raw", "PATTERN/raw", "PATTERN")),)

    def drawing(self, seed: int) -> Draw:
        from ogeaug.data.sbm import generate_pattern

        def draw(count: int, own_seed: int) -> "list[Data]":
            return generate_pattern(count, own_seed, pattern_seed=seed)

        return draw
