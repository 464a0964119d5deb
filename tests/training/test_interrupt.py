import re

import pytest

from ogeaug.training.interrupt import SAME_CALL, same_call_goes_on


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ((), f"while no run was under way; continue by  {SAME_CALL}"),
        (("in epoch 3",), "in epoch 3"),  # by the training that was under way
    ],
)
def test_ctrl_c_says_how_to_go_on(said: tuple[str, ...], expected: str) -> None:
    with pytest.raises(KeyboardInterrupt, match=f"^{re.escape(expected)}$"), same_call_goes_on():
        raise KeyboardInterrupt(*said)
