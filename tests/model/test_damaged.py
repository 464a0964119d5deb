"""Files of a run folder with a value changed, or bytes: they work, or a message names them."""

import copy
import json
import random
import shutil

import pytest
import torch

from ogeaug import load_model
from ogeaug.errors import UserError
from ogeaug.files.tensors import read_tensors, write_tensors
from ogeaug.inference.find_models import find_models
from tests.model.test_old_models import FOLDERS
from tests.torture import tries

ODD = [None, True, -1, 0, 1, 3, 10**30, 0.5, -1e300, float("inf"), float("nan"), "", "x", "1"]
ODD += ["batch", [], [1], [[]], {}, {"a": 1}, ["x"] * 3, 2**63, -(2**31)]


def change(tree, draw: random.Random):
    """A copy with one value replaced, one key lost, or one added."""
    tree = copy.deepcopy(tree)
    places = []

    def walk(node):
        items = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in items:
            places.append((node, key))
            if isinstance(value, dict | list):
                walk(value)

    walk(tree)
    node, key = draw.choice(places)
    kind = draw.randrange(4)
    if kind == 0:
        del node[key]
    elif kind == 1 and isinstance(node, dict):
        node[draw.choice(["x", "k", "delta", "num_layers", "order"])] = draw.choice(ODD)
    else:
        node[key] = draw.choice(ODD)
    return tree


@pytest.mark.torture
@pytest.mark.parametrize("name", ["regression_oge_aug", "classification_rwse"])
def test_a_changed_description(tmp_path, name):
    """In both files, so that they agree."""
    source = next(folder for folder in FOLDERS if folder.name == name)
    record = json.loads((source / "config.json").read_text())
    tensors, _ = read_tensors(source / "model.safetensors")
    for i in range(tries(40, 1000)):
        changed = change(record, random.Random(i))
        (tmp_path / "config.json").write_text(json.dumps(changed))
        write_tensors(tmp_path / "model.safetensors", tensors, changed.get("model"))
        try:
            load_model(tmp_path)
        except UserError as error:
            assert str(tmp_path) in str(error), (i, changed)  # noqa: PT017


@pytest.mark.torture
def test_changed_records(tmp_path):
    source = next(folder for folder in FOLDERS if "ensemble" in folder.name)
    folder = shutil.copytree(source, tmp_path / "r")
    for file in ("plan.json", "model_0/results.json", "model_1/config.json"):
        text = (folder / file).read_text()
        for i in range(tries(15, 300)):
            draw = random.Random(i)
            if draw.random() < 0.7:
                content = json.dumps(change(json.loads(text), draw)).encode()
            else:
                content = bytearray(text.encode())
                content[draw.randrange(len(content))] = draw.randrange(256)
            (folder / file).write_bytes(content)
            try:
                for path in find_models([folder]):
                    load_model(path)
            except UserError as error:
                assert str(folder) in str(error), (file, i)  # noqa: PT017
        (folder / file).write_text(text)


@pytest.mark.torture
def test_flipped_bits(tmp_path):
    """All that counts is under the checksum; a header's spaces, say, are not, and do not count."""
    folder = shutil.copytree(FOLDERS[0], tmp_path / "r")
    content, whole = (folder / "model.safetensors").read_bytes(), load_model(folder).state_dict()
    refused = 0
    for i in range(tries(30, 1000)):
        draw, changed = random.Random(i), bytearray(content)
        changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
        (folder / "model.safetensors").write_bytes(changed)
        try:
            found = load_model(folder).state_dict()
        except UserError as error:
            assert "model.safetensors" in str(error)  # noqa: PT017
            refused += 1
        else:
            assert all(torch.equal(found[name], whole[name]) for name in whole)
    assert refused > 0.9 * tries(30, 1000)
