"""Gated layers against plain transcriptions of the equations, edge by edge."""

import networkx as nx
import pytest
import torch
from torch.nn.functional import batch_norm

from ogeaug.backbones.gps import GPS
from ogeaug.backbones.message_passing import MessagePassing
from ogeaug.layers import RowBatchNorm
from tests.graphs import to_data

CHANNELS = 6


def start(dtype):
    generator = torch.Generator().manual_seed(0)
    data = to_data(nx.gnp_random_graph(7, 0.4, seed=3))

    def draw(*shape):
        return torch.randn(*shape, generator=generator, dtype=dtype)

    n, edges = data.num_nodes, data.edge_index
    return draw(n, CHANNELS), edges, draw(edges.size(1), CHANNELS), draw(edges.size(1), 1) ** 2


def linear(layer, x):
    return x @ layer.weight.T + layer.bias


def normed(norm, rows):
    """A batch norm in training, by its definition."""
    mean, var = rows.mean(0), rows.var(0, unbiased=False)
    return norm.weight * (rows - mean) / (var + norm.eps).sqrt() + norm.bias


def gate_of(gate, distance):
    first, _, last, _ = gate
    return torch.sigmoid(linear(last, linear(first, distance).relu()))


def gated_gcn(conv, x, edges, e, distance):
    """Nodes and edges before norm: residual gated graph convolution, a loop over edges."""
    top, bottom, hats = torch.zeros_like(x), torch.zeros_like(x), []
    for number, (j, i) in enumerate(edges.T.tolist()):  # a message from j to i
        hat = linear(conv.A, x[i]) + linear(conv.B, x[j]) + linear(conv.C, e[number])
        sigma = torch.sigmoid(hat)
        if distance is not None:
            sigma = sigma * gate_of(conv.gate, distance[number])
        top[i] = top[i] + sigma * linear(conv.V, x[j])
        bottom[i] = bottom[i] + sigma
        hats.append(hat)
    return linear(conv.U, x) + top / (bottom + 1e-6), torch.stack(hats)


@pytest.mark.parametrize("gated", [False, True])
def test_gatedgcn_is_its_authors(gated, dtype, tolerance):
    torch.manual_seed(0)
    x, edges, e, distance = start(dtype)
    distance = distance if gated else None
    network = MessagePassing(CHANNELS, conv="gatedgcn", layers=2, gated=gated).to(dtype).train()
    found = network(x, edges, e, torch.zeros(7, dtype=torch.long), distance=distance)
    for conv, norm in zip(network.convs, network.norms, strict=True):
        new, hat = gated_gcn(conv, x, edges, e, distance)
        x, e = x + normed(norm, new).relu(), e + normed(conv.norm, hat).relu()
    torch.testing.assert_close(found, x, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("gated", [False, True])
def test_gps_with_gatedgcn_is_its_authors(gated, dtype, tolerance):
    torch.manual_seed(0)
    x, edges, e, distance = start(dtype)
    distance = distance if gated else None
    network = GPS(CHANNELS, conv="gatedgcn", layers=2, heads=2, gated=gated).to(dtype).train()
    found = network(x, edges, e, torch.zeros(7, dtype=torch.long), distance=distance)
    for layer in network.layers:
        new, hat = gated_gcn(layer.conv, x, edges, e, distance)
        e = e + normed(layer.conv.norm, hat).relu()
        local = normed(layer.conv_norm, x + normed(layer.own_norm, new).relu())
        attended = layer.attention.attention(x[None], x[None], x[None])[0][0]
        y = local + normed(layer.attention_norm, x + attended)
        up, _, _, down, _ = layer.mlp
        x = normed(layer.mlp_norm, y + linear(down, linear(up, y).relu()))
    torch.testing.assert_close(found, x, rtol=10 * tolerance, atol=10 * tolerance)


@pytest.mark.parametrize("conv", ["gin", "gine"])
def test_gated_gin(conv, dtype, tolerance):
    torch.manual_seed(0)
    x, edges, e, distance = start(dtype)
    network = MessagePassing(CHANNELS, conv=conv, layers=1, gated=True).to(dtype).train()
    found = network(x, edges, e, torch.zeros(7, dtype=torch.long), distance=distance)
    layer, total = network.convs[0], x.clone()
    for number, (j, i) in enumerate(edges.T.tolist()):
        message = (x[j] + e[number]).relu() if conv == "gine" else x[j]
        total[i] = total[i] + message * gate_of(layer.gate, distance[number])
    first, _, last = layer.mlp
    wanted = x + normed(network.norms[0], linear(last, linear(first, total).relu())).relu()
    torch.testing.assert_close(found, wanted, rtol=tolerance, atol=tolerance)


def test_dropout_reaches_edges():
    torch.manual_seed(0)
    x, edges, e, _ = start(torch.float32)
    conv = MessagePassing(CHANNELS, conv="gatedgcn", layers=1, dropout=0.5).train().convs[0]
    changed = conv(x, edges, e)[1] - e
    positive = batch_norm(gated_gcn(conv, x, edges, e, None)[1], None, None, training=True) > 0
    assert (changed[positive] == 0).any()
    assert (changed[positive] > 0).any()


def test_a_batch_norm_of_no_rows_learns_nothing():
    norm = RowBatchNorm(4).train()
    assert norm(torch.empty(0, 4)).shape == (0, 4)
    assert norm.running_mean.isfinite().all()
