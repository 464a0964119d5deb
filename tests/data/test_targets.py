import re

import pytest
import torch

from ogeaug.data.table import Table
from ogeaug.data.targets import check_training_targets, read_targets
from ogeaug.errors import UserError


def table(*cells: str) -> Table:
    return Table(["y"], [[cell] for cell in cells], "t.csv")


def test_missing_cells_are_nan():
    y = read_targets(table("1", "", " NA ", "nan", "-2e3"), ["y"])
    assert y.isnan().flatten().tolist() == [False, True, True, True, False]
    assert y[4, 0] == -2000


@pytest.mark.parametrize(
    "cell",
    [
        "high",
        "> 5",
        "inf",
        "1,5",
        "3 mM",
        "1_000",
        "\uff11\uff12",
        "0x10",
        "infinity",
        "1e",
        ".",
        "1.5.2",
        "1 000",
        "\u06f3",
    ],
)
def test_text_is_refused_by_row(cell):
    message = f"'y' of t.csv holds {cell!r} in row 2"
    with pytest.raises(UserError, match=re.escape(message)):
        read_targets(table("1", cell), ["y"])


@pytest.mark.parametrize("cell", ["1", "+1", "-1.", ".5", "1e5", "1.5E-3", " 7 ", "007"])
def test_numbers(cell):
    assert read_targets(table(cell), ["y"]).item() == float(cell)


@pytest.mark.parametrize("cell", ["1,5", "-0,25", "1,000"])
def test_commas_get_a_hint(cell):
    with pytest.raises(UserError, match=r"decimals are written with a point, 1.5, and thousands"):
        read_targets(table("1", cell), ["y"])


def test_all_missing():
    with pytest.raises(UserError, match="empty in all 2 rows"):
        read_targets(table("", "nan"), ["y"])


@pytest.mark.parametrize(("classes", "cell"), [(2, "2"), (3, "0.5")])
def test_classes_are_checked(classes, cell):
    with pytest.raises(UserError, match="one of 0, 1"):
        read_targets(table("0", cell), ["y"], classes=classes)


def test_constant_training_target():
    with pytest.raises(UserError, match="is 2 in all 3 training rows"):
        check_training_targets(torch.full((3, 1), 2.0), ["y"])


def test_training_target_missing_everywhere():
    y = torch.tensor([[1.0, float("nan")], [2.0, float("nan")]])
    with pytest.raises(UserError, match="'b' has no value in the training part"):
        check_training_targets(y, ["a", "b"])


@pytest.mark.parametrize("cell", ["1e30", "-1e400", "inf", "-Infinity"])
def test_what_is_too_large_gets_a_hint(cell):
    with pytest.raises(
        UserError, match=r"below 1e\+30 .*not finite; give large numbers in a larger"
    ):
        read_targets(table("1", cell), ["y"])


def test_differences_too_small_to_square():
    y = torch.arange(4, dtype=torch.float64).reshape(4, 1)
    with pytest.raises(UserError, match=r"'y' varies by 3e-200 only.*at least 1e-30.*unit"):
        check_training_targets(1e-200 * y, ["y"])
    check_training_targets(1e-29 * y, ["y"])
