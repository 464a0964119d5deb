"""Encodings of others, written down plainly from their papers and published code, one graph after
another and filled up with zeros as there: what ``preset: authors`` must equal."""

from itertools import pairwise

import torch
from torch import nn


def perceptron(widths, *, norm_last=False, norm=True):
    """Linear maps with batch norm and ReLU between them, or ReLU and batch norm."""
    parts = [nn.Linear(widths[0], widths[1])]
    for a, b in pairwise(widths[1:]):
        between = [nn.BatchNorm1d(a), nn.ReLU()] if norm else [nn.ReLU()]
        parts += [*(between[::-1] if norm_last else between), nn.Linear(a, b)]
    return nn.Sequential(*parts)


def over_rows(mlp, x):
    """A perceptron on the last axis of any tensor; its batch norms see all other axes as rows."""
    return mlp(x.reshape(-1, x.size(-1))).reshape(*x.shape[:-1], -1)


def adjacency(edge_index, n):
    A = torch.zeros(n, n, dtype=torch.float64)
    A[edge_index[0], edge_index[1]] = 1
    return A


class PlainGIN(nn.Module):
    """x <- MLP((1 + eps) x + A x), x of shape [nodes, columns, channels]."""

    def __init__(self, widths, inside, *, mlp_layers=3, eps=True, norm_last=False, between=False):
        super().__init__()
        pairs = list(pairwise(widths))
        self.mlps = nn.ModuleList(
            perceptron([a, *[inside] * (mlp_layers - 1), b], norm_last=norm_last) for a, b in pairs
        )
        self.eps = nn.ParameterList(nn.Parameter(torch.randn(1)) for _ in pairs) if eps else None
        self.norms = nn.ModuleList(nn.BatchNorm1d(a) for a, _ in pairs[1:]) if between else None

    def forward(self, x, A):
        for i, mlp in enumerate(self.mlps):
            if i > 0 and self.norms is not None:
                x = over_rows(self.norms[i - 1], x)
            own = x if self.eps is None else (1 + self.eps[i]) * x
            x = over_rows(mlp, own + torch.einsum("ij,jcd->icd", A, x))
        return x


class PlainSPE(nn.Module):
    def __init__(self, out, hidden, layers, m):
        super().__init__()
        self.psi = nn.ModuleList(perceptron([1, m, m, 1]) for _ in range(m))
        self.gin = PlainGIN([m, *[hidden] * (layers - 1), out], hidden)

    def forward(self, eigvals, eigvecs, adjacencies):
        wide, most = max(map(len, eigvals)), max(map(len, adjacencies))
        padded = torch.stack([pad(e, wide, 0) for e in eigvals])  # [B, K]
        z = torch.cat([over_rows(psi, padded.unsqueeze(2)) for psi in self.psi], 2)  # [B, K, m]
        tensors = [
            pad(torch.einsum("ik,km,jk->ijm", V, z[g, : V.size(1)], V), most, 1)
            for g, V in enumerate(eigvecs)
        ]
        x = self.gin(torch.cat(tensors), torch.block_diag(*adjacencies))  # [N, most, out]
        sizes = torch.tensor([len(A) for A in adjacencies])
        there = torch.arange(most) < sizes.repeat_interleave(sizes).unsqueeze(1)
        return (x * there.unsqueeze(2)).sum(1)


class PlainSignNet(nn.Module):
    def __init__(self, out, hidden, layers, *, eigvals):
        super().__init__()
        widths = [2 if eigvals else 1, *[hidden] * layers]
        kind = {"mlp_layers": 2, "eps": False, "norm_last": True, "between": True}
        self.phi, self.eigvals = PlainGIN(widths, hidden, **kind), eigvals
        self.rho = perceptron([*[hidden] * layers, out], norm_last=True)

    def forward(self, eigvals, eigvecs, adjacencies):
        wide = max(map(len, eigvals))
        v = torch.cat([pad(V, wide, 1) for V in eigvecs])  # [N, K]
        sizes = torch.tensor([len(A) for A in adjacencies])
        values = torch.stack([pad(e, wide, 0) for e in eigvals]).repeat_interleave(sizes, 0)
        counts = torch.tensor([len(e) for e in eigvals]).repeat_interleave(sizes)
        A = torch.block_diag(*adjacencies)
        plus, minus = (
            self.phi(torch.stack([s * v, values] if self.eigvals else [s * v], 2), A)
            for s in (1, -1)
        )
        there = torch.arange(wide) < counts.unsqueeze(1)
        return self.rho(((plus + minus) * there.unsqueeze(2)).sum(1))


def pad(x, size, axis):
    shape = list(x.shape)
    shape[axis] = size - shape[axis]
    return torch.cat([x, x.new_zeros(shape)], axis)
