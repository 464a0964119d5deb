"""Timings that a busy machine spoils as little as possible: interleaved, as medians."""

import statistics
import time
from collections.abc import Callable


def interleaved(tasks: dict[str, Callable[[], object]], rounds: int = 15) -> dict[str, float]:
    """Median seconds of each task.

    The tasks take turns, so that a disturbance hits all of them and their ratios stay right.

    Args:
        tasks: What to time, by name; each is called once before the clock starts.
        rounds: How often each is timed.
    """
    seconds: dict[str, list[float]] = {name: [] for name in tasks}
    for task in tasks.values():
        task()
    for _ in range(rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(values) for name, values in seconds.items()}
