"""Prediction and encoding of tables, here or on many machines."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.inference.encode import encode_table as encode_table
    from ogeaug.inference.predict import predict_table as predict_table
    from ogeaug.inference.scale_out import map_in_order as map_in_order

__all__ = [
    "encode_table",
    "map_in_order",
    "predict_table",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "encode_table": "encode",
        "map_in_order": "scale_out",
        "predict_table": "predict",
    },
)
