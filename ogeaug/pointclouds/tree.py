"""Sums over a tree of marked points, in which symmetric branches are visited once."""

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor

REST = 0.1
"""Added to the sum of the weights, which may be 0."""
KEPT = 8
"""Visited branches of equal features that a new one is compared with."""


class SearchTooLarge(RuntimeError):
    """A search that would visit more branches than allowed."""


@dataclass
class Symmetry:
    """A renumbering that keeps all inner products and maps a visited branch to the present one.

    Attributes:
        perm: Point i goes to ``perm[i]``; the marks above ``level`` stay in place.
        level: The first mark in which the two branches differ.
        source: The visited branch's mark there.
    """

    perm: list[int]
    level: int
    source: int


@dataclass
class Tree:
    r"""The sum over all branches, depth first.

    .. math:: F(m) = x(m) + \sum_u w_u F(m, u) \, / \, (\sum_u w_u + \tfrac{1}{10}), \qquad
        x(m) = \operatorname{refine}(m), \quad w = \operatorname{choose}(x(m))

    A renumbering :math:`\sigma` that keeps the Gram matrix and takes the marks m to m' gives
    :math:`F(m')_{\sigma(i)} = F(m)_i`. Such symmetries are guessed from branches with equal
    features, sorted, then checked on the Gram matrix; wrong guesses cost time only. As in graph
    isomorphism programs, a symmetry found deep in the tree shows that whole branches above are
    equal, and symmetries found once are applied wherever they keep the marks.

    Args:
        refine: Features ``[c, n]`` of all points for given marks.
        choose: Weights ``[n]`` of the points to mark next, for given features.
        depth: Marks at most.
        limit: Branches to visit at most.
        gram: Inner products ``[n, n]``; None to visit all branches.
    """

    refine: Callable[[tuple[int, ...]], Tensor]
    choose: Callable[[Tensor], Tensor]
    depth: int
    limit: int
    gram: Tensor | None
    visited: int = 0
    symmetries: list[list[int]] = field(default_factory=list)
    seen: dict[tuple[int, int], list[tuple[tuple[int, ...], Tensor]]] = field(default_factory=dict)

    def value(self) -> Tensor:
        """F without marks, ``[c, n]``."""
        value = self._visit(())
        assert isinstance(value, Tensor)  # a symmetry needs a mark in which branches differ
        return value

    def _visit(self, marks: tuple[int, ...]) -> Tensor | Symmetry:
        """F, or a symmetry that makes a branch at or above this one equal to a visited one."""
        self.visited += 1
        if self.visited > self.limit:
            raise SearchTooLarge(
                f"more than {self.limit} branches, at depth {len(marks)}: too many points look "
                "alike without being symmetric. Choose a smaller depth or a larger limit"
            )
        x = self.refine(marks)  # [c, n]
        if (
            self.gram is not None
            and marks
            and (symmetry := self._find(marks, x.detach())) is not None
        ):
            return symmetry
        if len(marks) == self.depth:
            return x
        weight = self.choose(x)  # [n]
        chosen = weight.nonzero().flatten().tolist()
        values: dict[int, Tensor] = {}
        keep: list[list[int]] = []  # symmetries that keep the marks
        known = 0
        for u in chosen:
            if u in values:
                continue
            found = self._visit((*marks, u))
            if isinstance(found, Symmetry):
                if found.level < len(marks):
                    return found
                self.symmetries.append(found.perm)
                found = moved(values[found.source], found.perm)
            values[u] = found
            new = [s for s in self.symmetries[known:] if all(s[m] == m for m in marks)]
            keep, known = keep + new, len(self.symmetries)
            fill_in(values, set(chosen), list(values) if new else [u], keep)
        total = sum((weight[u] * values[u] for u in chosen), torch.zeros_like(x))
        return x + total / (weight.sum() + REST)

    def _find(self, marks: tuple[int, ...], x: Tensor) -> Symmetry | None:
        """A symmetry from a visited branch of the same features to this one."""
        assert self.gram is not None
        eps = torch.finfo(x.dtype).eps
        line = torch.linspace(1, 2, len(x), dtype=x.dtype, device=x.device) @ x  # [n]
        order = line.argsort()
        key = (len(marks), round(float(line.square().mean()) * eps ** (-1 / 3)))
        alike = self.seen.setdefault(key, [])
        for others, other in alike:
            perm = torch.empty_like(order)
            perm[other] = order
            if perm[list(others)].tolist() != list(marks):
                continue
            error = self.gram[order][:, order] - self.gram[other][:, other]
            if float(error.abs().max()) <= 1e3 * eps * float(self.gram.abs().max()):
                level = next(k for k in range(len(marks)) if others[k] != marks[k])
                return Symmetry(perm.tolist(), level, others[level])
        if len(alike) < KEPT:
            alike.append((marks, order))
        return None


def fill_in(
    values: dict[int, Tensor], chosen: set[int], todo: list[int], symmetries: list[list[int]]
) -> None:
    """Fills in the values of chosen points that symmetries map points with values to."""
    while todo:
        u = todo.pop()
        for perm in symmetries:
            if perm[u] in chosen and perm[u] not in values:
                values[perm[u]] = moved(values[u], perm)
                todo.append(perm[u])


def moved(x: Tensor, perm: list[int]) -> Tensor:
    """Features ``[c, n]`` with those of point i at point ``perm[i]``."""
    return x[:, torch.tensor(perm, device=x.device).argsort()]
