import torch

from ogeaug.data.molecule import smiles_to_data
from ogeaug.training.batches import NoisyGraphs, batch_order, epoch_seed
from ogeaug.transforms.add_spectrum import AddSpectrum


def test_every_graph_once_and_seeded():
    for bucket in (False, True):
        order = batch_order(list(range(103)), 10, seed=1, bucket=bucket)
        assert sorted(i for batch in order for i in batch) == list(range(103))
        assert order == batch_order(list(range(103)), 10, seed=1, bucket=bucket)
        assert order != batch_order(list(range(103)), 10, seed=2, bucket=bucket)


def test_no_batch_of_one_graph():
    assert [len(b) for b in batch_order([1] * 9, 4, seed=0, bucket=False)] == [4, 5]
    assert batch_order([1], 4, seed=0, bucket=False) == [[0]]


def test_buckets_hold_similar_sizes():
    sizes = list(range(100)) * 4
    spread = [
        sum(max(sizes[i] for i in b) - min(sizes[i] for i in b) for b in order)
        for order in (batch_order(sizes, 16, seed=0, bucket=bucket) for bucket in (True, False))
    ]
    assert spread[0] < spread[1] / 5


def test_noise_depends_on_seed_and_index_only():
    graphs = [smiles_to_data(s) for s in ("CCO", "CCCC")]
    noisy = NoisyGraphs(graphs, AddSpectrum(noise=1e-3), seed=lambda: 5)
    first = noisy[1].eigvals
    torch.rand(3)
    noisy[0]
    assert torch.equal(noisy[1].eigvals, first)
    other = NoisyGraphs(graphs, AddSpectrum(noise=1e-3), seed=lambda: 6)[1].eigvals
    assert not torch.equal(other, first)


def test_drawing_noise_leaves_the_generator_alone():
    noisy = NoisyGraphs([smiles_to_data("CCO")], AddSpectrum(noise=1e-3), seed=lambda: 5)
    state = torch.random.get_rng_state()
    noisy[0]
    assert torch.equal(torch.random.get_rng_state(), state)


def test_epochs_have_their_own_seeds():
    seeds = {epoch_seed(seed, epoch) for seed in (-1, 0, 1) for epoch in range(100)}
    assert len(seeds) == 300
