"""Work on chunks of a table in order: here, or on many machines by Dask."""

import importlib.util
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from typing import Any, TypeVar

from ogeaug.errors import UserError
from ogeaug.inference.workers import map_in_processes

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")
MESSAGES_KEPT = 10
MOST_PROCESSES = 256
"""On this machine, as for --devices. Two chunks per process are read ahead."""


def map_in_order(
    function: Callable[[Any, Chunk], Result],
    shared: Any,
    chunks: Iterable[Chunk],
    *,
    dask: str | None = None,
) -> Iterator[Result]:
    """``function(shared, chunk)`` of each chunk, in order, with few of them in memory at a time.

    Args:
        function: From an importable module.
        shared: Its first argument, sent to each worker once: a model, say.
        chunks: Read as results are taken.
        dask: The address of a Dask scheduler, or a number of processes to start on this machine
            (:func:`ogeaug.inference.workers.map_in_processes`, without Dask: its local scheduler
            would listen to every user of the machine); if absent, the work is done here. Workers
            need the same packages as this process, but not its files.

    Example:
        >>> list(map_in_order(lambda offset, chunk: offset + sum(chunk), 1, [[1, 2], [3]]))
        [4, 4]
    """
    check_address(dask)
    if dask is None:
        for chunk in chunks:
            yield function(shared, chunk)
        return
    count = _local_count(dask)
    if count is not None:
        yield from map_in_processes(function, shared, chunks, count)
        return
    with ExitStack() as stack:
        client = _connect(dask, stack)
        sent = client.scatter(shared, broadcast=True, hash=False)
        waiting: deque[Any] = deque()
        for chunk in chunks:
            waiting.append(client.submit(function, sent, chunk, pure=False, retries=2))
            if len(waiting) > 2 * max(1, sum(client.nthreads().values())):
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


def check_address(dask: str | None) -> None:
    """Refuses what cannot be the address of a scheduler; connects to none."""
    if dask is None or _local_count(dask) is not None:
        return
    if ":" not in dask:
        raise UserError(
            f"--dask {dask}: neither the address of a scheduler, like tcp://host:8786, nor a "
            "positive number of local processes"
        )
    if importlib.util.find_spec("distributed") is None:
        raise UserError("--dask ADDRESS needs Dask: pip install 'ogeaug[dask]'")


def _local_count(dask: str) -> int | None:
    """A number of processes; None if the text is none, or 0. Large ones are refused."""
    digits = dask.lstrip("0")
    if not (digits.isascii() and digits.isdecimal()):
        return None
    if len(digits) > len(str(MOST_PROCESSES)) or int(digits) > MOST_PROCESSES:
        shown = dask if len(dask) <= 20 else f"{dask[:17]}..."
        raise UserError(
            f"--dask {shown}: at most {MOST_PROCESSES} local processes; more than this machine has "
            "cores are of no use"
        )
    return int(digits)


def _connect(dask: str, stack: ExitStack) -> Any:
    from dask import config
    from distributed import Client

    # The client keeps its last messages, chunks of rows among them: by default 1,000 for each
    # worker, as good as a leak.
    stack.enter_context(config.set({"distributed.admin.low-level-log-length": MESSAGES_KEPT}))
    try:
        client = stack.enter_context(Client(dask, timeout="10s"))
        client.wait_for_workers(1, timeout=60)
    except (OSError, ValueError, TypeError, TimeoutError) as error:  # TypeError: no certificate
        raise UserError(
            f"--dask {dask}: no scheduler with workers there ({error}); give the address that dask "
            "scheduler printed, like tcp://host:8786, or a number of local processes"
        ) from error
    return client
