"""The architecture: imports go one way, heavy libraries stay where they belong."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import ogeaug

ROOT = Path(ogeaug.__file__).parent
ANYWHERE = {"errors", "checks", "ragged", "layers", "files", "strict"}
"""Small things that everybody may use, and that use nobody but each other."""
SPECTRA = {"native", "graph", "spectrum", "walks"}
ENCODINGS = SPECTRA | {"transforms", "tensors", "pointclouds", "encodings"}
TRAINING = ENCODINGS | {"backbones", "tasks", "model", "data", "training"}
MAY_IMPORT = {
    "native": set(),
    "graph": {"native"},
    "spectrum": {"native", "graph"},
    "walks": {"graph", "spectrum"},
    "transforms": SPECTRA,
    "tensors": SPECTRA,
    "pointclouds": SPECTRA | {"tensors"},
    "encodings": ENCODINGS,
    "backbones": set(),
    "tasks": set(),
    "model": {"encodings", "backbones", "tasks"},
    "data": SPECTRA,
    "measure": ENCODINGS | {"data"},
    "training": TRAINING,
    "inference": TRAINING,
    "compare": TRAINING,
} | {name: set() for name in ANYWHERE}
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
