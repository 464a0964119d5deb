from typer.testing import CliRunner

from ogeaug.cli.main import app
from ogeaug.encodings.oge_pretrained import PretrainedOGEAug
from tests.training.tiny import molecules


def test_a_network_of_your_own_molecules(tmp_path):
    table, out = tmp_path / "own.csv", tmp_path / "own.safetensors"
    table.write_text("\n".join(["mol", *molecules(20)]) + "\n")
    done = CliRunner().invoke(
        app,
        f"pretrain -o {out} --data-path {table} --smiles-columns mol --epochs 1 --num-layers 1 "
        "--hidden-channels 8 --out-channels 5 --k 9 --quiet",
    )
    assert done.exit_code == 0, done.output
    assert "learned from 20 molecules" in done.output
    assert "mean square error on those kept apart" in done.output
    network = PretrainedOGEAug(3, source=str(out)).network
    assert (network.hidden_channels, network.num_layers, network.out_channels) == (8, 1, 5)
    assert network.spectrum.k == 9
