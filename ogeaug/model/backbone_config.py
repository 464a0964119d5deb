"""The backbone of a configuration: its name, its options, and which of them it has a use for."""

from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from ogeaug.backbone_names import BackboneName, ConvName
from ogeaug.model.limits import Depth, Fraction, Width
from ogeaug.strict import Strict


class BackboneConfig(Strict):
    """The network between encoding and head.

    Attributes:
        name: A convolution (``gcn``, ``gin``, ``gine``, ``gat``, ``gatedgcn``), ``gps``
            (convolution, attention, MLP) or ``transformer`` (attention, MLP).
        layers: Depth.
        channels: Width.
        conv: Local convolution of ``gps``.
        heads: Attention heads of ``gat``, ``gps`` (absent: no attention) and ``transformer``.
        dropout: After each layer (branch).
        attention_dropout: Of the attention weights of ``gps`` and ``transformer``.
        residual: Whether layers add their input; always so in ``gps`` and ``transformer``.
        norm: ``batch``, ``layer`` or ``none``.
        gatedgcn: ``authors``: edges have the norm and dropout of nodes, and in ``gps`` the
            convolution has a norm, ReLU and dropout of its own; ``plain``: edges have a layer norm,
            and the rest is absent, as in models of earlier versions.
    """

    name: BackboneName = "gine"
    layers: Depth = 4
    channels: Width = 64
    conv: ConvName | None = None
    heads: Annotated[int, Field(ge=1, le=256)] | None = None
    dropout: Fraction = 0.0
    attention_dropout: Fraction = 0.0
    residual: bool = True
    norm: Literal["batch", "layer", "none"] = "batch"
    gatedgcn: Literal["authors", "plain"] = "authors"

    @model_validator(mode="before")
    @classmethod
    def _read_earlier(cls, values: Any) -> Any:
        """Files that we write hold every key: one that lacks the last is of an earlier version."""
        earlier = isinstance(values, dict) and set(cls.model_fields) - set(values) == {"gatedgcn"}
        if earlier and "gatedgcn" in (values["name"], values["conv"]):
            return {**values, "gatedgcn": "plain"}
        return values

    @model_validator(mode="after")
    def _check(self) -> Self:
        attends = self.name == "transformer" or (self.name == "gps" and self.heads is not None)
        for key, used in {
            "conv": self.name == "gps",
            "heads": self.name in ("gat", "gps", "transformer"),
            "attention_dropout": attends,
            "residual": self.name not in ("gps", "transformer"),
            "gatedgcn": "gatedgcn" in (self.name, self.conv),
        }.items():
            if key in self.model_fields_set and getattr(self, key) is not None and not used:
                default = type(self).model_fields[key].default
                if getattr(self, key) != default:
                    raise ValueError(f"backbone {self.name} does not use {key}; leave it out")
        if self.name == "gps" and self.conv is None:
            raise ValueError("backbone gps needs conv, for example gine")
        if self.name == "transformer" and self.heads is None:
            raise ValueError("backbone transformer needs heads")
        if self.heads is not None and self.channels % self.heads:
            raise ValueError(f"channels={self.channels} is not divisible by heads={self.heads}")
        return self
