"""One graph that fails takes no other with it; a mistake in all of them is no status."""

import pytest
import torch
from torch_geometric.data import Data

from ogeaug.errors import UserError
from ogeaug.inference.in_groups import Tally, in_groups
from ogeaug.tensors.memory import out_of_memory


def graphs(*sizes):
    edges = torch.zeros(2, 0, dtype=torch.long)
    return {10 + i: Data(edge_index=edges, num_nodes=n) for i, n in enumerate(sizes)}


def test_order_and_groups():
    found = list(in_groups(lambda batch: batch.ptr.diff(), graphs(400, 600, 1, 2000, 5)))
    assert [group for group, _ in found] == [[10, 11], [12], [13], [14]]
    assert torch.cat([sizes for _, sizes in found]).tolist() == [400, 600, 1, 2000, 5]


@pytest.mark.parametrize(
    ("error", "note"),
    [
        (MemoryError("ours"), "too large: 7 nodes need more memory than there is"),
        (UserError("no such charge"), "no such charge"),
        (torch.linalg.LinAlgError("no end"), "failed: _LinAlgError: no end"),
        (IndexError("7"), "failed: IndexError: 7"),
    ],
)
def test_the_culprit_alone(error, note):
    def compute(batch):
        assert not torch.is_grad_enabled()
        if 7 in batch.ptr.diff().tolist():
            raise error
        return batch.ptr.diff()

    found = list(in_groups(compute, graphs(3, 7, 4)))
    assert found[1] == ([11], note)
    assert [(rows, sizes.tolist()) for rows, sizes in (found[0], found[2])] == [
        ([10], [3]),
        ([12], [4]),
    ]


@pytest.mark.parametrize(
    "allocate",
    [lambda: torch.empty(2**50), lambda: torch.empty(2**31, 2**31, 2), lambda: bytearray(2**60)],
)
def test_errors_of_memory_are_known(allocate):
    with pytest.raises((RuntimeError, MemoryError)) as caught:
        allocate()
    assert out_of_memory(caught.value)
    assert not out_of_memory(RuntimeError("mat1 and mat2 shapes cannot be multiplied"))


def test_a_mistake_in_all_rows_is_raised():
    tally = Tally()
    tally.add(2, ["failed: RuntimeError: a mistake", "invalid SMILES"])
    with pytest.raises(RuntimeError, match=r"none of 2 rows .*; failed: RuntimeError: a mistake"):
        tally.check()
    with pytest.raises(RuntimeError, match="none of 1,000 rows"):
        tally.add(998, ["failed: RuntimeError: a mistake"] * 998)  # not after a million
    tally.add(1, [])
    tally.check()
    nothing = Tally()
    nothing.add(5000, ["invalid SMILES"] * 5000)  # the rows' own fault
    nothing.check()
