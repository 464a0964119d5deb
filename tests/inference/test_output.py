"""Where predictions go: files, pipes, the standard output; never over the input or a model."""

import csv
import os
import signal
import subprocess
import sys
import threading
import time

import pyarrow.parquet
import pytest

from ogeaug.errors import UserError
from ogeaug.inference.encode import encode_table
from ogeaug.inference.predict import predict_table
from tests.inference.rows import read
from tests.training.tiny import write_csv


def test_terminated(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C" * 300] * 20_000)
    out = tmp_path / "out"
    options = ["--test-path", source, "--model-paths", run, "--preds-path", out / "preds.csv"]
    command = [sys.executable, "-m", "ogeaug.cli", "predict", *map(str, options)]
    process = subprocess.Popen(command)
    deadline = time.monotonic() + 120
    while not (out.exists() and list(out.iterdir())):
        assert process.poll() is None, "prediction ended by itself"
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    assert process.wait() == 128 + signal.SIGTERM
    assert list(out.iterdir()) == []


def test_the_table_alone_goes_to_the_standard_output(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO", "bad"])
    options = ["--test-path", source, "--model-paths", run, "--preds-path", "/dev/stdout"]
    command = [sys.executable, "-m", "ogeaug.cli", "predict", *map(str, options)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    header, good, bad = csv.reader(done.stdout.splitlines())
    assert header == ["smiles", "pred_y", "status"]
    assert (good[0], good[2], bad[:2]) == ("CCO", "ok", ["bad", ""])
    assert "2 rows in /dev/stdout" in done.stderr


@pytest.mark.parametrize("name", ["p.csv", "p.csv.gz", "z.csv", "z.parquet"])
def test_a_named_pipe(run, tmp_path, name):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO"])
    (tmp_path / "pipe").mkdir()
    pipe, copy = tmp_path / "pipe" / name, tmp_path / name
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: copy.write_bytes(pipe.read_bytes()))
    reader.start()
    if name.startswith("p"):
        predict_table(source, [run], pipe, progress=False)
    else:
        encode_table(source, pipe, model_path=run, progress=False)
    reader.join()
    assert pipe.is_fifo()
    if name == "z.parquet":
        assert pyarrow.parquet.read_table(copy).num_rows == 3
    else:
        assert len(read(copy)) == (2 if name.startswith("p") else 4)


def test_the_input_is_never_overwritten(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C"])
    with pytest.raises(UserError, match="is the input"):
        predict_table(source, [run], source, progress=False)


def test_the_output_is_a_file(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C"])
    with pytest.raises(UserError, match=r"written as CSV; name --preds-path p.csv"):
        predict_table(source, [run], tmp_path / "p.parquet", progress=False)
    with pytest.raises(UserError, match=r"is a folder; name a file"):
        predict_table(source, [run], tmp_path, progress=False)
    with pytest.raises(UserError, match=r"is a folder; expected a CSV file"):
        predict_table(tmp_path, [run], tmp_path / "p.csv", progress=False)


def test_nothing_half_written(run, tmp_path):
    (tmp_path / "n.csv").write_bytes(b"smiles\nCCO\n\xff\xfe\n")
    with pytest.raises(UserError, match="UTF-8"):
        predict_table(tmp_path / "n.csv", [run], tmp_path / "p.csv", chunk=1, progress=False)
    assert [p.name for p in tmp_path.iterdir()] == ["n.csv"]


def test_output_below_a_file(run, tmp_path):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["C"])
    with pytest.raises(UserError, match="cannot write"):
        predict_table(source, [run], source / "p.csv", progress=False)


@pytest.mark.parametrize("name", ["model.safetensors", "split.csv", "checkpoints/a.csv"])
def test_files_of_the_model_are_no_output(run, tmp_path, name):
    source = write_csv(tmp_path / "new.csv", header="smiles", rows=["CCO"])
    with pytest.raises(UserError, match=r"is a file of the model in .*run"):
        predict_table(source, [run], run / name, progress=False)
    (tmp_path / "link.csv").symlink_to(run / name)
    with pytest.raises(UserError, match=r"is a file of the model in .*run"):
        encode_table(source, tmp_path / "link.csv", model_path=run, progress=False)
