"""Peak memory of a task on Linux, by the kernel's own count of resident pages."""

from collections.abc import Callable
from pathlib import Path

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")


def peak_bytes(task: Callable[[], object]) -> int:
    """How far the resident memory of this process rises while the task runs.

    Memory that earlier work has freed but not given back to the system would hide some of it:
    measure in a fresh process, after a small warm-up that loads all libraries.
    """
    CLEAR.write_text("5")  # resets the peak
    before = _status("VmRSS")
    task()
    return _status("VmHWM") - before


def peak_resident() -> int:
    """The most resident memory of this whole process since :func:`peak_bytes` began to count."""
    return _status("VmHWM")


def _status(key: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(key))
    return int(line.split()[1]) * 1024
