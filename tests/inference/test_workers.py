"""Processes of this machine: in order, out of reach, and gone when they are not needed."""

import gc
import os
import signal
import subprocess
import sys
import time
from typing import ClassVar
from weakref import WeakSet

import psutil
import pytest

from ogeaug.errors import UserError
from ogeaug.inference.workers import map_in_processes
from tests.torture import tries


def later(shared, seconds):
    time.sleep(seconds)
    return os.getpid(), shared, seconds


def meet(folder, chunk):
    """Waits for another process; how many have come."""
    (folder / str(os.getpid())).touch()
    end = time.monotonic() + 60
    while len(list(folder.iterdir())) < 2 and time.monotonic() < end:
        time.sleep(0.01)
    return len(list(folder.iterdir()))


def same(shared, chunk):
    return chunk


def fail(shared, chunk):
    if chunk == 3:
        raise UserError("row 3 is bad")
    return chunk


def threads(shared, chunk):
    import torch  # not above: each process would wait for it

    return torch.get_num_threads()


def die(folder, chunk):
    """Killed, as by a system without memory: at chunk 2 once, at chunk 5 always."""
    once = folder / f"{chunk}"
    if chunk == 5 or (chunk == 2 and not once.exists()):
        once.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return chunk


def family():
    me = psutil.Process()
    return [me, *me.children(recursive=True)]


def test_order_is_kept_and_little_is_read_ahead():
    taken = []

    def chunks():
        for seconds in (0.2, 0.0, 0.01) * 5:
            taken.append(seconds)
            yield seconds

    results = map_in_processes(later, "same", chunks(), 2)
    first = next(results)
    assert len(taken) <= 5
    found = [first, *results]
    assert [seconds for _, _, seconds in found] == [0.2, 0.0, 0.01] * 5
    assert {shared for _, shared, _ in found} == {"same"}
    assert os.getpid() not in {process for process, _, _ in found}


def test_processes_work_at_the_same_time(tmp_path):
    assert list(map_in_processes(meet, tmp_path, range(2), 2)) == [2, 2]


class Rows:
    """A chunk that counts its copies in this process."""

    alive: ClassVar[WeakSet["Rows"]] = WeakSet()

    def __init__(self):
        self.alive.add(self)

    def __setstate__(self, state):
        self.alive.add(self)

    def __getstate__(self):
        return "never empty, or else __setstate__ would not be called"


def test_chunks_are_forgotten():
    most = 0
    for i, _ in enumerate(map_in_processes(same, None, (Rows() for _ in range(60)), 1)):
        if i % 20 == 19:
            gc.collect()
            most = max(most, len(Rows.alive))
    assert 0 < most <= 10


def test_nobody_else_can_reach_them():
    """A port that anybody on the machine may connect to would run anybody's code."""
    ports = [p.net_connections("inet") for p in family()]
    before = named_sockets()  # of other tests in this process
    results = map_in_processes(later, None, [0.0] * 9, 1)
    next(results)
    there = family()
    assert len(there) > 1
    assert [c for p in there for c in p.net_connections("inet")] == [c for p in ports for c in p]
    assert named_sockets() <= before
    results.close()


def named_sockets():
    return {c.laddr for p in family() for c in p.net_connections("unix") if c.laddr}


def test_nobody_is_left_over():
    before = set(family())
    results = map_in_processes(later, None, [0.0, 60.0], 2)
    next(results)
    results.close()
    helpers = set(family()) - before
    assert all("resource_tracker" in " ".join(p.cmdline()) for p in helpers)


def test_an_error_is_raised_here():
    results = map_in_processes(fail, None, range(9), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(UserError, match="row 3 is bad"):
        next(results)


@pytest.mark.torture
def test_a_process_that_dies_is_replaced(tmp_path):
    for i in range(tries(1, 10)):
        folder = tmp_path / str(i)
        folder.mkdir()
        results = map_in_processes(die, folder, range(9), 2)
        assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(UserError, match=r"3 times at the same rows.*fewer"):
            next(results)


def test_processes_do_not_fight_for_the_cores(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "2")
    assert list(map_in_processes(threads, None, [0], 1)) == [1]
    assert os.environ["OMP_NUM_THREADS"] == "2"


FIRST = """
import time
from ogeaug.inference.workers import map_in_processes
results = map_in_processes(time.strftime, "%Y", [time.localtime()] * 9, 2)
next(results)
print("working", flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_they_end_with_the_first_process(how):
    with subprocess.Popen(
        [sys.executable, "-c", FIRST], stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout.readline() == "working\n"
        children = psutil.Process(process.pid).children(recursive=True)
        assert len(children) >= 2
        process.send_signal(how)
    _, alive = psutil.wait_procs(children, timeout=20)
    assert alive == []
