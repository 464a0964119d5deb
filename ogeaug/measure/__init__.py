"""Stability and expressivity: functions that return numbers."""

from typing import TYPE_CHECKING

from ogeaug.lazy import lazy_names

if TYPE_CHECKING:
    from ogeaug.measure.bound import Bound as Bound
    from ogeaug.measure.bound import stability_bound as stability_bound
    from ogeaug.measure.complexity import Cost as Cost
    from ogeaug.measure.complexity import cost as cost
    from ogeaug.measure.continuity import crossing_error as crossing_error
    from ogeaug.measure.edits import Edit as Edit
    from ogeaug.measure.edits import all_edits as all_edits
    from ogeaug.measure.edits import edit_changes as edit_changes
    from ogeaug.measure.expressivity import Verdict as Verdict
    from ogeaug.measure.expressivity import distinguishes as distinguishes
    from ogeaug.measure.families.catalogue import strongly_regular_pairs as strongly_regular_pairs
    from ogeaug.measure.families.strongly_regular import rook as rook
    from ogeaug.measure.families.strongly_regular import shrikhande as shrikhande
    from ogeaug.measure.invariance import basis_error as basis_error
    from ogeaug.measure.invariance import permutation_error as permutation_error
    from ogeaug.measure.invariance import sign_error as sign_error
    from ogeaug.measure.look import Sight as Sight
    from ogeaug.measure.look import look_at as look_at
    from ogeaug.measure.loop import loop_path as loop_path
    from ogeaug.measure.pairs import Pair as Pair
    from ogeaug.measure.pairs import read_pairs as read_pairs
    from ogeaug.measure.picture import draw_encoding as draw_encoding
    from ogeaug.measure.properties import measure_properties as measure_properties
    from ogeaug.measure.resolution import distance_to_others as distance_to_others
    from ogeaug.measure.scoring import score as score
    from ogeaug.measure.shaking import Moved as Moved
    from ogeaug.measure.shaking import Shake as Shake
    from ogeaug.measure.shaking import shake as shake
    from ogeaug.measure.stability import Curve as Curve
    from ogeaug.measure.stability import stability_curve as stability_curve
    from ogeaug.measure.steadiness import Steadiness as Steadiness
    from ogeaug.measure.steadiness import measure_steadiness as measure_steadiness

__all__ = [
    "Bound",
    "Cost",
    "Curve",
    "Edit",
    "Moved",
    "Pair",
    "Shake",
    "Sight",
    "Steadiness",
    "Verdict",
    "all_edits",
    "basis_error",
    "cost",
    "crossing_error",
    "distance_to_others",
    "distinguishes",
    "draw_encoding",
    "edit_changes",
    "look_at",
    "loop_path",
    "measure_properties",
    "measure_steadiness",
    "permutation_error",
    "read_pairs",
    "rook",
    "score",
    "shake",
    "shrikhande",
    "sign_error",
    "stability_bound",
    "stability_curve",
    "strongly_regular_pairs",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "rook": "families.strongly_regular",
        "shrikhande": "families.strongly_regular",
        "strongly_regular_pairs": "families.catalogue",
        "Bound": "bound",
        "Cost": "complexity",
        "Curve": "stability",
        "Edit": "edits",
        "Moved": "shaking",
        "Pair": "pairs",
        "Shake": "shaking",
        "Sight": "look",
        "Steadiness": "steadiness",
        "Verdict": "expressivity",
        "all_edits": "edits",
        "basis_error": "invariance",
        "cost": "complexity",
        "crossing_error": "continuity",
        "distance_to_others": "resolution",
        "distinguishes": "expressivity",
        "draw_encoding": "picture",
        "edit_changes": "edits",
        "look_at": "look",
        "loop_path": "loop",
        "measure_properties": "properties",
        "measure_steadiness": "steadiness",
        "permutation_error": "invariance",
        "read_pairs": "pairs",
        "score": "scoring",
        "shake": "shaking",
        "sign_error": "invariance",
        "stability_bound": "bound",
        "stability_curve": "stability",
    },
)
