"""Sums over a tree of marked points, in which symmetric branches are visited once."""

from dataclasses import dataclass, field
from typing import Protocol

import torch
from torch import Tensor

REST = 0.1
"""Added to the sum of the weights, which may be 0."""
KEPT = 8
"""Visited branches of equal features that a new one is compared with."""


class SearchTooLarge(RuntimeError):
    """A search that would visit more branches than allowed."""


@dataclass(frozen=True, eq=False)
class Branch:
    """What is known of a branch when it is visited.

    Attributes:
        value: Its own term ``[n, c]``.
        weight: ``[n]`` of the points to mark next.
        key: Equal for branches of equal features.
    """

    value: Tensor
    weight: Tensor
    key: int


class Steps(Protocol):
    """What a tree needs of a cloud of points."""

    def visit(self, marks: tuple[int, ...]) -> Branch:
        """The features for given marks."""
        ...

    def keep(self) -> int:
        """Keeps the last branch that was visited, to be compared with others; its number."""
        ...

    def match(self, numbers: list[int]) -> tuple[int, Tensor] | None:
        """The first of these kept branches that is the last visited one but for a renumbering of
        the points that keeps all inner products, and that renumbering: point i is ``perm[i]``."""
        ...


@dataclass(frozen=True, eq=False)
class Symmetry:
    """A renumbering that keeps all inner products and maps a visited branch to the present one.

    Attributes:
        perm: Point i goes to ``perm[i]``; the marks above ``level`` stay in place.
        inverse: The way back, ``[n]``.
        level: The first mark in which the two branches differ.
        source: The visited branch's mark there.
    """

    perm: list[int]
    inverse: Tensor
    level: int
    source: int


@dataclass
class Tree:
    r"""The sum over all branches, depth first.

    .. math:: F(m) = y(m) + \sum_u w_u F(m, u) \, / \, (\sum_u w_u + \tfrac{1}{10})

    with the term y and the weights w of the branch m. A renumbering :math:`\sigma` that keeps the
    Gram matrix and takes the marks m to m' gives :math:`F(m')_{\sigma(i)} = F(m)_i`. Such
    symmetries are guessed from branches with equal features, sorted, then checked on the Gram
    matrix; wrong guesses cost time only. As in graph isomorphism programs, a symmetry found deep in
    the tree shows that whole branches above are equal, and symmetries found once are applied
    wherever they keep the marks.

    Args:
        steps: How a branch is visited, and how two are compared.
        depth: Marks at most.
        limit: Branches to visit at most.
        compare: Look for symmetries; else all branches are visited.
    """

    steps: Steps
    depth: int
    limit: int
    compare: bool = True
    visited: int = 0
    symmetries: list[Symmetry] = field(default_factory=list)
    seen: dict[tuple[int, int], dict[int, tuple[int, ...]]] = field(default_factory=dict)

    def value(self) -> Tensor:
        """F without marks, ``[n, c]``."""
        value = self._visit((), [])
        assert isinstance(value, Tensor)  # a symmetry needs a mark in which branches differ
        return value

    def _visit(self, marks: tuple[int, ...], keep: list[Symmetry]) -> Tensor | Symmetry:
        """F, or a symmetry that makes a branch at or above this one equal to a visited one.

        Args:
            marks: The branch.
            keep: All known symmetries that keep its marks.
        """
        self.visited += 1
        if self.visited > self.limit:
            raise SearchTooLarge(
                f"more than {self.limit} branches, at depth {len(marks)}: too many points look "
                "alike without being symmetric. Choose a smaller depth or a larger limit"
            )
        branch = self.steps.visit(marks)
        if self.compare and marks and (symmetry := self._find(marks, branch.key)):
            return symmetry
        if len(marks) == self.depth:
            return branch.value
        chosen = branch.weight.nonzero().flatten().tolist()
        if not chosen:
            return branch.value
        values: dict[int, Tensor] = {}
        known = len(self.symmetries)
        for u in chosen:
            if u in values:
                continue
            found = self._visit((*marks, u), [s for s in keep if s.perm[u] == u])
            if isinstance(found, Symmetry):
                if found.level < len(marks):
                    return found
                self.symmetries.append(found)
                found = values[found.source][found.inverse]
            values[u] = found
            new = [s for s in self.symmetries[known:] if all(s.perm[m] == m for m in marks)]
            keep, known = keep + new, len(self.symmetries)
            if keep:
                fill_in(values, set(chosen), list(values) if new else [u], keep)
        below = torch.stack([values[u] for u in chosen]).flatten(1)  # [chosen, n c]
        total = (branch.weight[chosen] @ below).view_as(branch.value)
        return branch.value + total / (branch.weight.sum() + REST)

    def _find(self, marks: tuple[int, ...], key: int) -> Symmetry | None:
        """A symmetry from a visited branch of the same features to this one."""
        alike = self.seen.setdefault((len(marks), key), {})
        found = self.steps.match(list(alike)) if alike else None
        if found is not None:
            number, perm = found
            old = alike[number]
            level = next(k for k in range(len(marks)) if old[k] != marks[k])
            return Symmetry(perm.tolist(), perm.argsort(), level, old[level])
        if len(alike) < KEPT:
            alike[self.steps.keep()] = marks
        return None


def fill_in(
    values: dict[int, Tensor], chosen: set[int], todo: list[int], symmetries: list[Symmetry]
) -> None:
    """Fills in the values of chosen points that symmetries map points with values to."""
    while todo:
        u = todo.pop()
        for symmetry in symmetries:
            v = symmetry.perm[u]
            if v in chosen and v not in values:
                values[v] = values[u][symmetry.inverse]
                todo.append(v)
