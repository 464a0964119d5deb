"""The README's first example runs as it stands."""

import re
from pathlib import Path

README = Path(__file__).parents[1] / "README.md"


def test_first_example_runs():
    example = re.search(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)[1]
    names = {}
    exec(example, names)
    assert names["x"].shape == (10, 29)
