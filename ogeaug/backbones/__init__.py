"""Backbones: ``(x, edge_index, edge_attr, batch) -> [num_nodes, channels]``.

Each has ``channels`` (its width) and ``uses_edges`` (whether it takes edge features). One that has
``depth`` (its number of layers) also takes ``before``, called before each layer
(:mod:`ogeaug.backbones.injection`), and one that is ``gated`` a ``distance`` per edge
(:mod:`ogeaug.backbones.distance_gate`).
"""

from ogeaug.backbones.gps import GPS
from ogeaug.backbones.message_passing import MessagePassing

__all__ = ["GPS", "MessagePassing"]
