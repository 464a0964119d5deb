"""Several runs at a time, each in a process of its own, which ends with the call."""

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from typing import Any, TypeVar

from ogeaug.errors import UserError
from ogeaug.training.interrupt import SAME_CALL

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_jobs(
    function: Callable[[Item], Result], items: Sequence[Item], jobs: int, begin: Callable[[], None]
) -> Iterator[tuple[int, Result]]:
    """The number and the result of each item, as they end.

    Args:
        function: From an importable module.
        items: What it is called with; they are pickled.
        jobs: Processes, at least 1.
        begin: Called once in each of them. It travels through a pipe: what is large goes by a file.

    Raises:
        UserError: A process was ended by the system; or what the function raised. What others are
            at is finished first.
        KeyboardInterrupt: Ctrl-C; the processes are ended at once.
    """
    context = multiprocessing.get_context("spawn")  # torch does not survive a fork
    with ProcessPoolExecutor(jobs, context, _begin_child, (begin,)) as pool:
        with _later_ctrl_c():
            futures: dict[Future[Result], int] = {
                pool.submit(function, item): number for number, item in enumerate(items)
            }
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        except BrokenProcessPool as error:
            raise UserError(
                f"a process of --jobs {jobs} was ended by the system, most often since memory did "
                f"not suffice; continue by  {SAME_CALL}, with fewer --jobs. Your script needs "
                "the line  if __name__ == '__main__':  above its call"
            ) from error
        except KeyboardInterrupt as stop:
            _end(pool)
            raise KeyboardInterrupt(
                f"while runs were under way; continue by  {SAME_CALL}"
            ) from stop
        except GeneratorExit:  # the caller was interrupted, or cannot write
            _end(pool)
            raise
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise


def _begin_child(begin: Callable[[], None]) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
    begin()


def _end_with_parent() -> None:
    """Ends this process when the one that started it is gone, be it by a kill."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


@contextmanager
def _later_ctrl_c() -> Iterator[None]:
    """Processes that are started here never hear Ctrl-C: it is for the one that started them, which
    hears it afterwards."""
    resource_tracker.ensure_running()  # which lets signals through again when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _end(pool: ProcessPoolExecutor) -> None:
    """Ends all processes now: what they have written is whole, and goes on from the last epoch."""
    processes: dict[int, Any] = getattr(pool, "_processes", None) or {}
    pool.shutdown(wait=False, cancel_futures=True)
    for process in list(processes.values()):
        process.kill()
