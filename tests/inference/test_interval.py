"""Intervals from errors on molecules that were held out."""

import random

from ogeaug.inference.interval import held_out_widths, quantile
from ogeaug.model.config import TaskConfig

TASK = TaskConfig(targets=["y"])


def write(folder, errors):
    lines = [f"{i},{float(i)},{i + error}" for i, error in enumerate(errors)]
    text = "\n".join(["row,y,pred_y", *lines])
    (folder / "test_predictions.csv").write_text(text + "\n", encoding="utf-8")


def test_the_width_is_an_error_of_the_test_part(tmp_path):
    write(tmp_path, [(-1) ** i * i / 10 for i in range(19)])
    (width,) = held_out_widths(tmp_path, TASK)
    assert abs(width - 1.7) < 1e-9  # the 18th smallest of 19


def test_nine_in_ten_new_errors_are_inside():
    """The promise, tried: no more often outside than it says."""
    draw = random.Random(0)
    inside = tries = 0
    for _ in range(300):
        errors = [draw.expovariate(1) for _ in range(30)]
        inside += draw.expovariate(1) <= quantile(errors, 0.9)
        tries += 1
    assert 0.86 <= inside / tries <= 0.95


def test_no_width_without_enough_rows_or_numbers(tmp_path):
    assert held_out_widths(tmp_path, TASK) == [None]
    write(tmp_path, [0.1] * 5)
    assert held_out_widths(tmp_path, TASK) == [None]
    classes = TaskConfig(type="classification", targets=["y"])
    assert held_out_widths(tmp_path, classes) == [None]
