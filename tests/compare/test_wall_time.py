"""Equal wall time, and how long an epoch takes."""

import itertools

import pytest

from ogeaug.compare import run as compare_module
from ogeaug.compare import wall_time
from ogeaug.compare.plan import plan_configs
from ogeaug.compare.wall_time import within
from ogeaug.errors import UserError
from ogeaug.training import epoch_time
from ogeaug.training.epoch_time import epoch_seconds
from ogeaug.training.prepare import Parts
from tests.compare.test_run import CONFIG, PARTS, WIDTH, compare, graph

MANY = Parts([graph(i) for i in range(60)], PARTS.val)


@pytest.fixture
def seconds_by_looks(monkeypatch):
    """A clock that goes on by a second whenever it is looked at."""
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


def test_files_that_are_sorted_are_not_measured_by_their_first_graphs(monkeypatch):
    seen = []
    monkeypatch.setattr(
        epoch_time, "add_spectra", lambda few, *_, **__: (seen.extend(few.train) or few, None)
    )
    none = CONFIG.model_copy(update={"encodings": []})
    epoch_seconds(none, MANY)
    assert len(seen) == 20
    assert any(any(one is last for last in MANY.train[20:]) for one in seen)


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


def test_equal_time_gives_cheaper_encodings_more_epochs(monkeypatch):
    seconds = {"oge_aug": 7.0, "none": 2.0}
    plans = plan_configs(CONFIG, list(seconds), rules=WIDTH)
    monkeypatch.setattr(
        "ogeaug.compare.wall_time.epoch_seconds",
        lambda config, parts, batches=4: seconds["oge_aug" if config.encodings else "none"],
    )
    warm = {"epochs": 8, "warmup_epochs": 4}
    for name, plan in plans.items():
        training = plan.training.model_copy(update=warm)
        plans[name] = plan.model_copy(update={"training": training})
    found = within(plans, PARTS, minutes=0.5)
    assert {name: plan.training.warmup_epochs for name, plan in found.items()} == {
        "oge_aug": 2,  # its share, or the rate would only ever rise
        "none": 4,
    }
    assert {name: plan.training.epochs for name, plan in found.items()} == {
        "oge_aug": 4,
        "none": 15,
    }
    with pytest.raises(UserError, match=r"0\.1 minutes are too few for one epoch of oge_aug 0\.1"):
        within(plans, PARTS, minutes=0.1)


def test_a_budget_below_one_epoch_is_refused_with_a_real_estimate(tmp_path):
    with pytest.raises(UserError, match="allow at least"):
        compare(CONFIG, ["rwse"], tmp_path, minutes=1e-6, parts=PARTS, progress=False)
    assert not (tmp_path / "plan.json").exists()


def test_the_folder_is_made_before_an_epoch_is_measured(tmp_path, monkeypatch):
    out = tmp_path / "a/out"

    def measured(*_):
        assert out.is_dir()
        raise UserError("too few minutes")

    monkeypatch.setattr(compare_module, "within", measured)
    with pytest.raises(UserError, match="too few minutes"):
        compare(CONFIG, ["rwse"], out, minutes=1, parts=PARTS, progress=False)
    assert list(tmp_path.iterdir()) == []
