"""Backbones: ``(x, edge_index, edge_attr, batch) -> [num_nodes, channels]``.

Each has ``channels`` (its width) and ``uses_edges`` (whether it takes edge features).
"""

from ogeaug.backbones.gps import GPS
from ogeaug.backbones.message_passing import MessagePassing

__all__ = ["GPS", "MessagePassing"]
