"""What becomes of a command that is told to stop."""

import signal
import sys


def tidy_up_when_terminated() -> None:
    """SIGTERM becomes an exception, so that temporary files are removed. (Lightning has its own
    way to stop a training.)"""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
