"""Algorithm 1 of the paper, line by line, in plain loops: written from the listing alone.

It shares no code with the package. Parameters go by the names of the listing; ``parameters`` says
under which names a network keeps them.
"""

import math

import numpy as np


def rho(x, delta):
    return 0.5 * (1 + math.cos(math.pi * x / delta)) if 0 <= x <= delta else 0.0


def silu(x):
    return x / (1 + np.exp(-x))


def sigma(x, gain, bias):
    """A normalization layer (here over the channels of each row), then SiLU."""
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        mean = sum(x[i]) / len(x[i])
        variance = sum((value - mean) ** 2 for value in x[i]) / len(x[i])
        out[i] = silu((x[i] - mean) / math.sqrt(variance + 1e-5) * gain + bias)
    return out


def normalize1(W1):
    out = np.zeros_like(W1)
    n, K, h = W1.shape
    for i in range(n):
        for j in range(h):
            norm = math.sqrt(sum(W1[i, k, j] ** 2 for k in range(K)))
            for k in range(K):
                out[i, k, j] = W1[i, k, j] / norm if norm > 0 else 0.0
    return out


def normalize2(W2):
    out = np.zeros_like(W2)
    n, K, _, h = W2.shape
    for i in range(n):
        for j in range(h):
            norm = math.sqrt(sum(value**2 for row in W2[i, :, :, j] for value in row))
            for k in range(K):
                for l in range(K):  # noqa: E741
                    out[i, k, l, j] = W2[i, k, l, j] / norm if norm > 0 else 0.0
    return out


def tilde(W0, W1, W2, p, kind):
    """Steps 1 to 3 of both layers."""
    Wt0 = sigma(W0 @ p[f"Q0_{kind}"] + p[f"b0_{kind}"], p[f"gain_{kind}"], p[f"shift_{kind}"])
    Wt1 = normalize1(W1) @ p[f"Q1_{kind}"]
    Wt2 = normalize2(W2) @ p[f"Q2_{kind}"]
    return Wt0, Wt1, Wt2


def product_layer(W0, W1, W2, p, eigvals, delta):
    n, K, h = W1.shape
    Wt0, Wt1, Wt2 = tilde(W0, W1, W2, p, "prod")
    c = p["c"]
    # 4
    inner = np.zeros((n, h))
    for i in range(n):
        for j in range(h):
            inner[i, j] = c[0, 0] * W0[i, j] * Wt0[i, j]
            for k in range(K):
                inner[i, j] += c[0, 1] * W1[i, k, j] * Wt1[i, k, j]
                for l in range(K):  # noqa: E741
                    inner[i, j] += c[0, 2] * W2[i, k, l, j] * Wt2[i, k, l, j]
    W0 = W0 + inner @ p["R0_prod"]
    # 5
    inner = np.zeros((n, K, h))
    for i in range(n):
        for k in range(K):
            for j in range(h):
                inner[i, k, j] = c[1, 0] * W1[i, k, j] * Wt0[i, j]
                for l in range(K):  # noqa: E741
                    inner[i, k, j] += c[1, 2] * W1[i, l, j] * Wt2[i, k, l, j]
    W1 = W1 + inner @ p["R1_prod"]
    # 6, with the W1 of line 5
    inner = np.zeros((n, K, K, h))
    for i in range(n):
        for k in range(K):
            for l in range(K):  # noqa: E741
                weight = rho(abs(eigvals[k] - eigvals[l]), delta) ** 2
                for j in range(h):
                    total = c[2, 0] * W2[i, k, l, j] * Wt0[i, j]
                    total += c[1, 1] * weight * W1[i, k, j] * Wt1[i, l, j]
                    for m in range(K):
                        total += c[2, 2] * weight * W2[i, k, m, j] * Wt2[i, m, l, j]
                    inner[i, k, l, j] = total
    W2 = W2 + inner @ p["R2_prod"]
    return W0, W1, W2


def message_layer(W0, W1, W2, p, A):
    Wt0, Wt1, Wt2 = tilde(W0, W1, W2, p, "msg")
    new0, new1, new2 = W0.copy(), W1.copy(), W2.copy()
    for i in range(len(A)):
        for k in range(len(A)):
            new0[i] += A[i, k] * Wt0[k]
            new1[i] += A[i, k] * Wt1[k]
            new2[i] += A[i, k] * Wt2[k]
    return new0, new1, new2


def algorithm1(X, A, delta, start, layers):
    """Node features [n, h]; ``start`` holds the parameters of (a), ``layers`` pairs for (b)."""
    eigvals, V = np.linalg.eigh(np.diag(A.sum(1)) - A)
    n = len(A)
    # (a): (V_j^smooth)_ak = v_ak rho(|lambda_k - lambda_j|)
    W0 = X @ start["Q0_init"] + start["b0_init"]
    W1 = V[:, :, None] * start["Q1_init"]
    W2 = np.zeros((n, n, n, W0.shape[1]))
    for a in range(n):
        for j in range(n):
            for k in range(n):
                r = rho(abs(eigvals[k] - eigvals[j]), delta)
                W2[a, j, k] = (V[a, k] * r) * (V[a, j] * r) * start["Q2_init"]
    # (b)
    for p in layers:
        W0, W1, W2 = product_layer(W0, W1, W2, p, eigvals, delta)
        W0, W1, W2 = message_layer(W0, W1, W2, p, A)
    # (c)
    return W0


def parameters(model):
    """The parameters of an ``OGEAug`` by the listing's names; matrices multiply from the right.

    What nothing reads after the last layer the network does not have: any numbers do.
    """
    state = {name: value.detach().double().numpy() for name, value in model.state_dict().items()}
    h = model.hidden_channels
    start = {
        "Q0_init": state["linear0.weight"].T,
        "b0_init": state["linear0.bias"],
        "Q1_init": state["q1"],
        "Q2_init": state["q2"],
    }
    layers = []
    for i in range(model.num_layers):
        p = {"c": np.zeros((3, 3))}
        for kind, place in (("prod", f"products.{i}"), ("msg", f"messages.{i}")):
            p[f"Q0_{kind}"] = state[f"{place}.mix.linear0.weight"].T
            p[f"b0_{kind}"] = state[f"{place}.mix.linear0.bias"]
            p[f"gain_{kind}"] = state[f"{place}.mix.norm0.weight"]
            p[f"shift_{kind}"] = state[f"{place}.mix.norm0.bias"]
            for q in (1, 2):
                found = state.get(f"{place}.mix.linear{q}.weight", np.ones((h, h)))
                p[f"Q{q}_{kind}"] = found.T
        for r in (0, 1, 2):
            p[f"R{r}_prod"] = state.get(f"products.{i}.linear{r}.weight", np.ones((h, h))).T
        p["c"][0] = state[f"products.{i}.c0"]
        if f"products.{i}.c1" in state:
            p["c"][1, 0], p["c"][1, 2] = state[f"products.{i}.c1"]
            p["c"][2, 0], p["c"][1, 1], p["c"][2, 2] = state[f"products.{i}.c2"]
        layers.append(p)
    return start, layers
