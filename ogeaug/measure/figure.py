"""The pictures of stability (change of output against change of graph) and of costs."""

from pathlib import Path

from ogeaug.files.output import save_figure
from ogeaug.measure.complexity import Cost
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
    save_figure(figure, path, dpi=110)


def draw_costs(
    by_nodes: dict[str, list[Cost]], by_multiplicity: dict[str, list[Cost]], path: str | Path
) -> None:
    """Time and memory, log-log, against nodes (left) and largest multiplicity (right).

    Guides show the paper's count :math:`(n^2 \\mu + m) \\mu` through the last point of the first
    encoding.

    Args:
        by_nodes: Costs of growing graphs, by encoding.
        by_multiplicity: Costs at growing multiplicity, by encoding.
        path: Where to save.
    """
    from matplotlib.figure import Figure  # slow to import, and only needed here

    figure = Figure(figsize=(8.4, 6.0), layout="constrained")
    axes = figure.subplots(2, 2, sharex="col")
    columns = (("nodes", "nodes n", by_nodes), ("multiplicity", "multiplicity", by_multiplicity))
    rows = (("seconds", "s of processor time"), ("mebibytes", "peak MiB"))
    for column, (key, title, costs) in enumerate(columns):
        for row, (quantity, unit) in enumerate(rows):
            ax = axes[row, column]
            for name, found in costs.items():
                x = [getattr(c, key) for c in found]
                ax.loglog(x, [getattr(c, quantity) for c in found], marker="o", ms=4, label=name)
            first = next(iter(costs.values()))
            counts = [(c.nodes**2 * c.multiplicity + c.edges) * c.multiplicity for c in first]
            scale = getattr(first[-1], quantity) / counts[-1]
            guide = [scale * count for count in counts]
            x = [getattr(c, key) for c in first]
            ax.loglog(x, guide, "--", color="grey", lw=1, label="paper's count")
            ax.set_ylabel(unit)
        axes[1, column].set_xlabel(title)
    axes[0, 0].legend(fontsize=8)
    save_figure(figure, path, dpi=110)
