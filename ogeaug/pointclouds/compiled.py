"""The steps of a search by the compiled core, without gradients."""

import ctypes
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn.functional import pad

from ogeaug.native.gate import Struct, call
from ogeaug.pointclouds.steps import EQUAL, Cloud, key
from ogeaug.pointclouds.tree import KEPT, Branch

if TYPE_CHECKING:
    from ogeaug.pointclouds.search import SearchCloud

SEARCH = Struct(
    "start:f64:nc kernel:f64:Rc member:int32:nn kind:int32:nn own:f64:Lcc own_bias:f64:Lc "
    "joint:f64:Lccc joint_bias:f64:Lc mark:int64:n x:f64:nc weight:f64:n "
    "line:f64:n square:f64:1 order:int64:n",
    points=ctypes.c_int64,
    channels=ctypes.c_int64,
    padded=ctypes.c_int64,
    layers=ctypes.c_int64,
    kinds=ctypes.c_int64,
    marks=ctypes.c_int64,
    width=ctypes.c_double,
    smallest=ctypes.c_double,
)
"""``struct SearchArgs`` of ``native/src/search.h``."""
MATCH = Struct(
    "gram:f64:nn order:int64:n mark:int64:n orders:int64:Kn others:int64:Kn row:int64:k "
    "perm:int64:n",
    points=ctypes.c_int64,
    marks=ctypes.c_int64,
    rows=ctypes.c_int64,
    count=ctypes.c_int64,
    tolerance=ctypes.c_double,
)
"""``struct MatchArgs`` of the same file."""
LANES = 8
"""Channels are padded with zeros to a multiple of this."""


class CompiledSteps:
    """What :class:`~ogeaug.pointclouds.steps.TorchSteps` does, in float64.

    Most clouds of graphs have few different inner products. Points whose inner product with a point
    is the same are added before they are multiplied: a product per kind, not per pair.
    """

    def __init__(self, network: "SearchCloud", cloud: Cloud) -> None:
        self.network, self.dtype = network, cloud.gram.dtype
        c, n = cloud.start.shape
        rest, layers = -c % LANES, len(network.own)
        wide = c + rest
        member, kind, first = sort_kinds(cloud.gram.double())
        self.found = {
            "mark": torch.zeros(n, dtype=torch.int64),
            "x": torch.empty(n, wide, dtype=torch.float64),
            "weight": torch.empty(n, dtype=torch.float64),
            "line": torch.empty(n, dtype=torch.float64),
            "square": torch.empty(1, dtype=torch.float64),
            "order": torch.empty(n, dtype=torch.int64),
        }
        tensors = {
            "start": _plain(pad(cloud.start.T, (0, rest))),  # [n, wide]
            "kernel": _plain(pad(cloud.kernels.flatten(1)[:, first].T, (0, rest))),  # [R, wide]
            "member": member,
            "kind": kind,
        }
        for name, maps in (("own", network.own), ("joint", network.joint)):
            weight = torch.stack([m.get_parameter("weight") for m in maps])  # [L, c, c or c c]
            bias = torch.stack([m.get_parameter("bias") for m in maps])  # [L, c]
            cube = weight.view(layers, c, -1, c).permute(0, 2, 3, 1)
            axes = (0, rest, 0, rest, 0, rest if name == "joint" else 0)
            tensors[name] = _plain(pad(cube, axes))
            tensors[f"{name}_bias"] = _plain(pad(bias, (0, rest)))
        self.lengths = {"1": 1, "n": n, "nn": n * n, "nc": n * wide, "Rc": len(first) * wide}
        self.lengths |= {"Lc": layers * wide, "Lcc": layers * wide**2, "Lccc": layers * wide**3}
        numbers: dict[str, float] = {"points": n, "channels": c, "padded": wide, "layers": layers}
        numbers |= {"kinds": len(first), "width": network.width}
        numbers |= {"smallest": torch.finfo(self.dtype).tiny}
        self.branch = SEARCH.fill(numbers, self.lengths, tensors | self.found)
        self.marks = self.found["mark"].numpy()
        self.gram, self.tolerance = _plain(cloud.gram), cloud.tolerance
        self.row = torch.zeros(KEPT, dtype=torch.int64)
        self.perm = torch.zeros(n, dtype=torch.int64)
        self.kept = 0
        self._make_room(torch.empty(2, 0, n, dtype=torch.int64))

    def visit(self, marks: tuple[int, ...]) -> Branch:
        self.branch.marks = len(marks)
        self.marks[: len(marks)] = marks
        if call("search_branch_", self.branch) != 0:
            raise RuntimeError(f"the search marked points that do not exist: {marks}")
        x = self.found["x"][:, : self.network.channels].to(self.dtype, copy=True)
        weight = self.found["weight"].to(self.dtype, copy=True)
        return Branch(self.network.value(x), weight, key(self.found["square"].item(), self.dtype))

    def keep(self) -> int:
        if self.kept == self.room.size(1):
            self._make_room(self.room)
        self.room[0, self.kept] = self.found["order"]
        self.room[1, self.kept] = self.found["mark"]
        self.kept += 1
        return self.kept - 1

    def match(self, numbers: list[int]) -> tuple[int, Tensor] | None:
        self.pairs.marks, self.pairs.count = self.branch.marks, len(numbers)
        self.row.numpy()[: len(numbers)] = numbers
        place = call("match_branches_", self.pairs)
        return None if place < 0 else (numbers[place], self.perm.clone())

    def _make_room(self, old: Tensor) -> None:
        """Twice as much as before, for orders and marks."""
        rows, n = old.size(1), old.size(2)
        self.room = torch.zeros(2, max(2 * rows, 64), n, dtype=torch.int64)
        self.room[:, :rows] = old
        numbers = {"points": n, "rows": self.room.size(1), "tolerance": self.tolerance}
        lengths = self.lengths | {"Kn": self.room[0].numel(), "k": KEPT}
        tensors = {"gram": self.gram, "orders": self.room[0], "others": self.room[1]}
        tensors |= {"order": self.found["order"], "mark": self.found["mark"]}
        self.pairs = MATCH.fill(numbers, lengths, tensors | {"row": self.row, "perm": self.perm})


def sort_kinds(gram: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The kinds of pairs: different points by their inner product, and a point with itself.

    Returns:
        For each point all points sorted by kind, ``[n, n]`` int32; those kinds, ``[n, n]`` int32;
        a pair of each kind, ``[R]``, numbered as in ``gram.flatten()``.
    """
    n = len(gram)
    least = EQUAL * torch.finfo(gram.dtype).eps * gram.abs().max()
    apart = gram.detach().clone().fill_diagonal_(float(gram.min() - 1))
    values, order = apart.flatten().sort()
    gap = values.diff() > least
    number = torch.cat([gap.new_zeros(1), gap]).cumsum(0)  # [n n], of the sorted pairs
    kinds = torch.empty_like(order).index_put_((order,), number).view(n, n)
    first = order[torch.cat([gap.new_ones(1), gap])]
    sorted_kinds, member = kinds.sort(dim=1, stable=True)
    return member.int(), sorted_kinds.int(), first


def _plain(x: Tensor) -> Tensor:
    return x.detach().double().contiguous()
