"""How loud encodings start: those of other authors as loud as their own modules."""

from pathlib import Path

import pytest
import torch
from rdkit import RDConfig
from torch_geometric.data import Batch, Data

from ogeaug.data import smiles_to_data
from ogeaug.encodings import make_encoding
from ogeaug.measure.spread import spread
from ogeaug.presets import AUTHORS
from tests.encodings.test_presets import table

NCI = Path(RDConfig.RDDataDir, "NCI", "first_5K.smi")
THEIRS = {"spe": 2.0, "signnet": 0.20, "lap_pe": 0.17, "rwse": 0.52}
"""Of the authors' own modules on ZINC."""


@pytest.fixture(scope="module")
def batch():
    """Molecules of 15 to 35 atoms, like those of ZINC."""
    if not NCI.is_file():
        pytest.skip("this RDKit comes without its NCI file")
    found: list[Data] = []
    for line in NCI.read_text(encoding="utf-8").splitlines():
        data = smiles_to_data(line.split()[0])
        if 15 <= data.num_nodes <= 35:
            found.append(Data(edge_index=data.edge_index, num_nodes=data.num_nodes))
        if len(found) == 64:
            return Batch.from_data_list(found)
    raise AssertionError("too few molecules")


@pytest.mark.parametrize("name", AUTHORS)
def test_spread_at_the_start(name, batch):
    torch.manual_seed(0)
    made = make_encoding(name, AUTHORS[name].out_channels, preset="authors").train()
    found = spread(made, batch)
    documented = float(table("spread")[f"`{name}`"][0])
    assert documented / 2 < found < documented * 2  # other molecules, one seed of three
    if name in THEIRS:
        assert THEIRS[name] / 3 < found < THEIRS[name] * 3


def test_spread_is_of_nodes_not_of_channels():
    class Fixed(torch.nn.Module):
        def forward(self, data):
            return data.x

    data = Data(x=torch.tensor([[1.0, 100.0], [3.0, 100.0]]))
    assert spread(Fixed(), data) == pytest.approx(1.0)  # variances 2 and 0
