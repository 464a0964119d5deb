"""How often a promise of docs/reliability.md is tried: few times in `make test`, many in torture.

Mark such a test with ``@pytest.mark.torture``; `make torture` runs those alone.
"""

import os


def tries(few: int, many: int) -> int:
    """``few``, or ``many`` under `make torture`."""
    return many if os.environ.get("OGEAUG_TORTURE") else few
