"""Links restore views, and nothing else gets through."""

from urllib.parse import urlencode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ogeaug.errors import UserError
from ogeaug.explore.limits import MOST_LETTERS
from ogeaug.explore.state import NAMES, Shown, read_query, read_state


@given(
    st.builds(
        Shown,
        text=st.text("CNO=#()[]+&?%/ é\n<>'\"", max_size=50),
        order=st.integers(1, 3),
        node=st.none() | st.integers(0, 150),
        delta=st.floats(-4, 2),
        view=st.sampled_from(["look", "shake", "compare", "model"]),
    )
)
def test_a_link_restores_its_view(state):
    values = {k: v for k, v in state.model_dump().items() if v is not None}
    assert read_query("?" + urlencode(values)) == state


def test_parameters_of_others_do_not_count():
    assert read_query("?token=abc&utm=1") == Shown()
    assert read_query("") == Shown()


@pytest.mark.parametrize(
    "wrong",
    [
        {"order": 4},
        {"order": "x"},
        {"view": "../etc"},
        {"delta": float("nan")},
        {"delta": 1e300},
        {"seed": -1},
        {"node": 10**30},
        {"unknown": 1},
        {"text": ["a"]},
        {"text": "C" * (MOST_LETTERS + 1)},
        {"colour": "__class__"},
    ],
)
def test_nonsense_is_refused_in_words(wrong):
    with pytest.raises(UserError, match="the page cannot show that"):
        read_state(wrong)


def test_a_message_does_not_repeat_a_long_text():
    with pytest.raises(UserError) as caught:
        read_state({"text": "<script>" * MOST_LETTERS})
    assert len(str(caught.value)) < 400


def test_a_link_of_megabytes_is_refused():
    with pytest.raises(UserError, match="no link of this page"):
        read_query("?text=" + "C" * 10 * MOST_LETTERS)


def test_delta_and_noise_are_powers_of_ten():
    assert Shown(delta=-1.3).window == pytest.approx(0.0501)
    assert Shown(noise=-9).noise_size == 0
    assert Shown(noise=-3).noise_size == pytest.approx(1e-3)
    assert "delta" in NAMES
