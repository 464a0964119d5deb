"""With Dask, on processes of their own, all is as without it."""

import os
import sys

import pytest

from ogeaug.errors import UserError
from ogeaug.inference.encode import encode_table
from ogeaug.inference.predict import predict_table
from ogeaug.inference.scale_out import map_in_order
from tests.training.tiny import molecules, write_csv


@pytest.fixture(scope="module")
def scheduler():
    distributed = pytest.importorskip("distributed")
    options = {"threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(n_workers=2, processes=True, **options) as cluster:
        yield cluster.scheduler_address


def where(shared, chunk):
    return os.getpid(), shared, chunk


def test_order_is_kept_and_little_is_read_ahead(scheduler):
    taken = []

    def chunks():
        for i in range(100):
            taken.append(i)
            yield i

    results = map_in_order(where, "same", chunks(), dask=scheduler)
    first = next(results)
    assert len(taken) <= 5
    found = [first, *results]
    assert [chunk for _, _, chunk in found] == list(range(100))
    assert {shared for _, shared, _ in found} == {"same"}
    assert os.getpid() not in {process for process, _, _ in found}


def test_predictions_are_the_same(scheduler, run, tmp_path):
    rows = [f"{i},{s}" for i, s in enumerate(["CCO", "", "no", "C" * 60, *molecules(30)] * 2)]
    source = write_csv(tmp_path / "new.csv", header="id,smiles", rows=rows)
    found = []
    for name, dask in (("here", None), ("there", scheduler), ("beside", "2")):
        path = tmp_path / f"{name}.csv"
        counts = predict_table(source, [run], path, chunk=5, dask=dask, progress=False)
        assert counts == {"read": 68, "failed": 4}
        found.append(path.read_bytes())
    assert found[0] == found[1] == found[2]


@pytest.mark.parametrize("pooling", ["none", "sum"])
def test_encodings_are_the_same(scheduler, tmp_path, pooling):
    source = write_csv(tmp_path / "s.csv", header="smiles", rows=["CCO", "bad", *molecules(20)])
    found = []
    for name, dask in (("here", None), ("there", scheduler)):
        path = tmp_path / f"{name}.csv"
        counts = encode_table(source, path, pooling=pooling, chunk=4, dask=dask, progress=False)
        assert counts == {"read": 22, "failed": 1}
        found.append(path.read_bytes())
    assert found[0] == found[1]


def test_no_scheduler():
    pytest.importorskip("distributed")
    with pytest.raises(UserError, match=r"no scheduler with workers there.*tcp://host:8786"):
        next(map_in_order(where, None, [1], dask="tcp://127.0.0.1:9"))


def test_no_certificate():
    pytest.importorskip("distributed")
    with pytest.raises(UserError, match=r"no scheduler with workers there \(TLS expects"):
        next(map_in_order(where, None, [1], dask="tls://127.0.0.1:9"))


@pytest.mark.parametrize("address", ["nonsense", "0", "-1", "²", ""])
def test_no_address(address):
    with pytest.raises(UserError, match=r"neither the address .*tcp://host:8786, nor a positive"):
        next(map_in_order(where, None, [1], dask=address))


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(UserError, match=r"pip install 'ogeaug\[dask\]'"):
        next(map_in_order(where, None, [1], dask="tcp://127.0.0.1:9"))
    assert next(map_in_order(where, None, [1], dask="1"))[2] == 1  # by processes alone
