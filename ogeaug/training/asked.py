"""What somebody asked for and would not get, apart from what a file happens to hold."""

from typing import TYPE_CHECKING, Any

from ogeaug.data.config import SplitConfig
from ogeaug.encodings import ENCODINGS
from ogeaug.errors import UserError

if TYPE_CHECKING:
    from ogeaug.training.config import Config

NOISE = ("training.noise", "training.permute")


def check_sizes_used(split: SplitConfig, file: dict[str, Any], asked: set[str]) -> None:
    """Refuses sizes beside folds or a column, which have their own.

    A file may hold the sizes that nobody asked for, since ours hold all values, and folds on the
    command line stand above sizes in the file.

    Args:
        split: What came of file and command line.
        file: The configuration as it stands in its file.
        asked: Keys of the command line.
    """
    if split.num_folds == 1 and split.type != "column":
        return
    there = file.get("split") or {}
    own = {"num_folds", "type", "column"} & set(there)
    beside = own and split.sizes != SplitConfig().sizes and "sizes" in there
    if "split.sizes" in asked or beside:
        other = f"{split.num_folds} folds" if split.num_folds > 1 else f"column {split.column!r}"
        raise UserError(
            f"split sizes {split.sizes} would be ignored: the parts are those of {other}; leave "
            "out the one or the other (--split-sizes, split.sizes)"
        )


def drop_unused_noise(config: "Config", file: dict[str, Any], asked: set[str]) -> "Config":
    """The configuration without noise on a Laplacian that no encoding looks at.

    Our configurations have noise for OGE-Aug. Whoever puts another encoding in its place has not
    asked for it; whoever names it on the command line, or beside the encoding in a file of their
    own, has: :func:`check_noise_used` refuses that. (A run writes all values into its file.)
    """
    mine = "encodings" in file and not set(file) >= set(type(config).model_fields)
    named = not any(key.startswith("encodings") for key in asked) and mine
    if _spectral(config) or named or not asked.isdisjoint(NOISE):
        return config
    quiet = config.training.model_copy(update={"noise": 0.0, "permute": False})
    return config.model_copy(update={"training": quiet})


def check_noise_used(config: "Config") -> None:
    """Refuses noise that would be ignored, since no encoding uses the eigenvectors."""
    t = config.training
    if (t.noise or t.permute) and not _spectral(config):
        names = ", ".join(encoding.name for encoding in config.encodings)
        whose = f"{names} does not use" if names else "a model without encodings has not"
        raise UserError(
            f"training.noise={t.noise:g} and training.permute={t.permute} are about eigenvectors, "
            f"which {whose}; set training.noise=0 and training.permute=false, or leave them out"
        )


def _spectral(config: "Config") -> bool:
    return any(ENCODINGS.spectral(encoding.name) for encoding in config.encodings)
