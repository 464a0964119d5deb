"""What was asked for is done or refused; what only stands in a file may be passed over."""

import pytest

from ogeaug.encodings import ENCODINGS, make_encoding, needs_features
from ogeaug.errors import UserError
from ogeaug.training import fit
from ogeaug.training.asked import check_noise_used
from ogeaug.training.config import dump_config, load_config
from ogeaug.training.early import check_task_options
from ogeaug.transforms import AddSpectrum
from tests.training.tiny import tiny_config, write_csv


@pytest.mark.parametrize("name", ENCODINGS)
def test_which_encodings_use_eigenvectors(name):
    encoding = make_encoding(name, 8, **({"in_channels": 4} if needs_features(name) else {}))
    declared = any(isinstance(transform, AddSpectrum) for transform in encoding.transforms())
    assert ENCODINGS.spectral(name) == (declared or encoding.learns_laplacian)


@pytest.mark.parametrize("change", ["encodings=[]", "encodings.0={name: rwse, out_channels: 8}"])
def test_noise_of_a_shipped_configuration_goes_with_its_encoding(change, tmp_path):
    assert load_config("zinc_gine_oge").training.noise == 1e-5
    config = load_config("zinc_gine_oge", [change])
    assert (config.training.noise, config.training.permute) == (0, False)
    check_noise_used(config)
    training = config.training.model_copy(update={"noise": 1e-5})  # as earlier versions wrote it
    file = tmp_path / "config.yaml"
    file.write_text(dump_config(config.model_copy(update={"training": training})))
    assert load_config(file).training.noise == 0


@pytest.mark.parametrize("key", ["noise=1e-4", "permute=true"])
def test_noise_that_was_asked_for_is_refused(key):
    config = load_config("zinc", ["encodings=[]", f"training.{key}"])
    with pytest.raises(UserError, match=r"about eigenvectors, which a model without encodings has"):
        check_noise_used(config)


def test_in_python_too(tmp_path):
    table = write_csv(tmp_path / "t.csv")
    config = tiny_config(table)
    training = config.training.model_copy(update={"noise": 1e-5})
    config = config.model_copy(update={"encodings": [], "training": training})
    with pytest.raises(UserError, match=r"training\.noise=1e-05"):
        fit(config, tmp_path / "run", progress=False)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("pooling", ["sum", "sum_mean"])  # the default of former releases, and ours
def test_a_run_of_nodes_holds_a_pooling_that_nobody_asked_for(pooling, tmp_path):
    config = load_config("pattern")
    head = config.head.model_copy(update={"pooling": pooling})
    file = tmp_path / "config.yaml"
    file.write_text(dump_config(config.model_copy(update={"head": head})))
    check_task_options(load_config(file))
    with pytest.raises(UserError, match=r"head.pooling=mean is not used by task type node_class"):
        check_task_options(load_config(file, ["head.pooling=mean"]))
