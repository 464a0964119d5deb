"""Encodings of others, written down plainly from their papers and published code, one graph after
another and filled up with zeros as there: what ``preset: authors`` must equal."""

from itertools import pairwise

import numpy as np
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


class PlainSpaceNet(nn.Module):
    """An invariant graph network with means, as coefficients [in, out, maps] of each layer."""

    def __init__(self, hidden, out):
        super().__init__()
        shapes = [(1, hidden, 5), (hidden, hidden, 2), (hidden, hidden, 2)]
        self.coeffs = nn.ParameterList(nn.Parameter(torch.randn(s)) for s in shapes)
        self.biases = nn.ParameterList(nn.Parameter(torch.randn(hidden)) for _ in shapes)
        self.norms = nn.ModuleList(nn.BatchNorm1d(hidden) for _ in shapes)
        self.last = perceptron([hidden, hidden, out], norm=False)

    def forward(self, P):
        n = P.size(1)
        along = [P.sum(2) / n, P.sum(1) / n]
        diagonal = P.diagonal(dim1=1, dim2=2)  # [S, n]
        trace = diagonal.mean(1, keepdim=True).expand(-1, n)
        whole = (P.sum((1, 2)) / n**2).unsqueeze(1).expand(-1, n)
        maps = torch.stack([diagonal, trace, *along, whole], 1).unsqueeze(1)  # [S, 1, 5, n]
        for coeffs, bias, norm in zip(self.coeffs, self.biases, self.norms, strict=True):
            x = torch.einsum("dsb,ndbi->nis", coeffs, maps) + bias  # [S, n, h]
            x = over_rows(norm, x.relu())
            mean = x.mean(1, keepdim=True).expand_as(x)
            maps = torch.stack([x, mean], 3).permute(0, 2, 3, 1)  # [S, h, 2, n]
        return self.last(x)  # [S, n, out]


class PlainBasisNet(nn.Module):
    def __init__(self, out, hidden, layers, most, k):
        super().__init__()
        self.phi = nn.ModuleList(PlainSpaceNet(hidden, d) for d in range(1, most + 1))
        self.rho = PlainGIN([*[2 * k] * layers, out], hidden)
        self.k = k

    def forward(self, eigvals, eigvecs, adjacencies):
        found = []
        for values, V in zip(eigvals, eigvecs, strict=True):
            _, counts = (values * 1e5).round().unique(return_counts=True)
            spaces = V.split(counts.tolist(), 1)
            columns = []
            for d in counts.unique().tolist():
                P = torch.stack([U @ U.T for U in spaces if U.size(1) == d])
                # The published code reads [S, d, n] as [n, S d] here; this is what it means.
                columns.append(self.phi[d - 1](P).transpose(0, 1).flatten(1))
            every = pad(torch.cat(columns, 1), self.k, 1)
            found.append(torch.cat([every, pad(values, self.k, 0).expand(len(V), -1)], 1))
        x = torch.cat(found).unsqueeze(1)  # [N, 1, 2k]
        return self.rho(x, torch.block_diag(*adjacencies)).squeeze(1)


class PlainHodge(nn.Module):
    """Three perceptrons 1-2c-2c-o with a ReLU after each map, on one graph's edges i < j."""

    def __init__(self, widths):
        super().__init__()
        inside = 2 * sum(widths)
        self.zero, self.low, self.every = (
            perceptron([a, inside, inside, b], norm=False)
            for a, b in zip((1, 1, 2), widths, strict=True)
        )

    def forward(self, graph, total=10, most=5):
        edges = sorted(tuple(sorted(e)) for e in graph.edges)
        m = len(edges)
        B1 = torch.zeros(len(graph), m, dtype=torch.float64)
        for e, (i, j) in enumerate(edges):
            B1[i, e], B1[j, e] = -1, 1
        corners = [(i, j, k) for i, j in edges for k in range(j + 1, len(graph))]
        filled = [(i, j, k) for i, j, k in corners if {(i, k), (j, k)} <= set(edges)]
        B2 = torch.zeros(m, len(filled), dtype=torch.float64)
        for t, (i, j, k) in enumerate(filled):
            for edge, sign in (((i, j), 1), ((j, k), 1), ((i, k), -1)):
                B2[edges.index(edge), t] = sign
        # NumPy's, on a matrix of whole numbers: signs and bases are those of the encoding, too.
        values, vectors = map(torch.tensor, np.linalg.eigh((B1.T @ B1 + B2 @ B2.T).numpy()))
        kernel = [v for x, v in zip(values[:total], vectors.T, strict=False) if x < 1e-4][:most]
        low = [v for x, v in zip(values[:total], vectors.T, strict=False) if x > 1e-4][:most]
        none = torch.zeros(m, m, dtype=torch.float64)
        projectors = [sum((torch.outer(v, v) for v in vs), none) for vs in (kernel, low)]
        sums = [P.abs().sum(1, keepdim=True) for P in projectors]
        pairs = torch.zeros(m, total, 2, dtype=torch.float64)
        for i in range(min(m, total)):
            pairs[:, i, 0], pairs[:, i, 1] = vectors[:, i], values[i]
        every = self.every(pairs).relu().sum(1)
        alone = self.zero(sums[0]).relu(), self.low(sums[1] / m**0.5).relu()
        return edges, torch.cat([*alone, every], 1)


def pad(x, size, axis):
    shape = list(x.shape)
    shape[axis] = size - shape[axis]
    return torch.cat([x, x.new_zeros(shape)], axis)
