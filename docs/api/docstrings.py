"""Docstrings have the roles of reStructuredText; the site is Markdown. Used by mkdocs.yml."""

import re
from typing import Any

import griffe
from latex2mathml.converter import convert

ROLE = re.compile(r":(?:class|func|meth|mod|data|attr|exc):`~?([^`]+)`")
FORMULA = re.compile(r"^( *)\.\. math::(.*(?:\n(?:\1 +\S.*|(?= *\n)))*)", re.MULTILINE)


def as_markdown(text: str) -> str:
    """Names as code, formulas as MathML, which browsers draw without a script.

    Example:
        >>> as_markdown("see :func:`ogeaug.measure.cost`")
        'see `ogeaug.measure.cost`'
    """

    def block(match: re.Match[str]) -> str:
        return f"{match[1]}<div>{_formula(match[2], 'block')}</div>\n"

    text = re.sub(r"^( *)Example:$", r"\1Examples:", text, flags=re.MULTILINE)  # shown as code
    text = FORMULA.sub(block, text)
    text = re.sub(r":math:`([^`]+)`", _inline, text)
    return ROLE.sub(r"`\1`", text)


def _inline(match: re.Match[str]) -> str:
    """In a span: Markdown takes a line that begins with a formula for a paragraph of its own."""
    return f"<span>{_formula(match[1], 'inline')}</span>"


def _formula(text: str, display: str) -> str:
    return convert(" ".join(text.split()), display=display)


class AsMarkdown(griffe.Extension):
    """Converts each docstring as it is read."""

    def on_instance(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring:
            obj.docstring.value = as_markdown(obj.docstring.value)
