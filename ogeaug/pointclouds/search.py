"""Soft individualisation: the search of graph isomorphism programs, made continuous."""

import math

import torch
from torch import Tensor, nn

from ogeaug.native import build
from ogeaug.pointclouds.base import PointCloud
from ogeaug.pointclouds.channels import ChannelMap, normalise
from ogeaug.pointclouds.compiled import CompiledSteps
from ogeaug.pointclouds.steps import Cloud, TorchSteps
from ogeaug.pointclouds.tree import Steps, Tree


class SearchCloud(PointCloud):
    r"""Marks a point, refines the features of all, and marks again: a tree of marked clouds.

    .. math::
        x &= R(\text{marks}): \quad x_u \leftarrow \tanh \Big( B x_u + C \operatorname{norm}
            \tfrac{1}{\sqrt n} \textstyle\sum_v \tanh(A (\langle p_u, p_v \rangle, \delta_{uv}))
            \otimes x_v \Big), \text{ several times} \\
        F(\text{marks}) &= y + \textstyle\sum_u w_u F(\text{marks}, u) \, / \,
            (\sum_u w_u + \tfrac{1}{10}), \qquad y = x + \sin(\text{waves} \, x + 1)

    The features start from :math:`|p_u|^2`, those of the k-th mark from a fixed vector. The weights
    choose the smallest class of points that look alike, as such programs choose a cell:

    .. math::
        c_u &= \textstyle\sum_v \kappa(|x_u - x_v| / \text{width}), \quad
            \kappa(r) = \max(0, 1 - r^2)^2, \qquad t_u = \min(c_u - 1, 1) \\
        s_u &= \tfrac{t_u}{c_u} (1 + \tfrac14 \operatorname{mean} x_u), \qquad
            w_u = t_u \max(0, 1 - (1 - s_u / \max_v s_v) / \text{width})

    :math:`c_u` is a soft size of the class of u, :math:`t_u = 0` for a point unlike all others.
    Branches that a symmetry maps to each other add up to means over points that are symmetric. A
    mean of x hides what differs by a little, and by as much the other way at its mirror image: all
    but a change of second order. Waves as long as the distances between points bring it out;
    ``waves = 0`` leaves them away.

    All of it is continuous in the points, so F is: when a class splits, its weights move to one of
    the parts as the parts move ``width`` apart. F is evaluated where the weight is not 0.

    Universal: as the depth goes to n, with channels and layers enough (points that all differ are
    numbered by their features). Cost: :math:`O(n^2 c^2)` for a layer and branch. Branches that a
    symmetry of the cloud maps to each other have equal terms; unless gradients to the points are
    asked for, one of them is visited and counted for all (:class:`~ogeaug.pointclouds.tree.Tree`).
    Without symmetry there are up to n branches to the power of the depth.

    Args:
        channels: Width c.
        depth: Marks at most; where all points differ, nothing is marked.
        num_layers: Rounds of refinement after each mark.
        width: Distance of features that parts classes. Smaller: fewer branches, less stable.
        gain: Size of the initial weights. 3 makes untrained networks more sensitive.
        waves: Frequency of the waves. ``0.1 / width`` sees what the width tells apart.
        limit: Branches at most; :class:`~ogeaug.pointclouds.tree.SearchTooLarge` beyond.

    Shapes:
        - points ``[n, p]`` -> ``[n, c]``

    Example:
        >>> SearchCloud(8)(torch.randn(5, 3)).shape
        torch.Size([5, 8])
    """

    def __init__(
        self,
        channels: int,
        *,
        depth: int = 2,
        num_layers: int = 4,
        width: float = 0.1,
        gain: float = 1.0,
        waves: float = 0.0,
        limit: int = 10_000,
    ) -> None:
        super().__init__(channels)
        if min(depth, num_layers, limit) < 1 or min(width, gain) <= 0:
            raise ValueError(
                f"depth, num_layers and limit must be at least 1, width and gain positive; got "
                f"{depth}, {num_layers}, {limit}, {width}, {gain}"
            )
        self.depth, self.num_layers, self.limit = depth, num_layers, limit
        if not 0 <= waves < math.inf:
            raise ValueError(f"waves is a frequency of at least 0, got {waves}")
        self.width, self.gain, self.waves = width, gain, waves
        self.start = ChannelMap(1, channels, gain)
        self.pair = ChannelMap(2, channels, gain)
        self.own = nn.ModuleList(ChannelMap(channels, channels, gain) for _ in range(num_layers))
        self.joint = nn.ModuleList(
            ChannelMap(channels**2, channels, gain) for _ in range(num_layers)
        )
        self.out = nn.Linear(channels, channels)

    def forward(self, points: Tensor) -> Tensor:
        n = len(points)
        gram, same = points @ points.mT, torch.eye(n, dtype=points.dtype, device=points.device)
        pair = normalise(torch.stack([gram - gram * same, same]))  # [2, n, n]
        kernels = self.pair(pair).tanh() * n**-0.5  # [c, n, n]
        start = self.start(normalise(gram.diagonal().unsqueeze(0))).tanh()  # [c, n]

        moving = torch.is_grad_enabled() and points.requires_grad
        steps = self._steps(Cloud(gram, kernels, start))
        return self.out(Tree(steps, self.depth, self.limit, compare=not moving).value())  # [n, c]

    def _steps(self, cloud: Cloud) -> Steps:
        """By the compiled core, unless gradients are asked for."""
        learns = torch.is_grad_enabled() and cloud.kernels.requires_grad
        if learns or not cloud.gram.is_cpu or not build.available():
            return TorchSteps(self, cloud)
        return CompiledSteps(self, cloud)

    def refine(self, x: Tensor, kernels: Tensor) -> Tensor:
        """Message passing between all points: ``[c, n]`` -> the same."""
        for own, joint in zip(self.own, self.joint, strict=True):
            sums = kernels.flatten(0, 1) @ x.T  # [c n, c]
            sums = sums.view(*kernels.shape[:2], -1).movedim(2, 1).flatten(0, 1)  # [c c, n]
            x = (own(x) + joint(normalise(sums, 0.1))).tanh()
        return x

    def choose(self, x: Tensor) -> Tensor:
        """The weights w: ``[c, n]`` -> ``[n]``."""
        points = x.T.unsqueeze(0)  # [1, n, c]
        away = torch.cdist(points, points, compute_mode="donot_use_mm_for_euclid_dist")[0]
        size = (1 - (away / self.width).square()).clamp(min=0).square().sum(1)  # [n]
        shared = (size - 1).clamp(0, 1)
        score = shared / size * (1 + x.mean(0) / 4)
        behind = 1 - score / score.max().clamp(min=torch.finfo(x.dtype).tiny)
        return shared * (1 - behind / self.width).clamp(min=0)

    def value(self, x: Tensor) -> Tensor:
        """What a branch adds to the sum, y: ``[n, c]`` -> the same."""
        return x if self.waves == 0 else x + torch.sin(self.waves * x + 1)

    def extra_repr(self) -> str:
        return (
            f"{self.channels}, depth={self.depth}, num_layers={self.num_layers}, "
            f"width={self.width}, gain={self.gain}, waves={self.waves}, limit={self.limit}"
        )
