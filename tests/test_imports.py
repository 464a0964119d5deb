"""The architecture: imports go one way, heavy libraries stay where they belong."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ogeaug

ROOT = Path(ogeaug.__file__).parent
LAYERS = {"native", "spectrum", "tensors", "encodings"}
ANYWHERE = {"encoding_names", "errors", "output_file", "temporary_file"}
MODEL = {"embed", "heads", "json_file", "model", "model_config", "model_file", "tensor_file"}
MODEL |= {"model_folder"}
MAY_IMPORT = {
    "encoding_names": set(),
    "errors": set(),
    "output_file": set(),
    "temporary_file": set(),
    "native": set(),
    "spectrum": {"native"},
    "tensors": {"native", "spectrum"},
    "pointclouds": {"spectrum", "tensors"},
    "encodings": LAYERS | {"pointclouds"},
    "backbones": set(),
    "data": {"spectrum"},
    "measure": LAYERS | {"pointclouds", "data"},
    "training": LAYERS | MODEL | {"data", "backbones"},
} | dict.fromkeys(MODEL, {"encodings", "backbones"} | MODEL)
ONLY_IN = {"rdkit": {"data"}, "lightning": {"training"}}
FILES = sorted(ROOT.rglob("*.py"))


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(ROOT)) for p in FILES])
def test_imports_go_one_way(path):
    package = path.relative_to(ROOT).parts[0].removesuffix(".py")
    for module in imports(path):
        top, *rest = module.split(".")
        if top == "ogeaug" and package in MAY_IMPORT and rest:
            assert rest[0] in MAY_IMPORT[package] | {package} | ANYWHERE, module
        assert package in ONLY_IN.get(top, {package}), f"{module} belongs into {ONLY_IN[top]}"


def test_importing_the_package_loads_nothing_heavy():
    code = (
        "import sys, ogeaug; print(*[m for m in ('torch', 'rdkit', 'numpy') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == ""


def test_public_names_exist():
    for name in ogeaug.__all__:
        assert getattr(ogeaug, name).__doc__
    with pytest.raises(AttributeError, match="has no attribute 'OgeAug'"):
        _ = ogeaug.OgeAug
    assert set(ogeaug.__all__) <= set(dir(ogeaug))
