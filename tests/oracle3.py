"""Orders 3 and 4 (and order 2 with transposes) of one graph with dense tensors over all eigenpairs.

Slow and plain: n^4 or n^5 numbers per channel, no clusters, no chunks, no batches.
"""

from itertools import permutations

import torch
from torch import Tensor
from torch.nn.functional import silu

from ogeaug import OGEAug
from ogeaug.encodings.dense import dense_eigvals
from ogeaug.graph.edges import adjacency


def dense_oge_aug3(model: OGEAug, data, eigvals: Tensor, eigvecs: Tensor, cutoff=float("inf")):
    """Node features [n, out_channels], with the parameters of ``model``."""
    dtype = model.weight.dtype
    weight = None if data.get("edge_weight") is None else data.edge_weight.double().numpy()
    A = torch.from_numpy(adjacency(data.edge_index.numpy(), data.num_nodes, weight)).to(dtype)
    rho = model.smoothing((eigvals[:, None] - eigvals[None, :]).abs()).to(dtype)  # [K, K]
    s = (1 - model.smoothing((cutoff - eigvals).clamp(min=0))).to(dtype)
    V = eigvecs.to(dtype) * s * (data.num_nodes / s.square().sum().clamp(min=1)).sqrt()
    mask = {
        2: rho.square()[:, :, None],
        3: torch.einsum("kl,lm,km->klm", rho, rho, rho)[..., None],
        4: torch.einsum("kl,lm,km,kn,ln,mn->klmn", *[rho] * 6)[..., None],
    }
    e = dense_eigvals(model.encode_eigvals, eigvals, s, data.num_nodes)
    W = [model.constant0.expand(data.num_nodes, -1), V[:, :, None] * e]
    W.append(mask[2] * torch.einsum("ik,il,j->iklj", V, V, model.q2))
    if model.order >= 3:
        W.append(mask[3] * torch.einsum("ik,il,im,j->iklmj", V, V, V, model.q3))
    if model.order == 4:
        W.append(mask[4] * torch.einsum("ik,il,im,in,j->iklmnj", V, V, V, V, model.q4))
    for product, message in zip(model.products, model.messages, strict=True):
        W = dense_product(product, W, mask)
        T = dense_copies(message.mix, W)
        W = [w + torch.einsum("ia,a...->i...", A, t) for w, t in zip(W, T, strict=False)] + W[
            len(T) :
        ]
    return model.out([W[0]])


def dense_copies(mix, W):
    T = [silu(mix.norm0(mix.linear0(W[0])))]
    for p, linear in enumerate(mix.permuted, 1):
        axes = tuple(range(1, p + 1))
        X = W[p] / (W[p].square().sum(axes, keepdim=True) + mix.eps).sqrt()
        T.append(
            sum(
                (X @ Q).permute(0, *perm, p + 1)
                for perm, Q in zip(permutations(axes), linear.weight, strict=True)
            )
        )
    return T


def dense_product(layer, W, mask):
    T = dense_copies(layer.mix, W)
    c, order = layer.c, layer.order
    new = [
        c[0][0] * W[0] * T[0]
        + c[0][1] * (W[1] * T[1]).sum(1)
        + c[0][2] * (W[2] * T[2]).sum((1, 2))
        + c[0][3] * torch.einsum("ikkj->ij", W[2])
    ]
    if order >= 3:
        new[0] = new[0] + c[0][4] * (W[3] * T[3]).sum((1, 2, 3))
    if order == 4:
        new[0] = new[0] + c[0][5] * torch.einsum("iklmnj,iklmnj->ij", W[4], T[4])
    if not layer.final:
        vectors = c[1][0] * W[1] * T[0][:, None] + c[1][1] * torch.einsum(
            "ilj,iklj->ikj", W[1], T[2]
        )
        matrices = c[2][1] * torch.einsum("ikj,ilj->iklj", W[1], T[1])
        matrices = matrices + c[2][2] * torch.einsum("ikmj,imlj->iklj", W[2], T[2])
        if order >= 3:
            vectors = vectors + c[1][2] * torch.einsum("ilmj,iklmj->ikj", W[2], T[3])
            vectors = vectors + c[1][3] * torch.einsum("ikllj->ikj", T[3])
            matrices = matrices + c[2][4] * torch.einsum("imj,imklj->iklj", W[1], T[3])
            matrices = matrices + c[2][5] * torch.einsum("ikmnj,ilmnj->iklj", W[3], T[3])
        if order == 4:
            vectors = vectors + c[1][4] * torch.einsum("ilmnj,iklmnj->ikj", W[3], T[4])
            matrices = matrices + c[2][6] * torch.einsum("imnj,iklmnj->iklj", W[2], T[4])
            matrices = matrices + c[2][7] * torch.einsum("ikmnoj,ilmnoj->iklj", W[4], T[4])
            matrices = matrices + c[2][8] * torch.einsum("iklmmj->iklj", T[4])
        new.append(vectors)
        new.append(c[2][0] * W[2] * T[0][:, None, None] + c[2][3] * T[2] + mask[2] * matrices)
        if order >= 3:
            cubes = c[3][1] * torch.einsum("ikj,ilmj->iklmj", W[1], T[2])
            cubes = cubes + c[3][2] * torch.einsum("iknj,inlmj->iklmj", W[2], T[3])
            if order == 4:
                cubes = cubes + c[3][4] * torch.einsum("inj,inklmj->iklmj", W[1], T[4])
            new.append(
                c[3][0] * W[3] * T[0][:, None, None, None] + c[3][3] * T[3] + mask[3] * cubes
            )
        if order == 4:
            fourth = c[4][1] * torch.einsum("ikj,ilmnj->iklmnj", W[1], T[3])
            fourth = fourth + c[4][2] * torch.einsum("iklj,imnj->iklmnj", W[2], T[2])
            fourth = fourth + c[4][3] * torch.einsum("ikoj,iolmnj->iklmnj", W[2], T[4])
            scaled = c[4][0] * W[4] * T[0][:, None, None, None, None]
            new.append(scaled + c[4][4] * T[4] + mask[4] * fourth)
    return [w + linear(n) for w, n, linear in zip(W, new, layer.linear, strict=False)] + W[
        len(new) :
    ]
