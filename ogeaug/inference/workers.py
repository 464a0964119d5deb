"""Processes of this machine that work on chunks, in order, with nothing that others could reach."""

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from ogeaug.errors import UserError

RETRIES = 2
"""How often chunks are tried again after a process has died."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


def map_in_processes(
    function: Callable[[Any, Any], Any], shared: Any, chunks: Iterable[Any], count: int
) -> Iterator[Any]:
    """``function(shared, chunk)`` of each chunk, in order, by Python's own pool of processes.

    It talks to them through pipes without a name: no port is opened, and no other user can send
    them anything. They end with this process, however that ends. If one dies (killed for its
    memory, say), the pool is started anew and its chunks are tried again.

    Args:
        function: From an importable module.
        shared: Its first argument, sent to each process once.
        chunks: Read as results are taken: at most two per process are on their way.
        count: How many processes.
    """
    source, waiting = iter(chunks), deque[Any]()
    deaths = 0
    while True:
        with closing(_Pool(function, shared, count)) as pool:
            tasks = deque((chunk, pool.submit(chunk)) for chunk in waiting)
            while True:
                for chunk in islice(source, 2 * count - len(tasks)):
                    tasks.append((chunk, pool.submit(chunk)))
                if not tasks:
                    return
                try:
                    result = tasks[0][1].result()
                except BrokenProcessPool as error:
                    deaths += 1
                    if deaths > RETRIES:
                        raise UserError(
                            f"a process of --dask was ended {deaths} times at the same rows; if "
                            "the memory does not suffice, use fewer processes"
                        ) from error
                    break
                deaths = 0
                tasks.popleft()
                yield result
            waiting = deque(chunk for chunk, _ in tasks)


class _Pool:
    """Python's pool, whose processes end as soon as it is closed or this process is gone."""

    def __init__(self, function: Callable[[Any, Any], Any], shared: Any, count: int) -> None:
        context = get_context("spawn")  # a fork would copy the threads' locks
        theirs, self.alive = context.Pipe(duplex=False)
        arguments = (theirs, pickle.dumps((function, shared)))
        self.pool = ProcessPoolExecutor(count, context, initializer=_start, initargs=arguments)

    def submit(self, chunk: Any) -> Future[Any]:
        try:
            return self.pool.submit(_call, chunk)
        except BrokenProcessPool as error:
            broken: Future[Any] = Future()
            broken.set_exception(error)
            return broken

    def close(self) -> None:
        self.alive.close()
        self.pool.shutdown(cancel_futures=True)


WORK: list[Any] = []
"""In a process of the pool: the function and its first argument."""


def _start(alive: Connection, message: bytes) -> None:
    os.environ.update(ONE_THREAD)  # before numerical libraries are loaded, which read it then
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the first process decides
    threading.Thread(target=_end_with, args=(alive,), daemon=True).start()
    WORK[:] = pickle.loads(message)


def _end_with(alive: Connection) -> None:
    """Waits for the other end of the pipe to be closed; nothing is ever sent."""
    try:
        alive.recv_bytes()
    except (EOFError, OSError):
        os._exit(0)


def _call(chunk: Any) -> Any:
    function, shared = WORK
    return function(shared, chunk)
