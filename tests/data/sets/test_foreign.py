"""Tables that have a benchmark's name and something else in them."""

import pytest

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig
from ogeaug.errors import UserError
from ogeaug.model.config import TaskConfig
from tests.data.sets.published import write_gz

TABLES = {
    "zinc": ("zinc_train10k.csv.gz", "zinc12k_val.csv.gz"),
    "zinc_full": ("zinc_full_train.csv.gz", "zinc_full_val.csv.gz"),
    "qm9": ("qm9_trainval.csv.gz",),
    "molhiv": ("hiv.csv.gz",),
    "cycles": ("cycles_rr_trainval.csv.gz",),
    "substructures": ("substructure_er_trainval.csv.gz",),
    "pcqm_contact": ("qm9_contact_trainval.csv.gz",),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("text", ["smiles,NR-AR\nCCO,1\nCC,0\n", "graph6,y\nA_,1\nA_,2\n"])
def test_a_foreign_table_is_refused_without_options_of_train(tmp_path, name, text):
    for file in TABLES[name]:
        write_gz(tmp_path / file, text)
    targets = ["mu"] if name == "qm9" else []
    with pytest.raises(UserError, match=f"{TABLES[name][0]} has no column .* Fetch") as told:
        load_data(
            DataConfig(name=name, path=str(tmp_path)),
            task=TaskConfig(targets=targets),
            progress=False,
        )
    assert "--" not in str(told.value)


@pytest.mark.parametrize(
    ("cell", "message"),
    [("7", "holds 7"), ("", "is empty in all"), ("high", "holds 'high' in row 1")],
)
def test_foreign_labels(tmp_path, cell, message):
    write_gz(tmp_path / "hiv.csv.gz", f"smiles,y,split\nCCO,{cell},train\nCC,{cell},val\n")
    with pytest.raises(UserError, match=f"{message}.* Fetch") as told:
        load_data(DataConfig(name="molhiv", path=str(tmp_path)), progress=False)
    assert "--" not in str(told.value)


def test_no_molecule_can_be_read(tmp_path):
    write_gz(tmp_path / "hiv.csv.gz", "smiles,y,split\nC1,0,train\nC2,1,val\n")
    with pytest.raises(UserError, match="none of the 2 rows") as told:
        load_data(DataConfig(name="molhiv", path=str(tmp_path)), progress=False)
    assert "--" not in str(told.value)
