"""The architecture: imports go one way, heavy libraries stay where they belong."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ogeaug

ROOT = Path(ogeaug.__file__).parent
ANYWHERE = {
    *("errors", "checks", "ragged", "layers", "files", "strict", "lazy", "presets", "pictures"),
    *("backbone_names", "task_names"),
}
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
    "backbones": {"native"},
    "tasks": {"model.config"},  # which uses nobody
    "model": {"encodings", "backbones", "tasks"},
    "data": SPECTRA | {"model.config"},
    "measure": ENCODINGS | {"data"},
    "training": TRAINING,
    "inference": TRAINING,
    "compare": TRAINING,
    "reproduce": TRAINING | {"compare", "measure.complexity"},
    "explore": TRAINING | {"measure", "inference"},
} | {name: set() for name in ANYWHERE}
PAGE = ("dash", "dash_cytoscape", "dash_ag_grid", "plotly", "flask", "werkzeug")
ONLY_IN = {"rdkit": {"data"}, "lightning": {"training"}} | {name: {"explore"} for name in PAGE}
ROOMS = ["encodings", "data", "training", "inference", "compare", "reproduce", "measure", "model"]
ROOMS += ["transforms", "pictures"]
PUBLIC = ["ogeaug", *(f"ogeaug.{name}" for name in ROOMS)]
"""Where users import from: documented, and light."""
PAGES = sorted([*ROOT.parent.glob("*.md"), *ROOT.parent.glob("docs/**/*.md")])
SCRIPTS = sorted(ROOT.parent.glob("examples/*.py"))
FILES = sorted(ROOT.rglob("*.py"))
MOST_LINES = 250


def imports(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module


def test_files_are_short():
    long = [
        str(p.relative_to(ROOT)) for p in FILES if p.read_text("utf-8").count("\n") > MOST_LINES
    ]
    assert not long, "split them along a seam that means something"


def ours(path):
    return (name for name in imports(path) if name.startswith("ogeaug."))


@pytest.mark.parametrize("path", FILES, ids=[str(p.relative_to(ROOT)) for p in FILES])
def test_imports_go_one_way(path):
    package = path.relative_to(ROOT).parts[0].removesuffix(".py")
    for module in imports(path):
        top, *rest = module.split(".")
        if top == "ogeaug" and package in MAY_IMPORT and rest:
            allowed = MAY_IMPORT[package] | {package} | ANYWHERE
            assert rest[0] in allowed or ".".join(rest) in allowed, module
        assert package in ONLY_IN.get(top, {package}), f"{module} belongs into {ONLY_IN[top]}"


def test_what_tasks_take_from_the_model_takes_nothing_from_it():
    seen, ahead = set(), {"config"}
    while ahead:
        file = ahead.pop()
        seen.add(file)
        for top, room, *rest in (name.split(".") for name in ours(ROOT / f"model/{file}.py")):
            assert top == "ogeaug"
            assert room in {*ANYWHERE, "model"}
            ahead |= set(rest if room == "model" else ()) - seen
    assert {"config", "limits"} <= seen
    assert not seen & {"build", "graph_model"}


def test_importing_public_packages_loads_nothing_heavy():
    code = (
        f"import sys, {', '.join(PUBLIC)};"
        "print(*[m for m in ('torch', 'rdkit', 'numpy', 'lightning') if m in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == ""


@pytest.mark.parametrize("package", PUBLIC)
def test_public_names_of_packages(package):
    module = importlib.import_module(package)
    below = {found.name for found in pkgutil.iter_modules(module.__path__)}
    assert module.__all__
    for name in module.__all__:
        assert name not in below, f"{name} is also a module: one hides the other"
        assert getattr(module, name).__doc__, name
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = module.nothing
    assert set(module.__all__) <= set(dir(module))


def defined(path):
    """Classes, functions and other names of a file."""
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        for target in getattr(node, "targets", [getattr(node, "target", None)]):
            if isinstance(target, ast.Name):
                yield target.id


def test_a_public_name_means_one_thing():
    """But for functions of the command line, which are named like what they call."""
    rooms = [importlib.import_module(room) for room in (*PUBLIC, "ogeaug.tasks")]
    public = {name for room in rooms for name in room.__all__}
    homes = {}
    for path in FILES:
        for name in public & set(defined(path)) if path.parent.name != "cli" else ():
            assert homes.setdefault(name, path) == path, name
    assert {"Edit", "Choice", "ENCODINGS"} <= set(homes)


def documented():
    """What pages and examples import of ours: module and name."""
    for page in PAGES:
        for text in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
            yield from names_of(ast.parse(text))
    for script in SCRIPTS:
        yield from names_of(ast.parse(script.read_text(encoding="utf-8")))


def names_of(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "ogeaug":
            yield from ((node.module, alias.name) for alias in node.names)


def test_documented_names_come_from_few_places():
    found = set(documented())
    assert ("ogeaug.training", "fit") in found
    for module, name in sorted(found):
        assert module in PUBLIC, f"{module} may move; export {name} from its package"
        assert name in importlib.import_module(module).__all__


def test_public_names_exist():
    for name in ogeaug.__all__:
        assert getattr(ogeaug, name).__doc__
    with pytest.raises(AttributeError, match="has no attribute 'OgeAug'"):
        _ = ogeaug.OgeAug
    assert set(ogeaug.__all__) <= set(dir(ogeaug))
