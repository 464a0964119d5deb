"""``python -m ogeaug.cli``, as torchrun calls it."""

from ogeaug.cli.main import app

app()
