"""What holds while a model is trained: threads, silence of Lightning, words for a full memory."""

import gc
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import torch

from ogeaug.errors import UserError
from ogeaug.tensors.memory import NO_MEMORY, out_of_memory


@contextmanager
def memory_told() -> Iterator[None]:
    """A graph or a batch beyond the memory is for the user to put right."""
    try:
        yield
    except (MemoryError, RuntimeError) as error:
        if not out_of_memory(error):
            raise
        raise UserError(
            f"{NO_MEMORY}: {str(error) or type(error).__name__}. Less is needed by smaller batches "
            "(--batch-size), fewer eigenpairs (encodings.0.k) and smaller graphs (--max-atoms)"
        ) from error


@contextmanager
def data_settled() -> Iterator[None]:
    """Python's garbage collector does not look through what is there now, thousands of graphs,
    again and again: what of it becomes a cycle of garbage waits until the end. Then all is looked
    through again, what the caller had frozen, too: Python cannot tell it apart."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def own_threads(count: int) -> Iterator[None]:
    """So many threads of torch; afterwards as many as before."""
    before = torch.get_num_threads()
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def quiet() -> Iterator[None]:
    """Lightning's remarks on hardware, loggers and worker counts are no news to our users."""
    names = "lightning.pytorch", "lightning.fabric"
    levels = {log: log.level for log in map(logging.getLogger, names)}
    deterministic = torch.are_deterministic_algorithms_enabled()
    for log in levels:
        log.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", module=r"lightning\..*")
            warnings.filterwarnings("ignore", module=r"torch\.utils\.tensorboard.*")
            yield
    finally:
        for log, level in levels.items():
            log.setLevel(level)
        torch.use_deterministic_algorithms(deterministic)
