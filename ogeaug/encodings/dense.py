"""OGE-Aug of one graph with dense tensors: oracle of every fast path, and the form to export."""

import torch
from torch import Tensor, nn
from torch.nn.functional import silu

from ogeaug.encodings.eigvals import EigvalEncoder
from ogeaug.encodings.oge_aug import OGEAug
from ogeaug.tensors.roots.network import EPS, SCALE, RootNetworks
from ogeaug.tensors.rows.message import MessageLayer
from ogeaug.tensors.rows.mix import Mix
from ogeaug.tensors.rows.product import ProductLayer

Dense = tuple[Tensor, Tensor, Tensor | None]


class DenseOGEAug(nn.Module):
    r"""The network of an :class:`OGEAug`, line by line as Algorithm 1 has it.

    Slow and plain: :math:`n^3` numbers per channel, :math:`n^4` operations. It shares the
    parameters of the model it is given. No shape depends on the eigenvalues, so ``torch.export``
    takes it with any number of nodes, which the sparse form, whose shapes follow the bands, does
    not allow.

    Args:
        model: An OGE-Aug of order 1 or 2.

    Shapes:
        - adjacency ``[n, n]`` symmetric, eigvals ``[K]``, eigvecs ``[n, K]``, cutoff scalar,
          x ``[n, in_channels]`` -> ``[n, out_channels]``

    Example:
        >>> dense = DenseOGEAug(OGEAug(8, hidden_channels=8, num_layers=2).double())
        >>> adjacency = torch.ones(5, 5).double() - torch.eye(5)
        >>> eigvals, eigvecs = torch.linalg.eigh(adjacency.sum(0).diag() - adjacency)
        >>> dense(adjacency, eigvals, eigvecs, torch.tensor(torch.inf)).shape
        torch.Size([5, 8])
    """

    def __init__(self, model: OGEAug) -> None:
        super().__init__()
        if model.order > 2:
            raise ValueError(f"the dense form is written for order 1 and 2, got {model.order}")
        self.model = model

    def forward(
        self,
        adjacency: Tensor,
        eigvals: Tensor,
        eigvecs: Tensor,
        cutoff: Tensor,
        x: Tensor | None = None,
    ) -> Tensor:
        model, dtype = self.model, self.model.weight.dtype
        rho = model.smoothing((eigvals[:, None] - eigvals[None, :]).abs()).to(dtype)  # [K, K]
        s = (1 - model.smoothing((cutoff - eigvals).clamp(min=0))).to(dtype)  # [K]
        n = adjacency.size(0)
        v = eigvecs.to(dtype) * s * (n / s.square().sum().clamp(min=1)).sqrt()  # [n, K]

        # (a) Preparation
        if model.reading.eigvals:
            w1 = v[:, :, None] * dense_eigvals(model.encode_eigvals, eigvals, s, n)  # [n, K, h]
        else:
            w1 = v[:, :, None] * model.q1
        a, beside = adjacency.to(dtype), None
        if model.num_roots:
            beside = _roots(model.roots, torch.einsum("jk,ikc->ijc", v, w1), a)
        if not model.num_layers:
            return model.out((), beside)
        w0 = model.constant0.expand(n, -1) if x is None else model.linear0(x.to(dtype))  # [n, h]
        if beside is not None:
            w0 = w0 + model.roots.enter(beside)
        v_smooth = v[:, None, :] * rho  # [n, K, K], (V_j^smooth)_ak at [a, j, k]
        w2 = (
            (v_smooth * v_smooth.mT)[..., None] * model.get_parameter("q2")
            if model.order == 2
            else None
        )

        # (b) Updates
        if model.message_norm == "sym":
            degree = 1 + a.sum(1)
            a = a / (degree[:, None] * degree[None, :]).sqrt()
        w: Dense = (w0, w1, w2)
        seen = []
        for product, message in zip(model.products, model.messages, strict=True):
            w = _product(product, w, rho)  # type: ignore[arg-type]
            w = _message(message, w, a)  # type: ignore[arg-type]
            seen.append(w[0])

        # (c) Output
        return model.out(seen, beside)  # [n, out_channels]


def dense_eigvals(encoder: EigvalEncoder, eigvals: Tensor, s: Tensor, n: int) -> Tensor:
    """The eigenvalue encoder of one graph: eigvals ``[K]``, s ``[K]`` -> ``[K, h]``."""
    inner = encoder.inner(encoder.features(eigvals).to(s.dtype))  # [K, h]
    return encoder.outer(inner + (s[:, None] * inner).sum(0) / n)


def _roots(roots: RootNetworks, u: Tensor, adjacency: Tensor) -> Tensor:
    """What is read at each root: u ``[n, n, h]``, roots first -> ``[n, (L + 1) 2 h]``."""
    read = []
    for at, bias in enumerate(roots.bias):
        if at > 0:
            u = (u + torch.einsum("jm,imc->ijc", adjacency, u)) @ roots.weight[at - 1].T
        u = (SCALE * u / (u.square().sum(1, keepdim=True) + EPS).sqrt() + bias).relu()
        read += [u.sum(1), u.diagonal().T]
    return roots.norm(torch.cat(read, 1))


def _mix(mix: Mix, w: Dense) -> tuple[Tensor, Tensor, Tensor]:
    w0, w1, w2 = w
    t0 = t1 = t2 = silu(mix.norm0(mix.linear0(w0)))
    if mix.linear1 is not None:
        t1 = mix.linear1(w1 / (w1.square().sum(1, keepdim=True) + mix.eps).sqrt())
    if mix.linear2 is not None and w2 is not None:
        t2 = mix.linear2(w2 / (w2.square().sum((1, 2), keepdim=True) + mix.eps).sqrt())
    return t0, t1, t2


def _product(layer: ProductLayer, w: Dense, rho: Tensor) -> Dense:
    (w0, w1, w2), (t0, t1, t2) = w, _mix(layer.mix, w)
    sum0 = layer.c0[0] * w0 * t0 + layer.c0[1] * (w1 * t1).sum(1)
    if w2 is not None:
        sum0 = sum0 + layer.c0[2] * (w2 * t2).sum((1, 2))
    new0 = w0 + layer.linear0(sum0)
    if layer.final:
        return new0, w1, w2
    sum1 = layer.c1[0] * w1 * t0[:, None, :]
    if w2 is None:
        return new0, w1 + layer.linear1(sum1), None
    sum1 = sum1 + layer.c1[1] * torch.einsum("ilj,iklj->ikj", w1, t2)
    new1 = w1 + layer.linear1(sum1)
    left = new1 if layer.in_order else w1
    rho2 = rho.square()[:, :, None]
    sum2 = (
        layer.c2[0] * w2 * t0[:, None, None, :]
        + layer.c2[1] * rho2 * torch.einsum("ikj,ilj->iklj", left, t1)
        + layer.c2[2] * rho2 * torch.einsum("ikmj,imlj->iklj", w2, t2)
    )
    return new0, new1, w2 + layer.linear2(sum2)


def _message(layer: MessageLayer, w: Dense, adjacency: Tensor) -> Dense:
    (w0, w1, w2), (t0, t1, t2) = w, _mix(layer.mix, w)
    new0 = w0 + adjacency @ t0
    if layer.final:
        return new0, w1, w2
    new1 = w1 + torch.einsum("ia,akj->ikj", adjacency, t1)
    if w2 is None:
        return new0, new1, None
    return new0, new1, w2 + torch.einsum("ia,aklj->iklj", adjacency, t2)
