"""How long an epoch takes, by a clock that goes on by a second whenever it is looked at."""

import itertools

import pytest

from ogeaug.compare import wall_time
from ogeaug.compare.wall_time import epoch_seconds, within
from ogeaug.training.prepare import Parts
from tests.compare.test_run import CONFIG, PARTS, graph

MANY = Parts([graph(i) for i in range(60)], PARTS.val)


@pytest.fixture
def seconds_by_looks(monkeypatch):
    looks = itertools.count()
    clock = type("Clock", (), {"perf_counter": staticmethod(lambda: float(next(looks)))})
    monkeypatch.setattr(wall_time, "time", clock)


@pytest.mark.usefixtures("seconds_by_looks")
def test_an_epoch_is_counted_by_graphs():
    """Batches of four; a batch takes a second."""
    assert epoch_seconds(CONFIG, MANY) == pytest.approx((60 + 4 / 3) / 4)
    # All graphs in one batch, which is not left out then.
    large = CONFIG.training.model_copy(update={"batch_size": 100})
    one = CONFIG.model_copy(update={"training": large})
    assert epoch_seconds(one, MANY) == pytest.approx((60 + 4 / 3) / 60)


def test_fast_batches_are_measured_for_longer(monkeypatch):
    asked = []

    def measured(config, parts, batches=4):
        asked.append(batches)
        return 30.0 if batches == 4 else 20.0

    monkeypatch.setattr(wall_time, "epoch_seconds", measured)
    hundred = Parts(MANY.train * 10, MANY.val)  # 150 batches
    found = within({"fast": CONFIG}, hundred, minutes=5)
    assert asked == [4, 15]  # a tenth of them take 3 s
    assert found["fast"].training.epochs == 15  # by the longer one


@pytest.mark.parametrize("changes", [{"patience": 1}, {"tensorboard": True}, {"ema": 1.0}])
def test_nothing_is_written(tmp_path, monkeypatch, changes):
    monkeypatch.chdir(tmp_path)
    training = CONFIG.training.model_copy(update=changes)
    assert epoch_seconds(CONFIG.model_copy(update={"training": training}), PARTS) > 0
    assert list(tmp_path.iterdir()) == []
