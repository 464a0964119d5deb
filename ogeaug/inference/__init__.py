"""Prediction and encoding of tables, here or on many machines."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.inference.contributions import node_contributions as node_contributions
    from ogeaug.inference.encode import encode_table as encode_table
    from ogeaug.inference.interval import held_out_widths as held_out_widths
    from ogeaug.inference.predict import predict_table as predict_table
    from ogeaug.inference.scale_out import map_in_order as map_in_order
    from ogeaug.inference.training_set import read_training_set as read_training_set

__all__ = [
    "encode_table",
    "held_out_widths",
    "map_in_order",
    "node_contributions",
    "predict_table",
    "read_training_set",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "encode_table": "encode",
        "held_out_widths": "interval",
        "map_in_order": "scale_out",
        "node_contributions": "contributions",
        "predict_table": "predict",
        "read_training_set": "training_set",
    },
)
