"""YAML text of configurations, read with bounds: a few aliases can expand without end."""

import re
from typing import Any

import yaml

from ogeaug.errors import UserError

MOST_CHARACTERS = 2**20
MOST_VALUES = 100_000
"""In a configuration, with all aliases written out. The largest of ours has a hundred."""


class _Loader(yaml.SafeLoader):
    """YAML 1.1 reads 1e-3 as text; we read it as a number."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"^[-+]?\d+(\.\d*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def load_yaml(text: str, source: str) -> Any:
    """The values of a YAML text.

    Example:
        >>> load_yaml("{lr: 1e-2, units: &u {y: eV}, more: *u}", "my.yaml")
        {'lr': 0.01, 'units': {'y': 'eV'}, 'more': {'y': 'eV'}}
        >>> load_yaml("&a [*a]", "my.yaml")
        Traceback (most recent call last):
        ogeaug.errors.UserError: my.yaml is no configuration: an alias stands inside itself
    """
    if len(text) > MOST_CHARACTERS:
        raise UserError(
            f"{source} is no configuration: it has {len(text):,} characters, at most "
            f"{MOST_CHARACTERS:,} are expected"
        )
    try:
        loader = _Loader(text)
        node = loader.get_single_node()
        if node is None:
            return None
        if _count(node, {}, source) > MOST_VALUES:
            raise UserError(
                f"{source} is no configuration: with its aliases written out it has more than "
                f"{MOST_VALUES:,} values"
            )
        return loader.construct_document(node)
    except yaml.YAMLError as error:
        raise UserError(f"{source} is no valid YAML: {error}") from error
    except RecursionError as error:
        raise UserError(f"{source} is no configuration: too many levels") from error
    except UserError:
        raise
    except ValueError as error:  # of a date like 2024-13-45, or a number of 5,000 digits
        raise UserError(f"{source} is no valid YAML: {error}") from error


def dump_yaml(tree: dict[str, Any]) -> str:
    """Plain values as YAML, in order."""
    return yaml.safe_dump(tree, sort_keys=False, allow_unicode=True)


def _count(node: yaml.Node, known: dict[int, int], source: str) -> int:
    """Values of a node, aliases as often as they are used; each node is visited once."""
    if id(node) in known:
        if not known[id(node)]:
            raise UserError(f"{source} is no configuration: an alias stands inside itself")
        return known[id(node)]
    known[id(node)] = 0  # until all inside is counted
    inside: list[yaml.Node] = []
    if isinstance(node, yaml.SequenceNode):
        inside = node.value
    elif isinstance(node, yaml.MappingNode):
        _check_keys(node, source)
        inside = [item for pair in node.value for item in pair]
    known[id(node)] = 1 + sum(_count(item, known, source) for item in inside)
    return known[id(node)]


def _check_keys(node: yaml.MappingNode, source: str) -> None:
    """Refuses a key that stands twice: PyYAML would take the last one without a word."""
    lines: dict[tuple[str, str], int] = {}
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        name, line = (key.tag, key.value), key.start_mark.line + 1
        if name in lines:
            raise UserError(
                f"{source} is no configuration: the key {key.value[:60]!r} stands twice, in line "
                f"{lines[name]} and in line {line}; leave one out"
            )
        lines[name] = line
