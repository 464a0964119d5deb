"""Docstrings have the roles of reStructuredText; the site is Markdown. Used by mkdocs.yml."""

import re
from typing import Any

import griffe

ROLE = re.compile(r":(?:class|func|meth|mod|data|attr|exc):`~?([^`]+)`")
FORMULA = re.compile(r"^( *)\.\. math::(.*(?:\n(?:\1 +\S.*|(?= *\n)))*)", re.MULTILINE)


def as_markdown(text: str) -> str:
    """Names and formulas as code: no script is needed to show them.

    Example:
        >>> as_markdown("see :func:`ogeaug.measure.cost`, :math:`O(n)`")
        'see `ogeaug.measure.cost`, `O(n)`'
    """

    def block(match: re.Match[str]) -> str:
        indent = match[1]
        lines = [line.strip() for line in match[2].strip().splitlines()]
        inside = "\n".join(f"{indent}{line}".rstrip() for line in lines)
        return f"{indent}```latex\n{inside}\n{indent}```"

    text = FORMULA.sub(block, text)
    text = re.sub(r":math:`([^`]+)`", r"`\1`", text)
    return ROLE.sub(r"`\1`", text)


class AsMarkdown(griffe.Extension):
    """Converts each docstring as it is read."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
