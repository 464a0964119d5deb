"""What somebody asked for and would not get, apart from what a file happens to hold."""

from typing import TYPE_CHECKING, Any

from ogeaug.data.config import SplitConfig
from ogeaug.encodings import ENCODINGS
from ogeaug.errors import UserError

if TYPE_CHECKING:
    from ogeaug.training.config import Config

NOISE = ("training.noise", "training.permute")
RANDOM = ("lap_pe",)
"""Encodings that are random in training, whatever the noise on the Laplacian."""


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
    if config.training.freeze:  # asked for by a file, it stands beside that file's noise
        named = "training.freeze" not in asked
    if _takes_noise(config) or named or not asked.isdisjoint(NOISE):
        return config
    quiet = config.training.model_copy(update={"noise": 0.0, "permute": False})
    return config.model_copy(update={"training": quiet})


def check_noise_used(config: "Config") -> None:
    """Refuses noise that would be ignored: no encoding uses the eigenvectors, or none learns."""
    t = config.training
    if (t.noise or t.permute) and not _takes_noise(config):
        if t.freeze:
            raise UserError(
                f"training.noise={t.noise:g} and training.permute={t.permute} would be ignored: "
                "frozen encodings are computed once, of the graphs as they are; leave out noise or "
                "training.freeze (--freeze-encodings)"
            )
        names = ", ".join(encoding.name for encoding in config.encodings)
        whose = f"{names} does not use" if names else "a model without encodings has not"
        raise UserError(
            f"training.noise={t.noise:g} and training.permute={t.permute} are about eigenvectors, "
            f"which {whose}; set training.noise=0 and training.permute=false, or leave them out"
        )


def check_kekule(config: "Config") -> None:
    """Refuses other Kekulé structures where features have none."""
    if config.training.kekule and config.features.kind != "zinc":
        raise UserError(
            f"training.kekule would change nothing: features {config.features.kind!r} have no "
            "kekulised bonds (aromatic ones are a kind of their own); only features.kind=zinc has "
            "them; leave it out"
        )


def check_kept(config: "Config") -> None:
    """Refuses to keep what is random, not there, or depends on what learns."""
    t = config.training
    if t.keep_statistics and t.start_from is None:
        raise UserError(
            "training.keep_statistics is about the batch norms of a trained model, and these would "
            "have seen nothing yet: name one by --start-from"
        )
    if not t.freeze:
        return
    asked = "training.freeze (--freeze-encodings)"
    if t.start_from is None:
        raise UserError(
            f"{asked} is for the encodings of a trained model, and these would be random: name one "
            "by --start-from"
        )
    if all(encoding.name == "none" for encoding in config.encodings):
        raise UserError(f"{asked}: there are no encodings to freeze; leave it out")
    for encoding in config.encodings:
        why = None
        if encoding.features:
            why = "sees the embedded node features, which go on learning"
        elif encoding.name in RANDOM:
            why = "draws signs anew in each step of training"
        if why:
            raise UserError(
                f"{asked}: encoding {encoding.name!r} {why}, so it cannot be computed once; leave "
                "it out"
            )


def _takes_noise(config: "Config") -> bool:
    if config.training.freeze:
        return False
    return any(ENCODINGS.spectral(encoding.name) for encoding in config.encodings)
