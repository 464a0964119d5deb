"""What the commands that read tables share: what they say of them, and how they stop."""

import signal
import sys
from pathlib import Path


def about_lines(path: str | Path, rows: int, lines: int) -> str:
    """Says how many lines became rows, where cells may have line breaks: too few rows mean that
    quotes do not match.

    Example:
        >>> about_lines("my.csv", 1000, 1042)
        '1,000 rows from 1,042 lines of my.csv'
    """
    return f"{rows:,} rows from {lines:,} lines of {path}"


def tidy_up_when_terminated() -> None:
    """SIGTERM becomes an exception, so that temporary files are removed. (Lightning has its own
    way to stop a training.)"""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
