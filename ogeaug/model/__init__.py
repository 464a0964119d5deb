"""GraphModel: embed, encodings, backbone, head; its configuration and its folder."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.model.file import load_model as load_model
    from ogeaug.model.file import save_model as save_model
    from ogeaug.model.graph_model import GraphModel as GraphModel

__all__ = [
    "GraphModel",
    "load_model",
    "save_model",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "GraphModel": "graph_model",
        "load_model": "file",
        "save_model": "file",
    },
)
