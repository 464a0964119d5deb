import pytest

from ogeaug import OGEAug
from ogeaug.measure.picture import draw_encoding
from tests.graphs import HARD


@pytest.mark.parametrize("name", ["one node", "no edges", "star", "weighted"])
def test_draws_any_graph(name, tmp_path):
    figure = draw_encoding(HARD[name], OGEAug(5, hidden_channels=4, num_layers=1), "a title")
    figure.savefig(tmp_path / "picture.png", dpi=40)
    assert (tmp_path / "picture.png").stat().st_size > 1000
    heat = figure.axes[3].images[0].get_array()
    assert heat.shape == (HARD[name].num_nodes, 5)
