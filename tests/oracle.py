"""OGE-Aug of one graph with dense tensors, line by line like Algorithm 1 of the paper.

Slow and plain: n^3 numbers a channel. Every fast path is compared with it.
"""

import torch
from torch import Tensor
from torch.nn.functional import silu

from ogeaug import OGEAug
from ogeaug.spectrum.laplacian import adjacency
from ogeaug.tensors.message import MessageLayer
from ogeaug.tensors.mix import Mix
from ogeaug.tensors.product import ProductLayer


def dense_oge_aug(model: OGEAug, data, eigvals: Tensor, eigvecs: Tensor, cutoff=float("inf")):
    """Node features [n, out_channels], with the parameters of ``model``."""
    dtype = model.out.weight.dtype
    weight = None if data.get("edge_weight") is None else data.edge_weight.double().numpy()
    A = torch.from_numpy(adjacency(data.edge_index.numpy(), data.num_nodes, weight)).to(dtype)
    gap = (eigvals[:, None] - eigvals[None, :]).abs()
    rho = model.smoothing(gap).to(dtype)  # [K, K]
    s = (1 - model.smoothing((cutoff - eigvals).clamp(min=0))).to(dtype)  # [K]
    V = eigvecs.to(dtype) * s  # [n, K]

    # (a) Preparation
    if model.in_channels is None:
        W0 = model.constant0.expand(data.num_nodes, -1)
    else:
        W0 = model.linear0(data.x.to(dtype))
    W1 = V[:, :, None] * dense_eigval_encoder(model.encode_eigvals, eigvals, s, data.num_nodes)
    V_smooth = V[:, None, :] * rho[None]  # [n, j, k]: (V_j^smooth)_ak
    W2 = None
    if model.order == 2:
        W2 = (V_smooth * V_smooth.mT)[..., None] * model.q2  # [n, K, K, h]

    # (b) Updates
    for product, message in zip(model.products, model.messages, strict=True):
        W0, W1, W2 = dense_product(product, W0, W1, W2, rho)
        W0, W1, W2 = dense_message(message, W0, W1, W2, A)

    # (c) Output
    return model.out(W0)


def dense_eigval_encoder(encoder, eigvals: Tensor, s: Tensor, n: int) -> Tensor:
    inner = encoder.inner(torch.log1p(eigvals.clamp(min=-0.5)).to(s.dtype)[:, None])  # [K, h]
    return encoder.outer(inner + (s[:, None] * inner).sum(0) / n)


def dense_mix(mix: Mix, W0, W1, W2):
    T0 = silu(mix.norm0(mix.linear0(W0)))
    T1 = T2 = None
    if mix.linear1 is not None:
        T1 = mix.linear1(W1 / (W1.square().sum(1, keepdim=True) + mix.eps).sqrt())
    if mix.linear2 is not None:
        T2 = mix.linear2(W2 / (W2.square().sum((1, 2), keepdim=True) + mix.eps).sqrt())
    return T0, T1, T2


def dense_product(layer: ProductLayer, W0, W1, W2, rho):
    T0, T1, T2 = dense_mix(layer.mix, W0, W1, W2)
    c0 = layer.c0
    new0 = c0[0] * W0 * T0 + c0[1] * (W1 * T1).sum(1)
    if layer.order == 2:
        new0 = new0 + c0[2] * (W2 * T2).sum((1, 2))
    new0 = W0 + layer.linear0(new0)
    if layer.final:
        return new0, W1, W2
    new1 = layer.c1[0] * W1 * T0[:, None, :]
    if layer.order == 1:
        return new0, W1 + layer.linear1(new1), None
    new1 = new1 + layer.c1[1] * torch.einsum("ilj,iklj->ikj", W1, T2)
    rho2 = rho.square()[None, :, :, None]
    new2 = (
        layer.c2[0] * W2 * T0[:, None, None, :]
        + layer.c2[1] * rho2 * torch.einsum("ikj,ilj->iklj", W1, T1)
        + layer.c2[2] * rho2 * torch.einsum("ikmj,imlj->iklj", W2, T2)
    )
    return new0, W1 + layer.linear1(new1), W2 + layer.linear2(new2)


def dense_message(layer: MessageLayer, W0, W1, W2, A):
    T0, T1, T2 = dense_mix(layer.mix, W0, W1, W2)
    new0 = W0 + A @ T0
    if layer.final:
        return new0, W1, W2
    new1 = W1 + torch.einsum("ia,akj->ikj", A, T1)
    if layer.order == 1:
        return new0, new1, None
    return new0, new1, W2 + torch.einsum("ia,aklj->iklj", A, T2)
