"""The command line: parse, call, print."""

from ogeaug.cli.main import app

__all__ = ["app"]
