"""Timings that a busy machine spoils as little as possible: interleaved, as medians."""

import statistics
import time
from collections.abc import Callable


def interleaved(tasks: dict[str, Callable[[], object]], rounds: int = 15) -> dict[str, float]:
    """Median seconds of processor time of each task, which must run in one thread.

    On an idle machine that is the time by the clock; on a shared one it leaves out the time that
    others had the processor. The tasks take turns, so that what remains (shared caches, changing
    clock rates) hits all of them and their ratios stay right.

    Args:
        tasks: What to time, by name; each is called once before the clock starts.
        rounds: How often each is timed.
    """
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.process_time()
            task()
            seconds[name].append(time.process_time() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}
