"""Which runs a comparison of encodings makes: one configuration for each entry."""

from collections.abc import Mapping
from typing import Any, Literal

from pydantic import ValidationError

from ogeaug.compare.early import check_one_encoding
from ogeaug.compare.entries import Entry, read_entries
from ogeaug.compare.rules import Rules, trains_with_noise
from ogeaug.compare.width import count_parameters, match_widths
from ogeaug.encodings import (
    check_options,
    encoding_options,
    needs_features,
)
from ogeaug.errors import UserError
from ogeaug.model.config import EncodingConfig
from ogeaug.presets import AUTHORS
from ogeaug.strict import explain
from ogeaug.training.config import Config

SHARED = ("hidden_channels", "num_layers", "k", "normalization", "directed")
"""Options that encodings without a preset take over from the configuration's own."""


def plan_configs(
    config: Config,
    encodings: list[str],
    options: Mapping[str, Mapping[str, Any]] | None = None,
    rules: Rules | None = None,
) -> dict[str, Config]:
    """One configuration for each entry.

    The configuration's own encoding is as it is there. With ``rules.preset`` ``authors``, others
    are as their authors have them (:mod:`ogeaug.presets`), so without a batch norm after them
    unless ``rules.standardize`` says so. The width of the backbone is then chosen so that all
    models have as many parameters, to 2 %: ``rules.parameters``, or as many as the largest has in
    the configuration's own backbone, so that nobody's is narrower. With ``equal-width``, others
    take over its width, depth and ``k`` as far as they have such options, and the backbone is the
    same.

    Args:
        config: The experiment, features and targets filled in.
        encodings: To compare; see :func:`ogeaug.compare.entries.read_entries`.
        options: Further options by label.
        rules: See there.

    Raises:
        UserError: An encoding cannot serve the configuration, or no width meets the budget.
    """
    check_one_encoding(config)
    rules = rules or Rules()
    found = {}
    for label, entry in read_entries(encodings, options).items():
        try:
            planned = _with_noise(_replace(config, entry, rules), entry.name, rules)
            count_parameters(planned)  # that is, build it
        except UserError as error:
            raise UserError(f"{label} cannot serve this configuration: {error}") from error
        found[label] = planned
    if rules.preset == "authors":
        largest = max(count_parameters(planned) for planned in found.values())
        found = match_widths(found, rules.parameters or largest)
    return found


def _replace(config: Config, entry: Entry, rules: Rules) -> Config:
    name, own = entry.name, entry.options
    if name == "none":
        if own:
            raise UserError(f"it has no options, got {', '.join(own)}")
        return config.model_copy(update={"encodings": []})
    check_options(name, own, besides=EncodingConfig.model_fields)
    taken = _inherited(config.encodings[0], entry, encoding_options(name), rules) | own
    if rules.standardize is not None:
        if "standardize" in own:
            raise UserError("standardize is given twice, for all and for this one; leave one out")
        taken["standardize"] = rules.standardize == "all"
    try:
        encoding = EncodingConfig(name=name, **taken)
    except ValidationError as error:
        raise UserError(f"options of {name}: {explain(error)}") from error
    return config.model_copy(update={"encodings": [encoding]})


def _inherited(
    first: EncodingConfig, entry: Entry, known: tuple[str, ...], rules: Rules
) -> dict[str, Any]:
    """What an entry has from the configuration's own encoding, or from its authors.

    Authors have no batch norm after their encodings, but what their presets say, so it is not
    handed on to them.
    """
    name = entry.name
    features = {"features": _features(first, name, known)}
    if "preset" in entry.options:
        return features
    if name != first.name and rules.preset == "authors" and name in AUTHORS:
        return {"preset": "authors"} | features
    common = {key: getattr(first, key) for key in ("out_channels", "inject", "standardize")}
    if name == first.name:
        return common | features | first.options
    # No depth is handed on by roots alone, which have num_layers: 0.
    shared = {
        key: v for key, v in first.options.items() if key in SHARED and key in known and v != 0
    }
    return common | features | shared


def _features(first: EncodingConfig, name: str, known: tuple[str, ...]) -> bool | Literal["all"]:
    """As the configuration's own encoding has it, as far as another one can."""
    if first.features == "all" and "edge_channels" in known:
        return "all"
    return needs_features(name) or (bool(first.features) and "in_channels" in known)


def _with_noise(config: Config, name: str, rules: Rules) -> Config:
    if trains_with_noise(name, rules):
        return config
    quiet = config.training.model_copy(update={"noise": 0.0, "permute": False})
    return config.model_copy(update={"training": quiet})
