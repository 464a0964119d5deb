"""Where Algorithm 1 of the paper can be read in more than one way, and which way is taken."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

EXACT, SMOOTH = 1e-24, 1e-2


@dataclass(frozen=True)
class Reading:
    r"""How the listing is read. The defaults are ours, and ``"printed"`` is the opposite of each.

    Attributes:
        eigvals: W1 starts as :math:`v_k e(\lambda_k)`, as the paper's "Other details" have it. The
            listing has :math:`v_k q_1`: its eigenvalues act through :math:`\rho` alone.
        smooth: Normalize divides by :math:`\sqrt{|w|^2 + 0.01}`, which is smooth at zero. The
            listing does not say; its name is that of a division by :math:`|w|`, which turns
            rounding errors into unit vectors where tensors vanish.
        in_order: Step 6 of the product layer reads the W1 that step 5 has just written, as a
            program would that runs the listing line by line. Else all steps read the values before
            the layer.
        project: A linear map of W0 to ``out_channels`` is the output. In the listing it is W0.

    Example:
        >>> read_reading("printed")
        Reading(eigvals=False, smooth=False, in_order=True, project=False)
        >>> read_reading({"in_order": True})
        Reading(eigvals=True, smooth=True, in_order=True, project=True)
    """

    eigvals: bool = True
    smooth: bool = True
    in_order: bool = False
    project: bool = True

    @property
    def eps(self) -> float:
        """What is added under the root of Normalize."""
        return SMOOTH if self.smooth else EXACT


READINGS = {"ours": Reading(), "printed": Reading(False, False, True, False)}
"""Readings by name, for configuration files."""


def read_reading(reading: "str | Reading | Mapping[str, Any]") -> Reading:
    """A reading from its name, or from what differs from ours."""
    if isinstance(reading, Reading):
        return reading
    if isinstance(reading, str):
        if reading not in READINGS:
            raise ValueError(
                f"unknown reading {reading!r}; choose from {', '.join(READINGS)}, or name what "
                f"differs from ours, like {{'in_order': True}}"
            )
        return READINGS[reading]
    if not isinstance(reading, Mapping):
        raise TypeError(
            f"reading must be one of {', '.join(READINGS)}, or a mapping of what differs from "
            f"ours, like {{'in_order': True}}; got {reading!r}"
        )
    names = [field.name for field in fields(Reading)]
    for name, value in reading.items():
        if name not in names or not isinstance(value, bool):
            raise ValueError(
                f"a reading has true or false for {', '.join(names)}; got {name}={value!r}"
            )
    return Reading(**reading)


def check_projection(
    reading: Reading, out_channels: int, hidden_channels: int, readout: str
) -> None:
    """Refuses what does not fit a reading without an output map."""
    if reading.project:
        return
    if hidden_channels != out_channels:
        raise ValueError(
            f"without an output map W0 is the output: hidden_channels={hidden_channels} must "
            f"be out_channels={out_channels}; or read with project=True"
        )
    if readout != "last":
        raise ValueError(f"readout={readout!r} needs an output map: read with project=True")


def check_printed(reading: object, order: int, transposes: bool, message_norm: str | None) -> None:
    """Refuses what the printed listing does not have."""
    if reading == "printed" and (message_norm is not None or transposes or order > 2):
        raise ValueError(
            "reading='printed' is the listing as it stands: tensors up to order 2, no transposes, "
            "messages as sums; leave out message_norm, transposes, orders above 2"
        )
