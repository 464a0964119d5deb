"""The processes of one training run: how many there are, who writes, and who speaks on failure."""

import logging
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ogeaug.errors import TrainingStopped, UserError

PATIENCE = 10.0
"""Seconds that a process waits, when another one failed first, to be ended by torchrun."""


@dataclass(frozen=True)
class Processes:
    """Where this process stands, as torchrun tells it.

    Attributes:
        rank: Its number, from 0. Number 0 writes all files.
        count: Processes in all.
        local: Processes on this machine.
    """

    rank: int = 0
    count: int = 1
    local: int = 1

    @classmethod
    def current(cls) -> "Processes":
        """Of this process; one alone if torchrun did not start it."""
        if "TORCHELASTIC_RUN_ID" not in os.environ:
            return cls()
        rank, count, local = (
            int(os.environ[name]) for name in ("RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE")
        )
        return cls(rank, count, local)

    @property
    def first(self) -> bool:
        return self.rank == 0

    @property
    def machines(self) -> int:
        return self.count // self.local


@contextmanager
def one_voice() -> Iterator[None]:
    """Lets the process that has something to say fail first.

    All processes read the same data and find the same mistakes, and a process whose partner is
    gone fails as well. Both wait: torchrun ends them as soon as the other one has spoken.
    """
    here = Processes.current()
    try:
        yield
    except Exception as error:
        follows = any(word in str(error).lower() for word in ("gloo", "nccl"))
        spoken = not here.first and not isinstance(error, TrainingStopped)
        if here.count > 1 and (follows or spoken):
            time.sleep(PATIENCE)
        raise


LOST = ("Connection closed by peer", "Connection reset by peer")
"""What Gloo says in a process whose partner has ended."""
WAIT = 60.0
"""Seconds; the launcher looks after its processes ten times a second."""


def launch(count: int, function: Callable[..., Any], *args: Any) -> Any:
    """Calls a function in several processes of this machine, as torchrun does.

    Args:
        count: How many.
        function: From an importable module.
        args: For it; they are pickled.

    Returns:
        What the function returned in process 0.

    Raises:
        UserError: A process failed, and has said why; all others were ended.
    """
    if Processes.current().count > 1:
        raise UserError("--devices starts processes itself; torchrun has started some already")
    from torch.distributed.elastic.multiprocessing import DefaultLogsSpecs, SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=count,
        run_id="ogeaug",
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        local_addr="localhost",
        max_restarts=0,
        logs_specs=DefaultLogsSpecs(log_dir=os.devnull),
    )
    names = "torch.distributed.elastic", "torch.multiprocessing.spawn"
    levels = {log: log.level for log in map(logging.getLogger, names)}
    for log in levels:
        log.setLevel(logging.CRITICAL)  # the processes speak for themselves
    # DistributedDataParallel remarks in each process that all parameters were used.
    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "ERROR")
    try:
        return elastic_launch(config, _call)(function, *args)[0]
    except ChildFailedError as error:
        failed = sorted(error.failures)
        raise UserError(f"training ended: process {failed[0]} of {count} failed") from error
    except SignalException as error:
        raise UserError(
            f"training was interrupted ({error}); continue by  ogeaug train --resume FOLDER"
        ) from error
    finally:
        for log, level in levels.items():
            log.setLevel(level)


def _call(function: Callable[..., Any], *args: Any) -> Any:
    """In the new process: errors are told here, since only the exit code gets through."""
    try:
        return function(*args)
    except UserError as error:
        sys.exit(f"Error: {error}")
    except Exception as error:
        if any(words in str(error) for words in LOST):
            # The other one has failed, and says why; this one is ended as soon as that is noticed.
            time.sleep(WAIT)
            sys.exit("Error: another process of the training has ended")
        traceback.print_exc()
        sys.exit(1)
