import re
from pathlib import Path
from typing import get_args

import pytest
from pydantic import BaseModel

import ogeaug
from ogeaug.errors import UserError
from ogeaug.training.config import Config, dump_config, load_config, parse_config, shipped_configs


@pytest.mark.parametrize("name", shipped_configs())
def test_shipped_configs_round_trip(name):
    config = load_config(name)
    assert parse_config(dump_config(config), [], "again") == config


def test_unknown_keys_are_refused():
    with pytest.raises(UserError, match=r"training.epcohs: unknown key"):
        load_config("default", ["training.epcohs=3"])


def test_overrides():
    changes = ["backbone.layers=6", "encodings.0.delta=1e-1", "training.lr=1e-2", "encodings=[]"]
    config = load_config("default", changes[:3])
    assert config.backbone.layers == 6
    assert config.encodings[0].options["delta"] == 0.1
    assert config.training.lr == 0.01
    assert load_config("default", changes).encodings == []


@pytest.mark.parametrize("override", ["backbone", "=3", "encodings.7.delta=1", "backbone.name.x=1"])
def test_impossible_overrides(override):
    with pytest.raises(UserError, match=r"key|configuration"):
        load_config("default", [override])


def test_an_override_that_is_no_yaml_is_named():
    with pytest.raises(UserError, match=r"--set backbone.layers=\[6: the value is no valid YAML"):
        load_config("default", ["backbone.layers=[6"])


def test_wrong_values_name_the_place():
    with pytest.raises(UserError, match=r"backbone.layers: .*got 'many'"):
        load_config("default", ["backbone.layers=many"])


def test_unknown_name_lists_the_shipped_ones():
    with pytest.raises(UserError, match=r"neither a file nor one of .*default.*zinc_gine_oge"):
        load_config("zink")


@pytest.mark.parametrize("text", ["- 1\n- 2", "a: [", "!!python/object/apply:os.getcwd []"])
def test_damaged_yaml(tmp_path, text):
    (tmp_path / "c.yaml").write_text(text)
    with pytest.raises(UserError, match=r"c.yaml is no"):
        load_config(tmp_path / "c.yaml")


@pytest.mark.parametrize(
    "override",
    [
        *("split.type=column", "split.column=part", "split.fold=1", "training.noise=-1"),
        *("training.noise=.inf", "split.seed=-1", "training.seed=-1", f"training.seed={2**32}"),
    ],
)
def test_contradictions(override):
    with pytest.raises(UserError, match="configuration default"):
        load_config("default", [override])


def test_a_configuration_is_text(tmp_path):
    (tmp_path / "c.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="no text in UTF-8"):
        load_config(tmp_path / "c.yaml")


def test_sizes_that_would_be_ignored(tmp_path):
    for others in ({"type": "column", "column": "part"}, {"num_folds": 5}):
        values = {f"split.{key}": value for key, value in others.items()}
        with pytest.raises(UserError, match="would be ignored"):
            load_config("default", None, values | {"split.sizes": [0.8, 0.1, 0.1]})
        with pytest.raises(UserError, match="would be ignored"):
            load_config("default", ["split.sizes=[0.8, 0.1, 0.1]"], values)
    (tmp_path / "c.yaml").write_text("split: {num_folds: 5, sizes: [0.7, 0.2, 0.1]}")
    with pytest.raises(UserError, match="those of 5 folds"):
        load_config(tmp_path / "c.yaml")


def test_sizes_that_nobody_asked_for(tmp_path):
    """Our own files have all values; folds on the command line stand above sizes in a file."""
    (tmp_path / "c.yaml").write_text(dump_config(load_config("default", ["split.num_folds=5"])))
    assert load_config(tmp_path / "c.yaml").split.num_folds == 5
    (tmp_path / "d.yaml").write_text("split: {sizes: [0.7, 0.2, 0.1]}")
    assert load_config(tmp_path / "d.yaml", ["split.num_folds=5"]).split.num_folds == 5


def test_a_set_has_its_own_split_unless_told():
    own = load_config("default", ["data.name=zinc", "split.seed=3"]).split
    assert (own.type, own.column, own.seed) == ("column", "split", 3)
    told = load_config("default", ["data.name=zinc", "split.type=random"]).split
    assert (told.type, told.column) == ("random", None)
    assert load_config("default", ["data.name=qm9"]).split.type == "random"


def test_the_paper_s_targets_one_by_one():
    """Units are those of the set, so that another target needs no other unit."""
    assert load_config("qm9_oge", values={"task.targets": ["u0"]}).task.targets == ["u0"]


def parts(kind):
    """A configuration's class, and those of its parts."""
    yield kind
    for field in kind.model_fields.values():
        for inner in (field.annotation, *get_args(field.annotation)):
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                yield from parts(inner)


def test_every_key_is_explained_and_read():
    text = "\n".join(p.read_text("utf-8") for p in Path(ogeaug.__file__).parent.rglob("*.py"))
    kinds = [kind for kind in parts(Config) if kind is not Config]
    assert {"TrainingConfig", "SplitConfig", "EncodingConfig"} <= {k.__name__ for k in kinds}
    for kind in kinds:
        for key in kind.model_fields:
            assert re.search(rf"\b{key}\b(, \w+)*(:| likewise)", kind.__doc__), (kind, key)
            assert re.search(rf"\.{key}\b|\"{key}\"", text), f"nothing reads {kind}.{key}"
