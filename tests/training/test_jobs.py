"""Runs in processes of their own: a failing member, one that is killed, Ctrl-C."""

import os
import signal
import threading
import time

import pytest

from ogeaug.errors import TrainingStopped, UserError
from ogeaug.training.jobs import run_jobs


def nothing():
    pass


def job(word):
    """In the other process."""
    if word == "fails":
        raise TrainingStopped("the loss is nan")
    if word == "dies":
        os.kill(os.getpid(), signal.SIGKILL)
    if word == "sleeps":
        os.kill(os.getppid(), signal.SIGINT)  # Ctrl-C, as soon as it runs
        time.sleep(60)
    if word == "naps":
        time.sleep(60)
    if word == "ignores":
        os.kill(os.getpid(), signal.SIGINT)
    return word, os.getpid()


def test_results_come_as_they_end():
    found = dict(run_jobs(job, ["a", "ignores", "c"], 2, nothing))
    assert [found[i][0] for i in range(3)] == ["a", "ignores", "c"]
    assert os.getpid() not in {pid for _, pid in found.values()}


def test_errors_come_back():
    with pytest.raises(TrainingStopped, match="the loss is nan"):
        list(run_jobs(job, ["fails", "a"], 2, nothing))
    with pytest.raises(UserError, match=r"ended by the system, most often .* fewer --jobs"):
        list(run_jobs(job, ["dies", "a"], 2, nothing))


@pytest.fixture
def ctrl_c():
    """As a terminal has it; tests may run where it is ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_at_the_start_is_heard_afterwards():
    signalled = threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT))
    begun = time.monotonic()
    signalled.start()  # while processes are started
    with pytest.raises(KeyboardInterrupt):
        list(run_jobs(job, ["naps", "naps"], 2, nothing))
    assert time.monotonic() - begun < 30


def test_who_stops_listening_waits_for_no_run():
    results = run_jobs(job, ["a", "naps"], 2, nothing)
    next(results)
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < 30


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_waits_for_no_run():
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt, match=r"continue by  the same call or command"):
        list(run_jobs(job, ["sleeps"], 2, nothing))
    assert time.monotonic() - begun < 30
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
