"""QM9 from its own files: which molecules, which targets, which graphs."""

import pytest
from torch_geometric.datasets.qm9 import KCALMOL2EV, atomrefs, conversion

from ogeaug.data import load_data
from ogeaug.data.config import DataConfig, SplitConfig
from ogeaug.data.molecule import smiles_to_data
from ogeaug.data.sets.qm9 import ATOMISED, ATOMS, QM9
from ogeaug.errors import UserError
from ogeaug.model.config import FeaturesConfig, TaskConfig
from tests.data.sets.published import SMILES, write_qm9

ALL = SplitConfig(sizes=(0.5, 0.5, 0))


def load(folder, targets=("mu",), features=None, **options):
    data = DataConfig(name="qm9", path=str(folder), **options)
    return load_data(data, ALL, features, TaskConfig(targets=list(targets)), progress=False)


def graphs(found):
    return sorted(found.parts.train + found.parts.val, key=lambda data: int(data.row))


@pytest.mark.parametrize("place", ["", "raw", "QM9/raw"])
def test_listed_molecules_are_left_out(tmp_path, place):
    write_qm9(tmp_path / place, left_out=(2, 5))
    found = load(tmp_path)
    assert [int(data.y) for data in graphs(found)] == [0, 2, 3, 5, 6]
    assert (found.skipped, found.stand_in) == ([], "")


def test_targets_by_name_and_by_number(tmp_path):
    write_qm9(tmp_path)
    found = load(tmp_path, ["1", "u0", "12"])
    assert found.task.targets == ["alpha", "u0", "u0_atom"]
    assert found.task.units == {"alpha": "bohr^3", "u0": "Hartree", "u0_atom": "Hartree"}
    hartree = conversion[7].item()
    y = graphs(found)[0].y.flatten().tolist()
    assert y == pytest.approx([0.01, 0.07, 0.12 * KCALMOL2EV / hartree], rel=1e-6)
    with pytest.raises(UserError, match="no column '16'"):
        load(tmp_path, ["16"])
    with pytest.raises(UserError, match="alpha twice"):
        load(tmp_path, ["1", "alpha"])


def test_numbers_are_those_of_pyg():
    """PyG converts by the places of its targets; those of energies are ours."""
    energies = [i for i in range(12) if conversion[i] != 1]
    assert [QM9.numbered[i] for i in energies] == [
        *("homo", "lumo", "gap", "zpve", "u0", "u298", "h298", "g298")
    ]
    assert QM9.numbered[12:] == ATOMISED
    assert all(conversion[i].item() == pytest.approx(KCALMOL2EV) for i in range(12, 16))


def test_energies_of_atoms_are_those_of_pyg():
    for name, (whole, atoms) in ATOMS.items():
        theirs = atomrefs[QM9.numbered.index(whole)]
        ours = [energy * conversion[7].item() for energy in atoms]
        assert ours == pytest.approx(theirs, abs=1e-4), name


def test_graphs_with_and_without_hydrogens(tmp_path):
    write_qm9(tmp_path, left_out=(7,))
    for hydrogens in (True, False):
        features = FeaturesConfig(kind="ogb", hydrogens=hydrogens)
        found = graphs(load(tmp_path, features=features))
        for data, smiles in zip(found, SMILES[:6], strict=True):
            made = smiles_to_data(smiles, features="ogb", hydrogens=hydrogens)
            assert (data.num_nodes, data.num_edges) == (made.num_nodes, made.num_edges)
            assert sorted(data.x.tolist()) == sorted(made.x.tolist())
    assert load(tmp_path).features.hydrogens  # as the benchmark has it


def test_unreadable_molecules_are_listed(tmp_path):
    write_qm9(tmp_path, broken=(3,))
    found = load(tmp_path)
    assert [(left.text, left.reason) for left in found.skipped] == [
        ("gdb_4", "RDKit cannot read this molecule of the file")
    ]
    assert len(graphs(found)) == 5


def test_files_that_do_not_belong_together(tmp_path):
    write_qm9(tmp_path)
    csv = tmp_path / "gdb9.sdf.csv"
    lines = csv.read_text().splitlines(keepends=True)
    csv.write_text("".join(lines[:-1]))
    with pytest.raises(UserError, match=r"has 7 molecules, .* 6 rows"):
        load(tmp_path)
    csv.write_text("".join(lines).replace("zpve", "zero"))
    with pytest.raises(UserError, match=r"csv has no column 'zpve'; .* Fetch"):
        load(tmp_path)
    rows = [*lines[:2], *lines[3:], lines[2]]  # the same rows, the second one last
    csv.write_text("".join(rows))
    with pytest.raises(UserError, match=r"molecule 2 is 'gdb_2' in .* and 'gdb_3' in .*csv"):
        load(tmp_path)
    write_qm9(tmp_path, left_out=(2,))
    listed = tmp_path / "uncharacterized.txt"
    listed.write_text(listed.read_text().replace("2 c1", "99 c1"))
    with pytest.raises(
        UserError, match=r"uncharacterized\.txt names entry 99 .* there are 7, from 1"
    ):
        load(tmp_path)
    listed.write_text("hello\n")
    with pytest.raises(UserError, match=r"is no list .*\(no number in it\)"):
        load(tmp_path)
    listed.write_text("\n".join(["no list"] * 20))
    with pytest.raises(UserError, match="is no list of uncharacterised molecules"):
        load(tmp_path)
