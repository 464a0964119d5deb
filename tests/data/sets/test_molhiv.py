"""ogbg-molhiv from OGB's own folder: its lists, its graphs."""

import pytest
import torch

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig
from ogeaug.data.molecule import smiles_to_data
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig
from tests.data.sets.published import SMILES, write_gz, write_molhiv


def load(folder, features=None, **options):
    data = DataConfig(name="molhiv", path=str(folder), **options)
    return load_data(data, features=features, progress=False)


@pytest.mark.parametrize("place", ["", "ogbg_molhiv", "hiv"])
def test_parts_are_those_of_the_lists(tmp_path, place):
    write_molhiv(tmp_path / place)
    found = load(tmp_path)
    assert (found.split.train, found.split.val, found.split.test) == ([0, 1, 4], [3, 6], [2, 5])
    assert [data.y.item() for data in found.parts.val] == [1, 0]
    assert (found.task.type, found.task.targets) == ("classification", ["HIV_active"])
    assert (found.stand_in, found.features.kind) == ("", "ogb")


def test_graphs_are_those_of_the_folder(tmp_path):
    write_molhiv(tmp_path)
    found = load(tmp_path)
    for data in found.parts.train:
        made = smiles_to_data(SMILES[int(data.row)], features="ogb")
        for name in ("x", "edge_index", "edge_attr"):
            assert torch.equal(data[name], made[name])
    # A molecule that RDKit refuses today is there all the same.
    write_molhiv(tmp_path)
    mapping = "\n".join(["HIV_active,smiles,mol_id", *[f"{i % 2},X,c" for i in range(7)]])
    write_gz(tmp_path / "mapping/mol.csv.gz", mapping + "\n")
    assert load(tmp_path).skipped == []
    with pytest.raises(UserError, match="none of the 7 rows"):
        load(tmp_path, FeaturesConfig())  # other features are made from SMILES


def test_entries_of_no_list_are_left_out(tmp_path):
    write_molhiv(tmp_path, lists={"train": [0, 1, 4], "valid": [6], "test": [5]})
    found = load(tmp_path)
    assert sum(len(found.parts.part(part)) for part in found.parts.names) == 5


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("split/scaffold/valid.csv.gz", "7\n", "names entry 7 .* there are 7"),
        ("split/scaffold/valid.csv.gz", "0\n", "names entry 0, which is in train, too"),
        ("split/scaffold/valid.csv.gz", "a\n", "no list of numbers"),
        ("raw/num-node-list.csv.gz", "3\n", "has 1 rows; the molecules are 7"),
        ("raw/edge.csv.gz", "0,1\n", "has 1 rows, by .* there are"),
        ("raw/edge.csv.gz", "0,a\n", "no table of whole numbers"),
        (
            "mapping/mol.csv.gz",
            "a,smiles\n1,C\n",
            "mol.csv.gz has no column 'HIV_active'; .* Fetch",
        ),
    ],
)
def test_bad_files_are_told(tmp_path, file, text, message):
    write_molhiv(tmp_path)
    write_gz(tmp_path / file, text)
    with pytest.raises(UserError, match=message):
        load(tmp_path)


def test_a_cut_off_file_is_told(tmp_path):
    for file in ("raw/node-feat.csv.gz", "split/scaffold/test.csv.gz", "mapping/mol.csv.gz"):
        write_molhiv(tmp_path)
        content = (tmp_path / file).read_bytes()
        (tmp_path / file).write_bytes(content[: len(content) // 2])
        with pytest.raises(UserError, match=file.split("/")[-1].replace(".", r"\.")):
            load(tmp_path)


def test_categories_are_checked(tmp_path):
    write_molhiv(tmp_path)
    graphs = [smiles_to_data(text, features="ogb") for text in SMILES]
    rows = [row for data in graphs for row in data.x.tolist()]
    rows[0][0] = 119
    write_gz(
        tmp_path / "raw/node-feat.csv.gz", "".join(",".join(map(str, row)) + "\n" for row in rows)
    )
    with pytest.raises(UserError, match=r"graph 0 of .* are no categories"):
        load(tmp_path)
