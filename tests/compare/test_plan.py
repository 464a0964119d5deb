"""Which runs a comparison makes: presets, budgets met by width, noise, batch norms."""

import pytest

from ogeaug.compare.plan import plan_configs
from ogeaug.compare.rules import Rules
from ogeaug.compare.width import count_parameters
from ogeaug.encodings import ENCODINGS
from ogeaug.errors import UserError
from ogeaug.presets import AUTHORS
from ogeaug.training.config import Config
from tests.compare.test_run import CONFIG

WIDTH = Rules(preset="equal-width")


def changed(config=CONFIG, **sections):
    tree = config.model_dump()
    for section, values in sections.items():
        tree[section] = tree[section] | values if isinstance(values, dict) else values
    return Config.model_validate(tree)


OWN = {"name": "oge_aug", "out_channels": 6, "hidden_channels": 24, "num_layers": 2}
WIDE = changed(backbone={"channels": 64, "layers": 4}, encodings=[OWN])


@pytest.mark.parametrize("backbone", ["gine", "gatedgcn"])
def test_parameters_are_equal_by_the_width_of_the_backbone(backbone):
    config = changed(WIDE, backbone={"name": backbone})
    names = ["oge_aug", "lap_pe", "rwse", "edge_rwse", "es_lap_pe", "none"]
    plans = plan_configs(config, names)
    target = count_parameters(config)
    for name, plan in plans.items():
        assert abs(count_parameters(plan) - target) <= 0.02 * target, name
        if name != "none":
            wanted = AUTHORS[name].options if name != "oge_aug" else config.encodings[0].options
            assert plan.encodings[0].options == wanted
    assert plans["none"].encodings == []
    assert plans["oge_aug"] == config  # the largest
    widths = {name: plan.backbone.channels for name, plan in plans.items()}
    assert widths["none"] == max(widths.values()) > widths["es_lap_pe"] >= 64


def test_a_budget_of_your_own():
    plans = plan_configs(WIDE, ["oge_aug", "none"], rules=Rules(parameters=100_000))
    assert all(abs(count_parameters(plan) - 100_000) <= 2_000 for plan in plans.values())
    assert plans["oge_aug"].encodings == WIDE.encodings


def test_a_budget_that_no_width_meets_is_refused_with_one_that_is_met():
    heads = {"name": "gps", "conv": "gine", "heads": 8, "channels": 32, "layers": 2}
    config = changed(backbone=heads)
    with pytest.raises(UserError) as refused:
        plan_configs(config, ["none", "rwse"], rules=Rules(parameters=30_000))
    message = str(refused.value)
    assert "no width of the backbone gives 30,000 parameters to 2%; the closest: none" in message
    assert "or compare at equal width (--preset equal-width)" in message
    if "would do" in message:
        budget = int(message.split("--parameters ")[1].split(")")[0])
        plan_configs(config, ["none", "rwse"], rules=Rules(parameters=budget))
    with pytest.raises(
        UserError, match=r"more than 300; allow that many \(--parameters \d+\), make"
    ):
        plan_configs(WIDE, ["oge_aug"], rules=Rules(parameters=300))
    single = changed(backbone={"channels": 16})
    with pytest.raises(UserError) as refused:
        plan_configs(single, ["none"], rules=Rules(parameters=2000))
    budget = int(str(refused.value).split("--parameters ")[1].split(")")[0])
    plan = plan_configs(single, ["none"], rules=Rules(parameters=budget))["none"]
    assert abs(count_parameters(plan) - budget) <= 0.02 * budget


def test_encodings_that_are_added_follow_the_width():
    config = changed(WIDE, combine="add", encodings=[{"name": "rwse", "out_channels": 64}])
    plan = plan_configs(config, ["rwse"], rules=Rules(parameters=60_000))["rwse"]
    assert plan.encodings[0].out_channels == plan.backbone.channels != 64


def test_equal_width_keeps_the_backbone():
    plans = plan_configs(CONFIG, [n for n in ENCODINGS if n != "latent"], rules=WIDTH)
    assert all(plan.backbone == CONFIG.backbone for plan in plans.values())
    options = plans["spe"].encodings[0].options
    assert options == {"hidden_channels": 8, "num_layers": 1}


def test_roots_alone_have_no_depth_to_hand_on():
    own = {"name": "oge_aug", "out_channels": 6, "hidden_channels": 8, "roots": 2, "num_layers": 0}
    plans = plan_configs(changed(encodings=[own]), ["oge_aug", "spe"], rules=WIDTH)
    assert plans["oge_aug"].encodings[0].options["num_layers"] == 0
    assert plans["spe"].encodings[0].options == {"hidden_channels": 8}


def test_given_options_are_kept():
    given = {"spe": {"hidden_channels": 5, "k": 3}}
    plan = plan_configs(CONFIG, ["spe"], given, WIDTH)["spe"]
    assert plan.encodings[0].options == {"hidden_channels": 5, "num_layers": 1, "k": 3}


def test_a_preset_of_one_entry():
    texts = ["rwse(preset=authors, steps=8)", "b=lap_pe", "paper=oge_aug(preset=authors)"]
    plans = plan_configs(WIDE, texts, rules=WIDTH)
    assert plans["rwse"].encodings[0].options == {"network": "linear", "steps": 8}
    assert plans["b"].encodings[0].options == {"hidden_channels": 24}
    assert plans["paper"].encodings[0].options == AUTHORS["oge_aug"].options


def test_the_own_encoding_keeps_its_other_options():
    own = {"name": "oge_aug", "out_channels": 6, "hidden_channels": 8, "num_layers": 1}
    own |= {"features": True, "norm": "batch", "delta": 0.2, "standardize": True, "inject": "every"}
    config = changed(encodings=[own])
    plans = plan_configs(config, ["oge_aug", "peg", "spe"], {"oge_aug": {"delta": 0.1}}, WIDTH)
    assert plans["oge_aug"].encodings[0].model_dump() == own | {"delta": 0.1}
    assert plans["peg"].encodings[0].features
    assert not plans["spe"].encodings[0].features
    assert all(plan.encodings[0].standardize for plan in plans.values())
    assert all(plan.encodings[0].inject == "every" for plan in plans.values())


def test_a_learned_laplacian_is_given_features():
    own = {"name": "latent", "out_channels": 6, "hidden_channels": 8, "num_layers": 1}
    config = changed(training={"noise": 0.0})
    plans = plan_configs(config, ["latent"], rules=WIDTH)
    assert plans["latent"].encodings[0].features is True
    config = changed(config, encodings=[own | {"features": "all"}])
    plans = plan_configs(config, ["latent", "peg", "spe"], {"latent": {"delta": 0.1}}, WIDTH)
    found = [plans[name].encodings[0].features for name in ("latent", "peg", "spe")]
    assert found == ["all", True, False]


@pytest.mark.parametrize(
    ("noise", "with_it"),
    [
        ("none", []),
        ("own", ["oge_aug", "general"]),
        ("all", ["oge_aug", "general", "spe", "basisnet"]),  # walks have no spectrum
    ],
)
def test_noise(noise, with_it):
    rules = Rules(preset="equal-width", noise=noise)
    names = ["oge_aug", "general", "spe", "basisnet", "rwse", "none"]
    plans = plan_configs(CONFIG, names, rules=rules)
    found = {name: plan.training.noise for name, plan in plans.items()}
    assert found == {name: 1e-5 if name in with_it else 0 for name in names}


def test_authors_have_no_batch_norm_of_the_configuration():
    config = changed(WIDE, encodings=[OWN | {"standardize": True}])
    names = ["oge_aug", "general", "rwse", "es_lap_pe", "a=oge_aug(preset=authors)"]
    plans = plan_configs(config, names)
    found = [label for label, plan in plans.items() if plan.encodings[0].standardize]
    assert found == ["oge_aug", "general"]


@pytest.mark.parametrize("standardize", ["all", "none"])
def test_standardize(standardize):
    rules = Rules(preset="equal-width", standardize=standardize)
    plans = plan_configs(CONFIG, ["oge_aug", "rwse"], rules=rules)
    assert [p.encodings[0].standardize for p in plans.values()] == [standardize == "all"] * 2
    with pytest.raises(UserError, match=r"rwse cannot .*standardize is given twice, for all and"):
        plan_configs(CONFIG, ["rwse(standardize=true)"], rules=rules)


def test_what_cannot_be_is_refused():
    with pytest.raises(
        UserError, match=r"a cannot serve .*encoding 'general' has no presets; those"
    ):
        plan_configs(CONFIG, ["a=general(preset=authors)"], rules=WIDTH)
    one = changed(backbone={"layers": 1})
    with pytest.raises(UserError, match=r"rwse cannot serve .*at least 2 layers, this is 1"):
        plan_configs(one, ["rwse(inject=every)"], rules=WIDTH)
    with pytest.raises(UserError, match=r"es_lap_pe cannot serve .*cannot be gated by distances"):
        plan_configs(changed(backbone={"name": "gcn"}), ["es_lap_pe"])
