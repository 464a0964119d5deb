"""``pattern``: find the nodes of a planted pattern."""

from typing import TYPE_CHECKING

from ogeaug.data.sets.base import Draw, GeneratedSet

if TYPE_CHECKING:
    from torch_geometric.data import Data


class Pattern(GeneratedSet):
    """PATTERN; see :func:`ogeaug.data.sbm.generate_pattern`. All parts share their patterns."""

    name = "pattern"
    node_sizes = (3,)
    num_classes = 2
    ratio = 5

    def drawing(self, seed: int) -> Draw:
        from ogeaug.data.sbm import generate_pattern

        def draw(count: int, own_seed: int) -> "list[Data]":
            return generate_pattern(count, own_seed, pattern_seed=seed)

        return draw
