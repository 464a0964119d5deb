"""How long an epoch takes, by a clock that goes on by a second whenever it is looked at."""

import itertools

import pytest

from ogeaug.compare import wall_time
from ogeaug.compare.wall_time import within
from ogeaug.training import epoch_time
from ogeaug.training.epoch_time import epoch_seconds
from ogeaug.training.prepare import Parts
from tests.compare.test_run import CONFIG, PARTS, graph

MANY = Parts([graph(i) for i in range(60)], PARTS.val)


@pytest.fixture
def seconds_by_looks(monkeypatch):
    looks = itertools.count()
    clock = type("Clock", (), {"perf_counter": staticmethod(lambda: float(next(looks)))})
    monkeypatch.setattr(epoch_time, "time", clock)


@pytest.mark.usefixtures("seconds_by_looks")
def test_an_epoch_is_counted_by_graphs():
    """Batches of four; a batch takes a second."""
    assert epoch_seconds(CONFIG, MANY) == pytest.approx((60 + 4 / 3) / 4)
    # All graphs in one batch, which is not left out then.
    large = CONFIG.training.model_copy(update={"batch_size": 100})
    one = CONFIG.model_copy(update={"training": large})
    assert epoch_seconds(one, MANY) == pytest.approx((60 + 4 / 3) / 60)


def test_encodings_are_measured_in_turns_for_about_a_second(monkeypatch):
    asked, machine = [], itertools.count()

    def measured(config, parts, batches=4):
        fast = not config.encodings
        asked.append((fast, batches))
        slow_for_a_while = 3 if next(machine) in (4, 5) else 1  # the second turn of both
        return (10.0 if fast else 600.0) * slow_for_a_while

    monkeypatch.setattr(wall_time, "epoch_seconds", measured)
    long = Parts(MANY.train * 10, MANY.val)  # 150 batches
    fast = CONFIG.model_copy(update={"encodings": []})
    found = within({"slow": CONFIG, "fast": fast}, long, minutes=20)
    assert asked[:2] == [(False, 4), (True, 4)]
    assert asked[2:] == [(False, 4), (True, 15)] * 3  # a tenth of an epoch takes a second
    assert found["fast"].training.epochs == 120
    assert found["slow"].training.epochs == 2


@pytest.mark.parametrize("changes", [{"patience": 1}, {"tensorboard": True}, {"ema": 1.0}])
def test_nothing_is_written(tmp_path, monkeypatch, changes):
    monkeypatch.chdir(tmp_path)
    training = CONFIG.training.model_copy(update=changes)
    assert epoch_seconds(CONFIG.model_copy(update={"training": training}), PARTS) > 0
    assert list(tmp_path.iterdir()) == []


def test_ctrl_c_is_passed_on(monkeypatch):
    """Lightning makes an exit of it."""

    def press(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr("ogeaug.training.module.GraphModule.training_step", press)
    with pytest.raises(KeyboardInterrupt, match="while an epoch was measured"):
        epoch_seconds(CONFIG, PARTS)
