"""What enters the core is checked at one gate: a wrong caller gets an exception, never a crash."""

import ast
import dataclasses
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch_geometric.data import Batch

import ogeaug
from ogeaug import AddSpectrum, OGEAug
from ogeaug.native import build, gate
from ogeaug.spectrum.noise import Draw
from ogeaug.spectrum.smoothing import Cosine, Custom
from ogeaug.spectrum.solvers.base import Problem
from ogeaug.spectrum.solvers.native import Native, decompose
from ogeaug.spectrum.spectra import SpectrumBatch
from ogeaug.tensors.compiled.functions import Message, Product, Start
from ogeaug.tensors.compiled.layout import CoreLayout, lay_out_core
from ogeaug.tensors.compiled.neighbours import list_neighbours
from tests.graphs import HARD
from tests.torture import tries

pytestmark = pytest.mark.skipif(not build.available(), reason="no C++ compiler here")
ROOT = Path(ogeaug.__file__).parent


@pytest.fixture
def batch():
    names = ("path", "star", "grid")
    return Batch.from_data_list([AddSpectrum()(HARD[name].clone()) for name in names])


@pytest.fixture
def model():
    return OGEAug(4, hidden_channels=8, num_layers=2, kernel="compiled")


def plan_of(batch, smoothing=None):
    spectra = OGEAug(4).read_spectra(batch)
    neighbours = list_neighbours(batch.edge_index, batch.num_nodes, None)
    return lay_out_core(spectra, smoothing or Cosine(0.3), neighbours, torch.float32)


def run(*command):
    """A process of its own, which may crash."""
    command = [sys.executable, *map(str, command)]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT.parent, check=False)


@pytest.mark.torture
def test_tampered_batches_never_crash():
    """Some of the seeds for each process, so that a crash hides little."""
    for first in range(0, tries(60, 10_000), tries(60, 1000)):
        done = run("-m", "tests.native.tamper", first, tries(60, 1000))
        assert done.stdout.endswith("done\n"), (done.returncode, done.stdout[-10:], done.stderr)


def test_nobody_goes_around_the_gate():
    for path in ROOT.rglob("*.py"):
        if path.parent.name == "native":
            continue
        names = {getattr(node, "attr", None) for node in ast.walk(ast.parse(path.read_text()))}
        assert not names & {"data_ptr", "byref"}, path


@pytest.mark.parametrize("kind", [torch.int32, torch.int16, torch.uint8])
def test_pointers_of_any_integers(batch, model, kind):
    expected = model(batch)
    batch.ptr = batch.ptr.to(kind)
    batch._slice_dict["eigvals"] = batch._slice_dict["eigvals"].to(kind)
    assert torch.equal(model(batch), expected)


@pytest.mark.parametrize(
    ("ptr", "message"),
    [
        ([0.0, 9.0, 19.0, 35.0], "whole numbers, got torch.float32"),
        ([0, 19, 9, 35], "must ascend from 0"),
        ([-1, 9, 19, 35], "must ascend from 0"),
        ([0, 9, 19, 36], "speak of 36 nodes, the data of 35"),
        ([], "whole numbers, got torch.float32"),
        ([[0, 35]], "must be a vector"),
    ],
)
def test_pointers_that_are_none(batch, model, ptr, message):
    batch.ptr = torch.tensor(ptr)
    with pytest.raises((TypeError, ValueError), match=message):
        model(batch)


@pytest.mark.parametrize(
    "slices", [[0, 20, 5, 35], [0, 9, 19, 34], [0, 12, 19, 35], [5, 9, 19, 35]]
)
def test_slices_that_are_none(batch, model, slices):
    batch._slice_dict["eigvals"] = torch.tensor(slices)
    with pytest.raises(ValueError, match=r"must ascend|do not fit"):
        model(batch)


def test_a_batch_vector_of_wild_numbers(batch, model):
    del batch.ptr
    for wild, message in ((10**12, "names graph 1000000000000"), (-1, "must ascend from 0")):
        batch.batch = torch.full_like(batch.batch, wild)
        with pytest.raises(ValueError, match=message):
            model(batch)


def test_what_the_core_cannot_take_is_converted(batch, model):
    expected = model(batch)
    changed = batch.clone()
    changed.edge_index = batch.edge_index.t().contiguous().t().int()
    changed.eigvals = torch.stack([batch.eigvals, batch.eigvals], 1)[:, 0]
    changed.eigvecs = batch.eigvecs.float()
    changed.edge_weight = torch.ones(batch.num_edges, dtype=torch.float16)
    del changed.ptr
    torch.testing.assert_close(model(changed), expected)
    with torch.device("meta"):
        assert torch.equal(model(batch), expected)


def test_complex_spectra_are_refused(batch, model):
    batch.eigvecs = batch.eigvecs.to(torch.complex128)
    with pytest.raises(TypeError, match="got complex numbers"):
        model(batch)


def test_memory_that_cannot_be_written(batch, model, tmp_path):
    """The core only reads what it is given: here a file that was mapped for reading."""
    expected = model(batch)
    for key in ("eigvals", "eigvecs", "edge_index"):
        (tmp_path / key).write_bytes(batch[key].numpy().tobytes())
        (tmp_path / key).chmod(0o400)
        mapped = torch.from_file(
            str(tmp_path / key), shared=False, size=batch[key].numel(), dtype=batch[key].dtype
        )
        batch[key] = mapped.view_as(batch[key])
    assert torch.equal(model(batch), expected)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        (lambda t: t.int(), TypeError),
        (lambda t: t[:-1], ValueError),
        (lambda t: torch.stack([t, t], 1)[:, 0], ValueError),
        (lambda t: t.to("meta"), ValueError),
        (lambda t: t.to_sparse(), ValueError),
        (lambda t: t.tolist(), TypeError),
    ],
)
def test_the_gate(wrong, error):
    struct = gate.Struct("x:int64:N")
    right = torch.arange(5)
    assert struct.fill({}, {"N": 5}, {"x": right}).x == right.data_ptr()
    with pytest.raises(error, match="the compiled core takes x as"):
        struct.fill({}, {"N": 5}, {"x": wrong(right)})
    with pytest.raises(error, match="the compiled core takes x as"):
        struct.add(struct.fill({}, {}, {}), {"N": 5}, {"x": wrong(right)})


def changed(tensor, at, number):
    tensor = tensor.clone()
    tensor[at] = number
    return tensor


@pytest.mark.parametrize("name", ["node", "eig", "pair", "row1", "row2", "start"])
@pytest.mark.parametrize("number", [-1, 2**40, -(2**63)])
@pytest.mark.parametrize("at", [0, 1, -1])
def test_no_plan_with_wrong_bounds(batch, name, number, at):
    plan = plan_of(batch)
    with pytest.raises(ValueError, match=r"fit together|sees another|node 0 has an edge"):
        dataclasses.replace(plan, **{name: changed(getattr(plan, name), at, number)})


@pytest.mark.parametrize("name", ["low", "high", "first"])
@pytest.mark.parametrize("number", [-1, 30, 2**31 - 1, -(2**31)])
@pytest.mark.parametrize("at", [0, 3, -1])
def test_no_plan_with_wrong_windows(batch, name, number, at):
    plan = plan_of(batch)
    with pytest.raises(ValueError, match="some eigenpair sees another"):
        dataclasses.replace(plan, **{name: changed(getattr(plan, name), at, number)})


@pytest.mark.parametrize("number", [-1, 9, 35, 2**40])
def test_no_plan_with_foreign_neighbours(batch, number):
    plan = plan_of(batch)
    with pytest.raises(ValueError, match="node 0 has an edge to a node of another graph"):
        dataclasses.replace(plan, neighbour=changed(plan.neighbour, 0, number))


@pytest.mark.parametrize(
    "name",
    [
        field.name
        for field in dataclasses.fields(CoreLayout)
        if field.name not in ("weight", "half", "_filled")
    ],
)
def test_no_plan_of_other_kinds_and_lengths(batch, name):
    plan = plan_of(batch)
    tensor = getattr(plan, name)
    for wrong in (tensor.half(), tensor[:-1], tensor.to("meta"), torch.stack([tensor, tensor])):
        with pytest.raises((TypeError, ValueError)):
            dataclasses.replace(plan, **{name: wrong})


def test_layers_take_what_fits_the_plan(batch):
    plan = plan_of(batch)
    rows0, rows1, rows2 = plan.num_rows
    eigs, h = len(plan.low), 8
    square = [torch.randn(h, h) for _ in range(4)]
    w = [torch.randn(rows, h) for rows in (rows1, rows2)]
    t0, scalars = torch.randn(rows0, h), torch.randn(7)
    start = [torch.randn(rows1), torch.randn(eigs), torch.randn(eigs, h), torch.randn(h)]
    calls = {
        Start: (plan, start),
        Product: (plan, 1e-5, True, True, [*w, t0, scalars, *square]),
        Message: (plan, 1e-5, [*w, *square[:2]]),
    }
    for layer, (*options, tensors) in calls.items():
        layer.apply(*options, *tensors)
        for i, tensor in enumerate(tensors):
            for wrong in (tensor[:-1], tensor.double(), tensor.to("meta")):
                with pytest.raises((TypeError, ValueError)):
                    layer.apply(*options, *tensors[:i], wrong, *tensors[i + 1 :])
    with pytest.raises(ValueError, match="zip"):
        Product.apply(plan, 1e-5, False, True, *w, t0, scalars, *square[:3])


def test_layers_take_strided_gradients(batch):
    plan = plan_of(batch)
    rows = plan.num_rows[1:]
    w = [torch.randn(8, n).t().requires_grad_() for n in rows]  # the rows of another layout
    out = Message.apply(plan, 1e-5, *w, torch.randn(8, 8), torch.randn(8, 8))
    gradients = [torch.randn(8, n).t() for n in rows]
    found = torch.autograd.grad(out, w, gradients, retain_graph=True)
    expected = torch.autograd.grad(out, w, [g.contiguous() for g in gradients])
    for one, other in zip(found, expected, strict=True):
        assert torch.equal(one, other)


def test_windows_that_only_one_side_sees_take_the_plain_path():
    """A function that is none of the distance; the core would read pairs that are not there."""

    class Fickle(Custom):
        def __call__(self, distance):
            rho = super().__call__(distance)
            return changed(rho, 2, 0.0) if len(rho) == 4 else rho  # 1 does not see 0

    two = torch.tensor([0.0, 0.1], dtype=torch.float64)
    count = torch.tensor([2])
    spectra = SpectrumBatch(two, two, two, count, count)
    neighbours = list_neighbours(torch.empty(2, 0, dtype=torch.long), 2, None)
    fickle = Fickle(1.0, lambda x: 1 - x)
    assert lay_out_core(spectra, fickle, neighbours, torch.float32) is None


def test_more_pairs_than_32_bits_count_take_the_plain_path():
    count = torch.tensor([50_000])  # 2.5e9 pairs
    zeros = torch.zeros(50_000, dtype=torch.float64)
    spectra = SpectrumBatch(zeros, zeros[:0], zeros[:1], count, count)
    neighbours = list_neighbours(torch.empty(2, 0, dtype=torch.long), 50_000, None)
    assert lay_out_core(spectra, Cosine(0.1), neighbours, torch.float32) is None


def test_smoothings_of_another_length_are_refused(batch):
    class Short(Custom):
        def __call__(self, distance):
            return super().__call__(distance)[:-1]

    with pytest.raises(ValueError, match="the compiled core takes rho as"):
        plan_of(batch, Short(1.0, lambda x: 1 - x))


@pytest.mark.parametrize("counts", [[9, 10, 17], [9, 10, -16], [2**62, 2**62, 35], [9, 26]])
def test_counts_that_do_not_add_up(batch, counts):
    spectra = OGEAug(4).read_spectra(batch)
    wrong = dataclasses.replace(spectra, num_eigvals=torch.tensor(counts))
    neighbours = list_neighbours(batch.edge_index, batch.num_nodes, None)
    with pytest.raises(ValueError, match=r"eigenvalues, but the data has|the compiled core takes"):
        lay_out_core(wrong, Cosine(0.3), neighbours, torch.float32)


def test_the_preparation_takes_what_fits_its_graphs():
    edges, sizes = HARD["path"].edge_index, [9]
    fine = torch.arange(9)
    assert decompose(edges, sizes, None, Draw(fine, None, 0.0)) is not None
    for place in (fine + 1, fine - 1, fine * 2**40):  # nodes that are not there
        assert decompose(edges, sizes, None, Draw(place, None, 0.0)) is None
    for wrong in (Draw(fine[:-1], None, 0.0), Draw(None, torch.zeros(44), 1.0)):
        with pytest.raises(ValueError, match="the compiled core takes"):
            decompose(edges, sizes, None, wrong)
    huge = torch.full((edges.size(1),), 1e308, dtype=torch.float64)  # degrees overflow
    assert decompose(edges, sizes, huge, Draw(None, None, 0.0)) is None
    for sizes in ([10**6], [-9], [0], [2**40, 1]):  # refused before anything is allocated
        assert not Native().can(Problem(edges, sizes, None))


MEMORY = """
import resource, torch
from ogeaug.tensors.compiled.neighbours import list_neighbours
n = 2_000_000
way = torch.stack([torch.arange(n - 1), torch.arange(1, n)])
edges = torch.cat([way, way.flip(0)], 1)  # 64 MB; the core needs 128 MB more
assert list_neighbours(edges[:, :0], n, None) is not None
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 110 * 2**20, -1))
try:
    list_neighbours(edges, n, None)
except MemoryError as error:
    print("MemoryError:", error)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
@pytest.mark.skipif("OGEAUG_SANITIZE" in os.environ, reason="the sanitizer itself needs more")
def test_lack_of_memory_is_an_exception():
    done = run("-c", MEMORY)
    assert "MemoryError: the compiled core ran out of memory" in done.stdout, done
