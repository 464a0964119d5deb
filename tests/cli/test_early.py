"""Mistakes in arguments are told at once: before torch is loaded, which takes seconds.

All bad calls run in one process that cannot import torch; what each of them said comes back.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest

from ogeaug import __version__
from ogeaug.model.config import Pooling
from ogeaug.tasks.heads import POOLING

ROOT = Path(__file__).parents[2]
HEAVY = ("torch", "torch_geometric", "lightning", "rdkit", "pyarrow")
SCRIPT = f"""
import json, sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {HEAVY}:
            raise ImportError(name + " is heavy")

sys.meta_path.insert(0, Refuse())
from typer.testing import CliRunner
from ogeaug.cli.main import app

said = []
for arguments in json.load(sys.stdin):
    done = CliRunner().invoke(app, arguments)
    said.append([done.exit_code, " ".join(done.output.split()), repr(done.exception)])
json.dump(said, sys.stdout)
"""
TRAIN = "train --data-path my.csv -o new"
PREDICT = "predict --test-path my.csv --preds-path p.csv --model-paths run"
ENCODE = "encode --data-path my.csv --output z.csv"
COMPARE = "compare --config default --data-path my.csv -o new --encodings spe,none"
BAD = {
    # train: the configuration
    "train --dataset nci": "name a new folder for the run: --output-dir run1",
    "train --config nope -o new": "there is no configuration 'nope'",
    f"{TRAIN} --set backbone.layers": "--set takes key=value, like backbone.layers=6",
    f"{TRAIN} --set backbone.layer=6": "backbone.layer: unknown key",
    f"{TRAIN} --set encodings.0.name=oge": "unknown encoding 'oge'; choose from oge_aug",
    f"{TRAIN} --epochs 0": "--epochs",
    f"{TRAIN} --task-type node_classification --num-classes 2": "is trained from Python",
    f"{TRAIN} --split-sizes 0.8 0.8 0.1": "must be fractions for train, val, test",
    f"{TRAIN} --num-folds 2": "at least 3 folds",
    f"{TRAIN} --split-sizes 0.8 0.1 0.1 --num-folds 5": "the parts are those of 5 folds",
    f"{TRAIN} --split-sizes 0.6 0.2 0.2 --splits-column y": "those of column 'y'; leave",
    f"{TRAIN} --set split.sizes=[0.8,0.1,0.1] --num-folds 5": "would be ignored",
    f"{TRAIN} --config both.yaml": "split sizes (0.7, 0.2, 0.1) would be ignored",
    f"{TRAIN} --config twice.yaml": "the key 'epochs' stands twice, in line 2 and in line 4",
    f"{TRAIN} --set training.threads=1000000": "training.threads: Input should be less than",
    f"{TRAIN} --set training.lr=.inf": "training.lr: Input should be a finite number",
    f"{TRAIN} --set training.clip=.inf": "training.clip: Input should be a finite number",
    f"{TRAIN} --set training.weight_decay=.inf": "training.weight_decay: Input should be a finite",
    f"{TRAIN} --set training.warmup_epochs=.inf": "training.warmup_epochs: Input should be a fini",
    f"{TRAIN} --batch-size 100000000000000000000": "training.batch_size: Input should be less than",
    f"{TRAIN} --task-type classification --set training.loss=mae": "training.loss=mae is not used",
    f"{TRAIN} --task-type classification --set training.loss=mse": "is binary cross-entropy",
    f"{TRAIN} --config zinc --task-type multiclass --num-classes 3": "training.loss=mae is not",
    "compare --config pattern -o new --encodings spe --set head.pooling=sum": "head.pooling=sum is",
    "compare --config pattern -o new --encodings spe --set training.loss=mae": "by class size",
    f"{TRAIN} --seed -1": "training.seed: Input should be greater than or equal to 0",
    f"{TRAIN} --seed 4294967295 --ensemble-size 2": "from 0 to 4294967295, got 4294967296",
    f"{TRAIN} --devices 1000000": "--devices",
    f"{TRAIN} --devices 20": "--devices 20 needs batches of at least 40 graphs",
    f"{COMPARE} --seeds -1": "a seed is a whole number from 0 to 4294967295, got -1",
    f"{COMPARE} --seeds 4294967296": "a seed is a whole number from 0 to 4294967295",
    f"{COMPARE} --minutes inf": "minutes must be positive, and at most",
    f"{ENCODE} --seed 1180591620717411303424": "a seed is a whole number from 0 to 4294967295",
    f"{ENCODE} --out-channels 100000000": "--out-channels must be 1 to 8192",
    f"{ENCODE} --encoding edge_rwse": "edge_rwse is an encoding of edges: it joins the edge feat",
    "measure stability --seed 1180591620717411303424": "--seed",
    "measure stability -e edge_rwse": "edge_rwse is an encoding of edges",
    "measure invariance --graph cycle:99999999999": "is too large: at most 100,000",
    "measure expressivity designs --order 2 --delta nan": "must be positive and finite, got nan",
    # train: files and folders
    "train --data-path no.csv -o new": "there is no file no.csv",
    "train --data-path . -o new": "is a folder; expected a CSV file",
    "train --data-path empty.csv -o new": "is empty; expected a CSV file",
    "train -o new": "needs a file: --data-path FILE",
    "train --dataset tox21 -o new": "unknown data set 'tox21'; choose from csv, nci, zinc, ",
    "train --config cluster --data-path my.csv -o new": "my.csv is no folder",
    "train --config cluster --target-columns y -o new": "a class per node and no target column",
    "train --config cluster --set task.num_classes=3 -o new": "has 6 classes, got 3",
    "train --dataset cluster --task-type regression -o new": "is for the task node_classification",
    "train --config pattern --num-folds 5 -o new": "comes in parts, so it is not split",
    "train --config pattern --split-sizes 0.6 0.2 0.2 -o new": "is not split",
    "train --dataset pattern --ignore-stereo -o new": "has no molecules",
    "train --config pattern --set features.node_sizes=[9] -o new": "has features.node_sizes=[3]",
    f"{TRAIN} --set features.kind=own": "are given from Python by parts=",
    "train --dataset nci --data-path my.csv -o new": "takes no path",
    "train --dataset zinc --data-path my.csv -o new": "my.csv is no folder",
    "train --config zinc --data-path . -o new": "or zinc_train10k.csv.gz and zinc12k_val.csv.gz",
    "train --dataset qm9 --data-path . -o new": "needs gdb9.sdf and gdb9.sdf.csv and",
    f"{TRAIN} --smiles-columns s": "no column 's'; it has: smiles, y",
    f"{TRAIN} --target-columns logS": "no column 'logS'",
    f"{TRAIN} --splits-column part": "Name another one (--splits-column)",
    "train --data-path two.csv -o new": "of two.csv, like --target-columns a,b",
    "train --data-path my.csv -o run": "run already holds a run",
    "train --data-path my.csv -o my.csv/run": "cannot write to my.csv/run: my.csv is a file",
    f"{TRAIN} --config rwse.yaml": "which rwse does not use; set training.noise=0",
    f"{TRAIN} --set encodings=[] --set training.noise=1e-4": "without encodings has not",
    "train --dataset nci --no-header-row -o new": "data.header=False (--no-header-row) is about",
    "train --dataset zinc --no-header-row -o new": "data set 'zinc' would ignore it: leave it out",
    "train --dataset qm9 --allow-multiline -o new": "data.multiline=True (--allow-multiline) is",
    "train --config cluster --max-atoms 50 -o new": "data set 'cluster' would ignore it",
    "train --config cluster --smiles-columns s -o new": "data.column=s (--smiles-columns) is about",
    "compare --config zinc --encodings spe --set data.header=false -o new": "would ignore it",
    # train: continued
    "train --resume nowhere": "nowhere holds no run to resume",
    "train --resume run --epochs 3": "leave out all other options",
    "train --resume comparison": "holds a comparison",
    "train --resume given": "is a run on graphs that were given to it",
    "train --resume moved": "there is no file gone.csv",
    # predict
    "predict --test-path my.csv --preds-path p.csv": "--model-paths",
    "predict --test-path no.csv --preds-path p.csv --model-paths run": "there is no file no.csv",
    "predict --test-path my.csv --preds-path p.csv --model-paths no": "there is no folder no; name",
    "predict --test-path my.csv --preds-path . --model-paths run": "is a folder; name a file",
    "predict --test-path my.csv --preds-path my.csv --model-paths run": "is the input",
    "predict --test-path my.csv --preds-path p.xlsx --model-paths run": "written as CSV",
    "predict --test-path my.csv --preds-path my.csv/p --model-paths run": "cannot write my.csv/p",
    f"{PREDICT} --smiles-columns s": "no column 's'",
    f"{PREDICT} --model-paths other": "so they are no ensemble",
    f"{PREDICT} --model-paths half": "half/model.safetensors: the model is not whole; copy it aga",
    f"{PREDICT} --model-paths my.csv": "my.csv is a file; name the folder of the model",
    f"{PREDICT} --preds-path run/model.safetensors": "is a file of the model in run; choose",
    f"{PREDICT} --preds-path run/split.csv": "is a file of the model in run; choose",
    f"{PREDICT} --test-path pipe": "pipe is a pipe or a device",
    f"{PREDICT} --dask 99999999999999999999": "--dask 99999999999999999999: at most 256 local",
    f"{PREDICT} --dask {'9' * 5000}": "--dask 99999999999999999...: at most 256 local",
    f"{PREDICT} --dask 257": "--dask 257: at most 256 local",
    f"{PREDICT} --dask 000": "neither the address of a scheduler",
    "predict --test-path my.csv --preds-path p.csv --model-paths nodes": "for node_classification",
    "predict --test-path my.csv --preds-path p.csv --model-paths graphs": "trained on PyG data obj",
    f"{PREDICT} --model-paths damaged": "damaged/config.json is damaged",
    f"{PREDICT} --model-paths ensemble": "ensemble has 1 of 2 models",
    f"{PREDICT} --dask nonsense": "neither the address of a scheduler",
    f"{PREDICT} --test-path quotes.csv": "begins in line 2 goes on to line 4: its column 'note'",
    # encode
    f"{ENCODE} --data-path quotes.csv": "line breaks, --allow-multiline",
    "encode --data-path no.csv --output z.csv": "there is no file no.csv",
    "encode --data-path my.csv --output z.txt": "ends in .parquet or .csv",
    "encode --data-path my.csv --output folder.csv": "is a folder; name a file in it",
    "encode --data-path my.csv --output my.csv": "is the input",
    f"{ENCODE} --pooling max": "unknown pooling 'max'; choose from none, sum, mean",
    f"{ENCODE} --encoding oge": "unknown encoding 'oge'",
    f"{ENCODE} --model-path no": "there is no folder no; name",
    f"{ENCODE} --model-path graphs": "was trained on PyG data objects",
    f"{ENCODE} --model-path run --seed 3": "has its own encoding",
    f"{ENCODE} --smiles-columns s": "no column 's'",
    f"{ENCODE} --dask -1": "neither the address of a scheduler",
    # compare
    "compare --config nope": "there is no configuration 'nope'",
    "compare --config default --data-path no.csv": "there is no file no.csv",
    "compare --config cluster --data-path my.csv": "my.csv is no folder",
    f"{COMPARE} --seeds a": "--seeds takes numbers with commas",
    f"{COMPARE} --seeds 1,1": "give each seed once",
    f"{COMPARE} --minutes 0": "minutes must be positive",
    f"{COMPARE} --option k=3": "--option takes encoding.option=value",
    f"{COMPARE} --option rwse.steps=3": "options for rwse, which is not compared",
    f"{COMPARE} --encodings oge": "unknown encoding 'oge'",
    f"{COMPARE} --encodings spe,spe": "spe more than once",
    f"{COMPARE} --encodings a=spe(k=8),a=rwse": "a more than once",
    f"{COMPARE} --encodings a=spe(k=8": "a bracket ')' is missing",
    f"{COMPARE} --encodings a=general(preset=authors)": "a: encoding 'general' has no presets",
    f"{COMPARE} --preset ours": "preset: Input should be 'authors' or 'equal-width'",
    f"{COMPARE} --preset equal-width --parameters 9": "which preset equal-width keeps",
    f"{COMPARE} --noise some": "noise: Input should be 'none', 'own' or 'all'",
    f"{COMPARE} --noise all --set training.noise=0": "--noise all needs noise",
    f"{COMPARE} --encodings rwse,none --set training.noise=1e-4": "has no effect: with --noise own",
    f"{COMPARE} --standardize some": "standardize: Input should be 'all' or 'none'",
    f"{COMPARE} --hold-out 2": "hold_out: Input should be less than 1",
    f"{COMPARE} --search-epochs 2": "those of a search; add --search",
    f"{COMPARE} --grid training.lr": "--grid takes a key and values",
    f"{COMPARE} --grid lr=1": "a search goes over keys like training.lr",
    f"{COMPARE} --set encodings=[]": "this one has 0",
    f"{COMPARE} -o run": "run already holds a run",
    # measure
    "measure invariance -e nonsense": "unknown encoding 'nonsense'",
    "measure stability --graph rook:7": "'rook:7' is not one of cycle:SIZE",
    f"measure stability --graph cycle:{'9' * 5000}": "is too large: at most 100,000",
    "measure stability --graph cycle:²": "is not one of cycle:SIZE",
    "measure stability --graph cycle": "'cycle' is not one of cycle:SIZE",
    "measure stability --graph graph6:!": "not a graph in graph6 format",
    "measure stability --figure a.doc": "a.doc: no kind of picture",
    # reproduce
    "reproduce zink -o new": "the paper has no table 'zink'; choose from ablation, alchemy",
    "reproduce cluster --budget week -o new": "there is no budget 'week'; choose from smoke, hour",
    "reproduce cluster --rows GTC -o new": "--rows: no row has 'GTC'; there are GCN",
    "reproduce cluster --data-path absent -o new": "absent is no folder (--data-path names it)",
    "reproduce molhiv -o new": "'molhiv' is read from its project's files: name their folder by",
    "reproduce cluster -o my.csv": "cannot write to my.csv: my.csv is a file",
    "reproduce cluster -o begun": "begun/schedule.json is damaged: asked: Field required",
    "reproduce params --rows GIN -o new": "table params trains nothing and takes no --rows",
    "reproduce datasets --data-path absent -o new": "absent is no folder (--data-path names it)",
    "reproduce time --data-path begun -o new": "begun has the files of no data set of table time",
    "measure stability --figure my.csv/a.png": "cannot write my.csv/a.png",
    "measure complexity --csv .": "is a folder; name a file in it",
    "measure expressivity trees no.g6": "'no.g6' is neither a file nor one of the families",
    "measure expressivity bad.g6": "bad.g6, line 2",
    "measure expressivity trees --encoding nonsense": "unknown encoding 'nonsense'",
    "measure expressivity trees --order 2 --search 2": "choose one of --order, --search",
    "measure expressivity trees --layers 3": "--layers needs --order",
    "measure expressivity trees --category x": "NAME:PAIRS",
}


def model_folder(folder, target="y", **others):
    """What is read of a model before its weights."""
    folder.mkdir()
    model = {"task": {"targets": [target]}, "encodings": []} | others
    (folder / "config.json").write_text(json.dumps({"model": model}))
    return folder


def run_folder(folder, checksum, path="my.csv"):
    """A run that was interrupted."""
    folder.mkdir()
    (folder / "config.yaml").write_text(f"data: {{path: {path}}}")
    (folder / "started.json").write_text(json.dumps({"checksum": checksum}))


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("early")
    (place / "my.csv").write_text("smiles,y\nC,1\n")
    (place / "two.csv").write_text("smiles,a,b\nC,1,2\n")
    (place / "empty.csv").write_text("")
    (place / "bad.g6").write_text("Bw\nB!\n")
    (place / "both.yaml").write_text("split: {num_folds: 5, sizes: [0.7, 0.2, 0.1]}")
    (place / "twice.yaml").write_text("training:\n  epochs: 5\n  lr: 0.1\n  epochs: 6\n")
    (place / "rwse.yaml").write_text(
        "encodings: [{name: rwse, out_channels: 8}]\ntraining: {noise: 1e-5}\n"
    )
    (place / "quotes.csv").write_text('smiles,note,y\nC,"a,1\nCC,b,2\nCCC,c",3\n')
    os.mkfifo(place / "pipe")
    (place / "folder.csv").mkdir()
    for name, target in (("run", "y"), ("other", "z")):
        (model_folder(place / name, target) / "model.safetensors").write_text("")
    nodes = {"type": "node_classification", "num_classes": 2}
    (model_folder(place / "nodes", task=nodes) / "model.safetensors").write_text("")
    own = {"kind": "own"}
    (model_folder(place / "graphs", features=own) / "model.safetensors").write_text("")
    model_folder(place / "half")
    (model_folder(place / "damaged") / "config.json").write_text("{")
    (place / "ensemble").mkdir()
    model_folder(place / "ensemble" / "model_0")
    (place / "ensemble" / "plan.json").write_text('{"folds": 1, "ensemble_size": 2}')
    (place / "comparison").mkdir()
    (place / "begun").mkdir()
    (place / "begun" / "schedule.json").write_text("{}")
    (place / "comparison" / "plan.json").write_text('{"asked": {}, "configs": {}}')
    run_folder(place / "given", "given")
    run_folder(place / "moved", "0", path="gone.csv")
    return place


@pytest.fixture(scope="module")
def said(place):
    before = sorted(place.rglob("*"))
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input=json.dumps([call.split() for call in BAD]),
        cwd=place,
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "1000"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert sorted(place.rglob("*")) == before, "a refused call leaves nothing behind"
    return dict(zip(BAD, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("call", BAD)
def test_told_without_torch(said, call):
    code, output, exception = said[call]
    assert BAD[call] in output, (output, exception)
    assert code in (1, 2)
    assert "heavy" not in output + exception


def test_version_without_torch():
    code = (
        "import sys; from ogeaug.cli.main import app\n"
        "try: app(['--version'])\n"
        f"finally: print([name for name in {(*HEAVY, 'numpy', 'pydantic')} if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [f"ogeaug {__version__}", "[]"]


def test_poolings_are_those_of_the_heads():
    assert tuple(POOLING) == get_args(Pooling)
