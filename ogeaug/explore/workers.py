"""Processes that compute for the page: one that takes too long is ended, the page goes on."""

import contextlib
import logging
import multiprocessing
import queue
import signal
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

from ogeaug.errors import UserError
from ogeaug.explore.limits import MOST_WAITING, SECONDS

Job = Callable[..., Any]
BUSY = "the page is busy with other requests; try again in a moment"
logger = logging.getLogger(__name__)


class Busy(UserError):
    """Too much is asked for at once."""


class TooLong(UserError):
    """A computation took longer than the page waits for one."""


class Workers:
    """Calls jobs by name in processes of their own, each with one thread.

    Threads of the server share the processes. One that is past its time is ended, and another takes
    its place.

    Args:
        make_jobs: Called in each process: gives it its jobs by name. Of a module, so that it can
            be found there.
        arguments: Of ``make_jobs``.
        most: Processes.
        waiting: Calls that may wait for a process; more are refused.
        seconds: That a call may take, from the moment that a process has it.
    """

    def __init__(
        self,
        make_jobs: Callable[..., dict[str, Job]],
        *arguments: Any,
        most: int = 2,
        waiting: int = MOST_WAITING,
        seconds: float = SECONDS,
    ) -> None:
        self._make, self._arguments, self.seconds = make_jobs, arguments, seconds
        self._room = threading.BoundedSemaphore(most + waiting)
        self._idle: queue.LifoQueue[_Process | None] = queue.LifoQueue()
        self._most, self._patience = most, seconds * (1 + waiting / most)
        self._closed = False

    def start(self) -> None:
        """Begins all processes, and waits until the first can work: imports take seconds."""
        self._idle.put(self._begin())
        for _ in range(self._most - 1):
            self._begin_aside()

    def call(self, job: str, **values: Any) -> Any:
        """The result of a job.

        Raises:
            UserError: Of the job itself; or Busy, or TooLong.
            RuntimeError: The job failed for a reason that nobody thought of.
        """
        if not self._room.acquire(blocking=False):
            raise Busy(BUSY)
        try:
            done, result = self._ask(job, values)
        finally:
            self._room.release()
        if done == "ok":
            return result
        raise UserError(result) if done == "user" else RuntimeError(result)

    def close(self) -> None:
        """Ends all processes that are not at work; those at work end with the server."""
        self._closed = True
        with contextlib.suppress(queue.Empty):
            while True:
                process = self._idle.get_nowait()
                if process is not None:
                    process.end()

    def _ask(self, job: str, values: dict[str, Any]) -> tuple[str, Any]:
        try:
            process = self._idle.get(timeout=self._patience)
        except queue.Empty:
            raise Busy(BUSY) from None
        try:
            process = process or self._begin()
            answer = process.ask(job, values, self.seconds)
        except BaseException:  # what it still has to say is the answer to another question
            if process is None:
                self._idle.put(None)
            else:
                process.end()
                self._begin_aside()
            raise
        self._idle.put(process)
        return answer

    def _begin(self) -> "_Process":
        return _Process(self._make, self._arguments)

    def _begin_aside(self) -> None:
        def begin() -> None:
            process = None  # the next call tries again, and tells what is wrong
            try:
                process = self._begin()
            except (UserError, RuntimeError, OSError):
                logger.exception("a process of the page could not be started")
            self._idle.put(process)
            if self._closed:
                self.close()

        threading.Thread(target=begin, daemon=True).start()


class _Process:
    def __init__(
        self, make_jobs: Callable[..., dict[str, Job]], arguments: tuple[Any, ...]
    ) -> None:
        context = multiprocessing.get_context("spawn")  # torch does not survive a fork
        self.pipe, other = context.Pipe()
        self.process = context.Process(
            target=_serve, args=(other, make_jobs, arguments), daemon=True, name="ogeaug-explore"
        )
        self.process.start()
        other.close()
        done, text = self._receive(180.0)
        if done != "ready":
            self.end()
            raise UserError(text) if done == "user" else RuntimeError(text)

    def ask(self, job: str, values: dict[str, Any], seconds: float) -> tuple[str, Any]:
        self.pipe.send((job, values))
        return self._receive(seconds)

    def _receive(self, seconds: float) -> tuple[str, Any]:
        if not self.pipe.poll(seconds):
            raise TooLong(
                f"this took longer than {seconds:g} seconds, so it was stopped; choose a smaller "
                "graph, a lower order, a smaller delta or fewer layers"
            )
        try:
            answer: tuple[str, Any] = self.pipe.recv()
        except EOFError as error:
            raise RuntimeError("the process that computes has ended") from error
        return answer

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()
        self.process.close()


def _serve(
    pipe: Connection, make_jobs: Callable[..., dict[str, Job]], arguments: tuple[Any, ...]
) -> None:
    """The life of a process: jobs until the server is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server is interrupted, and ends this one
    answer: tuple[str, Any]
    try:
        jobs = make_jobs(*arguments)
        answer = "ready", ""
    except UserError as error:
        jobs, answer = {}, ("user", str(error))
    with contextlib.suppress(EOFError, OSError):  # the server is gone
        while True:
            pipe.send(answer)
            name, values = pipe.recv()
            answer = _work(jobs, name, values)


def _work(jobs: dict[str, Job], name: str, values: dict[str, Any]) -> tuple[str, Any]:
    try:
        return "ok", jobs[name](**values)
    except UserError as error:
        return "user", str(error)
    except MemoryError as error:
        return "user", f"the memory of this machine does not suffice: {error}"
    except Exception as error:
        return "failed", f"{name}: {type(error).__name__}: {error}"
