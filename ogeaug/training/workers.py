"""Processes of this machine that work on chunks, in order, with nothing that others could reach."""

import os
import pickle
import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from ogeaug.errors import UserError

RETRIES = 2
"""How often a chunk is given to another process after its own has died."""
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")


def map_in_processes(
    function: Callable[[Any, Any], Any], shared: Any, chunks: Iterable[Any], count: int
) -> Iterator[Any]:
    """``function(shared, chunk)`` of each chunk, in order, computed by processes of this machine.

    They are talked to through pipes without a name: no port is opened, and no other user can send
    them anything. They end with this process, however that ends. A process that dies (killed for
    its memory, say) is replaced, and its chunk is tried again.

    Args:
        function: From an importable module.
        shared: Its first argument, sent to each process once.
        chunks: Read as results are taken: at most two per process are on their way.
        count: How many processes.
    """
    message = pickle.dumps((function, shared))
    with ExitStack() as stack:
        idle: list[_Worker] = []
        tasks: deque[_Task] = deque()
        source = iter(chunks)
        for _ in range(count):
            worker = _Worker(message)
            stack.callback(worker.end)
            idle.append(worker)
        for worker in idle:  # all have been started: none waits for another one's imports
            worker.send(message)
        more = True
        while True:
            while more and len(tasks) < 2 * count:
                task = next(map(_Task, source), None)
                more = task is not None
                if task is not None:
                    tasks.append(task)
            for task in tasks:
                if idle and task.worker is None and not task.done:
                    task.give(idle.pop())
            if not tasks:
                return
            if tasks[0].done:
                yield tasks.popleft().take()
                continue
            at_work = {task.worker.pipe: task for task in tasks if task.worker is not None}
            for pipe in wait(list(at_work)):
                task = at_work[pipe]  # type: ignore[index]
                idle.append(task.collect())


class _Task:
    """A chunk, the worker that has it, and in the end its result."""

    def __init__(self, chunk: Any) -> None:
        self.message: bytes | None = pickle.dumps(chunk)
        self.worker: _Worker | None = None
        self.answer: bytes | None = None
        self.deaths = 0

    @property
    def done(self) -> bool:
        return self.answer is not None

    def give(self, worker: "_Worker") -> None:
        assert self.message is not None
        self.worker = worker
        worker.send(self.message)

    def collect(self) -> "_Worker":
        """Takes the answer of the worker, which is free then; a dead one is started again."""
        assert self.worker is not None
        worker, self.worker = self.worker, None
        try:
            self.answer, self.message = worker.pipe.recv_bytes(), None
        except (EOFError, OSError):
            self.deaths += 1
            how = worker.restart()
            if self.deaths > RETRIES:
                raise UserError(
                    f"a process of --dask ended {self.deaths} times at the same rows ({how}); if "
                    "the memory does not suffice, use fewer processes"
                ) from None
        return worker

    def take(self) -> Any:
        assert self.answer is not None
        good, value = pickle.loads(self.answer)
        if not good:
            raise value
        return value


class _Worker:
    """A process, and this end of the pipe to it."""

    def __init__(self, message: bytes) -> None:
        self.message = message  # the first one for each process
        self.start()

    def start(self) -> None:
        context = get_context("spawn")  # a fork would copy the threads' locks
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=_work, args=(other,), daemon=True)
        with _environment(ONE_THREAD):
            self.process.start()
        other.close()

    def send(self, message: bytes) -> None:
        # If it has died, the end of the pipe is found when its answer is waited for.
        with suppress(OSError):
            self.pipe.send_bytes(message)

    def restart(self) -> str:
        """Says how the process ended, and starts another one."""
        self.process.join()
        code = self.process.exitcode or 0
        self.end()
        self.start()
        self.send(self.message)
        return f"by {signal.Signals(-code).name}" if code < 0 else f"with code {code}"

    def end(self) -> None:
        self.process.terminate()
        self.process.join()
        self.process.close()
        self.pipe.close()


def _work(pipe: Connection) -> None:
    """In the process: answers until there is nobody to ask."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all; the first process decides
    try:
        function, shared = pickle.loads(pipe.recv_bytes())
        while True:
            chunk = pickle.loads(pipe.recv_bytes())
            try:
                answer = pickle.dumps((True, function(shared, chunk)))
            except Exception as error:
                error.add_note(traceback.format_exc())
                answer = pickle.dumps((False, error))
            pipe.send_bytes(answer)
    except (EOFError, BrokenPipeError):
        return  # the first process is gone


@contextmanager
def _environment(values: dict[str, str]) -> Iterator[None]:
    """Variables for a new process: numerical libraries read them when they are loaded."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
