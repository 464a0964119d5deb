"""A table of two rows that is trained in a second."""

from ogeaug.reproduce.table import PaperTable

BACKBONE = {"name": "gine", "layers": 1, "channels": 8}
OPTIONS = {"backbone": BACKBONE, "training.batch_size": 8, "training.noise": 0.0}
TABLE = PaperTable.model_validate(
    {
        "title": "Small molecules, RMSE",
        "paper": "Table 0",
        "config": "default",
        "groups": [
            {"set": {"task.targets": ["y"]}, "columns": [{"name": "RMSE", "metric": "rmse"}]}
        ],
        "quoted": {"Best": ["0.5 ± 0.1"], "Other": [0.7]},
        "rows": [
            {"label": "GINE", "beside": "Other", "encodings": [], "set": OPTIONS},
            {
                "label": "GINE, with RWSE",
                "encodings": [{"name": "rwse", "out_channels": 4, "hidden_channels": 4}],
                "set": OPTIONS,
            },
        ],
        "budgets": {"smoke": {"graphs": 30}},
    }
)
