"""A computation that is late, lost or refused takes nothing else with it."""

import multiprocessing
import os
import threading
import time

import pytest

from ogeaug.errors import UserError
from ogeaug.explore.workers import Busy, TooLong, Workers, _serve


def jobs():
    return {
        "echo": lambda value: value,
        "pid": os.getpid,
        "sleep": lambda seconds: time.sleep(seconds),
        "wait": wait,
        "refuse": refuse,
        "fail": lambda: 1 / 0,
        "die": lambda: os._exit(3),
    }


def wait(path):
    while not os.path.exists(path):
        time.sleep(0.01)


def refuse():
    raise UserError("not this one")


def no_jobs():
    raise UserError("there is no model")


@pytest.fixture
def workers():
    made = Workers(jobs, most=1, waiting=1, seconds=1.0)
    made.start()
    yield made
    made.close()


def test_a_process_answers_refuses_fails_and_goes_on(workers):
    first = workers.call("pid")
    assert first != os.getpid()
    assert workers.call("echo", value={"a": [1]}) == {"a": [1]}
    with pytest.raises(UserError, match="not this one"):
        workers.call("refuse")
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        workers.call("fail")
    assert workers.call("pid") == first


def test_late_or_lost_processes_are_replaced(workers):
    first = workers.call("pid")
    with pytest.raises(TooLong, match="longer than 1 seconds"):
        workers.call("sleep", seconds=60)
    second = workers.call("pid")
    assert second != first
    with pytest.raises(OSError):  # noqa: PT011  (it is gone)
        os.kill(first, 0)
    with pytest.raises(RuntimeError, match="has ended"):
        workers.call("die")
    assert workers.call("pid") not in (first, second)


def test_more_than_can_wait_are_refused(workers, monkeypatch, tmp_path):
    workers.seconds = workers._patience = 60.0
    asked, ask, go = threading.Semaphore(0), workers._ask, tmp_path / "go"
    monkeypatch.setattr(workers, "_ask", lambda *values: asked.release() or ask(*values))
    threads = [
        threading.Thread(target=lambda: workers.call("wait", path=str(go))) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
        assert asked.acquire(timeout=60)
    with pytest.raises(Busy, match="busy"):
        workers.call("pid")
    go.touch()
    for thread in threads:
        thread.join()
    assert workers.call("echo", value=1) == 1


def test_a_process_ends_without_a_word_when_the_server_is_gone(monkeypatch):
    """Before it has begun, and while it waits."""
    monkeypatch.setattr("signal.signal", lambda *_: None)  # it is this process here
    own, other = multiprocessing.Pipe()
    other.close()
    _serve(own, jobs, ())
    own, other = multiprocessing.Pipe()
    other.send(("echo", {"value": 1}))
    thread = threading.Thread(target=_serve, args=(own, jobs, ()))
    thread.start()
    assert [other.recv(), other.recv()] == [("ready", ""), ("ok", 1)]
    other.close()
    thread.join(20)
    assert not thread.is_alive()


def test_a_process_that_cannot_begin_says_why():
    with pytest.raises(UserError, match="there is no model"):
        Workers(no_jobs).start()
