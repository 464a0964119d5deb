"""The paper's tables: what was typed from the paper, and rows that can be built."""

import pytest

from ogeaug.data.sets import find_set
from ogeaug.errors import UserError
from ogeaug.model.graph_model import GraphModel
from ogeaug.reproduce.budget import BUDGETS
from ogeaug.reproduce.check import chosen
from ogeaug.reproduce.table import PaperTable, Quote, read_paper_table, table_names
from ogeaug.tasks import make_task
from ogeaug.training.early import check_task_options

TABLES = {name: read_paper_table(name) for name in table_names()}
ROWS = [(name, row) for name, table in TABLES.items() for row in table.rows]


@pytest.mark.parametrize(
    ("table", "row", "column", "value", "deviation"),
    [
        ("zinc", "GPS, with OGE-Aug", 0, 0.064, 0.003),
        ("zinc", "GIN, with SPE", 0, 0.069, 0.004),
        ("ablation", "Vanilla OGE-Aug", 0, 0.098, None),
        ("qm9", "OGE-Aug", 0, 0.0822, None),
        ("qm9", "4-IDMPNN", 11, 0.0890, None),
        ("qm9", "PST", 7, 0.127, None),
        ("contact", "GPS, with OGE-Aug", 0, 0.3543, 0.0004),
        ("cluster", "OGE-Aug", 0, 78.33, 0.13),
        ("pattern", "Exphormer", 0, 86.74, 0.15),
        ("molhiv", "OGE-Aug", 0, 80.01, 0.59),
        ("drugood", "OGE-Aug", 2, 82.26, None),
        ("drugood", "SPE", 11, 66.02, None),
    ],
)
def test_figures_of_the_paper(table, row, column, value, deviation):
    assert TABLES[table].quoted[row][column] == Quote(value, deviation)


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{name}: {row.label}" for name, row in ROWS])
def test_every_row_can_be_built(name, row):
    table = TABLES[name]
    config = table.config_of(row, table.groups[0])
    check_task_options(config)
    features = config.features.model_copy(update={"node_sizes": [4], "edge_sizes": [3]})
    GraphModel.from_config(config.model_part().model_copy(update={"features": features}))


@pytest.mark.parametrize(("name", "row"), ROWS, ids=[f"{name}: {row.label}" for name, row in ROWS])
def test_noise_is_for_those_whose_authors_have_it(name, row):
    """Vanilla and BasisNet could not train with it: see ogeaug.presets."""
    config = TABLES[name].config_of(row, TABLES[name].groups[0])
    theirs = {encoding.name for encoding in config.encodings} & {"oge_aug", "general"}
    assert bool(config.training.noise) == bool(theirs)
    assert config.training.permute == bool(theirs)


@pytest.mark.parametrize("name", TABLES)
def test_columns_are_what_the_task_is_judged_by(name):
    table = TABLES[name]
    for group in table.groups:
        config = table.config_of(table.rows[0], group)
        task = config.task
        if not task.targets:
            task = task.model_copy(update={"targets": list(find_set(config.data.name).targets)})
        main = make_task(task, config.training.loss).main
        assert {column.metric for column in group.columns} == {main}


def test_labels_are_told_apart():
    for table in TABLES.values():
        assert len({row.label for row in table.rows}) == len(table.rows)
        assert len({column.name for column in table.columns}) == len(table.columns)
        for share in table.budgets.values():
            assert set(share.groups or []) <= {group.name for group in table.groups}


def test_a_row_with_too_few_figures_is_refused():
    table = TABLES["zinc"].model_dump()
    table["quoted"] = {"GIN": []}
    with pytest.raises(ValueError, match="0 figures of 1"):
        PaperTable.model_validate(table)


def test_two_rows_in_one_place_are_refused():
    table = TABLES["ablation"].model_dump()
    table["quoted"] = {name: [0.1] for name in table["quoted"]}
    table["rows"][0]["beside"] = table["rows"][1]["beside"]
    with pytest.raises(ValueError, match="would share one"):
        PaperTable.model_validate(table)


def asked_for(rows):
    return {"rows": rows, "columns": []}


def test_a_budget_leaves_rows_out_unless_they_are_named():
    table, hour = TABLES["pattern"], BUDGETS["hour"]
    labels = [row.label for row in chosen(table, asked_for([]), hour)[0]]
    assert "GraphGPS, with OGE-Aug" in labels
    assert "GraphGPS, with SPE of 4 x 32" not in labels
    assert [row.label for row in chosen(table, asked_for(["SPE"]), hour)[0]] == [
        "GraphGPS, with SPE of 4 x 32"
    ]
    assert chosen(table, asked_for([]), BUDGETS["night"])[0] == table.rows


def test_a_budget_cannot_leave_out_what_is_not_there():
    table = TABLES["ablation"].model_dump()
    table["quoted"] = {name: [0.1] for name in table["quoted"]}
    table["budgets"] = {"hour": {"without": ["GRIT"]}}
    with pytest.raises(ValueError, match=r"not there: .*GRIT"):
        PaperTable.model_validate(table)


def test_unknown_table():
    with pytest.raises(UserError, match="no table 'zink'; choose from ablation, alchemy, cluster"):
        read_paper_table("zink")
