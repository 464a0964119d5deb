"""The picture of stability: change of the output against change of the graph."""

from pathlib import Path

from ogeaug.measure.stability import Curve


def draw_curves(curves: dict[str, Curve], path: str | Path, title: str) -> None:
    """Log-log lines of all curves with guides of slope 1/2 and 1; the file's suffix is its format.

    Args:
        curves: By the name to print in the legend.
        path: Where to save.
        title: Above the picture.
    """
    from matplotlib.figure import Figure  # slow to import, and only needed here

    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    axes = figure.subplots()
    for name, curve in curves.items():
        label = f"{name} (half-power constant {curve.half_power:.2g})"
        axes.loglog(curve.sizes, curve.changes, marker="o", markersize=4, label=label)
    sizes = next(iter(curves.values())).sizes
    for exponent, style in ((0.5, ":"), (1.0, "--")):
        guide = [(size / sizes[-1]) ** exponent for size in sizes]
        axes.loglog(sizes, guide, style, color="grey", linewidth=1, label=f"slope {exponent:g}")
    axes.set_xlabel(r"change of the Laplacian, $\|L - L'\|_F$")
    axes.set_ylabel(r"relative change of the encoding")
    axes.set_title(title)
    axes.legend(fontsize=8)
    figure.savefig(path, dpi=110)
