"""The pictures of stability (change of output against change of graph) and of costs."""

from matplotlib.figure import Figure

from ogeaug.measure.complexity import Cost
from ogeaug.measure.stability import Curve
from ogeaug.pictures import FAINT, GREY, legend_beside, looks, new_figure, plain_numbers, styled


@styled()
def draw_curves(curves: dict[str, Curve], title: str) -> Figure:
    """Log-log lines of all curves with guides of slope 1/2 and 1.

    Args:
        curves: By the name to print in the legend.
        title: Above the picture.
    """
    figure = new_figure(7.5, 4.5)
    axes, look = figure.subplots(), looks(curves)
    for name, curve in curves.items():
        label = f"{name} ({curve.half_power:.2g})"
        axes.loglog(curve.sizes, curve.changes, label=label, **look[name].line())
    sizes = next(iter(curves.values())).sizes
    for exponent, style in ((0.5, ":"), (1.0, "--")):
        guide = [(size / sizes[-1]) ** exponent for size in sizes]
        axes.loglog(sizes, guide, style, color=FAINT, linewidth=1, label=f"slope {exponent:g}")
    axes.set_xlabel(r"change of the Laplacian, $\|L - L'\|_F$")
    axes.set_ylabel("relative change of the encoding")
    axes.set_title(title)
    legend_beside(figure, axes, title="(largest change / size$^{1/2}$)")
    return figure


@styled()
def draw_loops(paths: dict[str, list[float]], title: str) -> Figure:
    """How far encodings are from where a loop began, in distances to the nearest other graph.

    Args:
        paths: By encoding: :func:`~ogeaug.measure.loop.loop_path` over
            :func:`~ogeaug.measure.resolution.distance_to_others`.
        title: Above the picture.
    """
    figure = new_figure(7.0, 3.6)
    axes, look = figure.subplots(), looks(paths)
    for name, moved in paths.items():
        degrees = [360 * i / len(moved) for i in range(1, len(moved))]
        line = look[name].line() | {"markevery": 6}
        axes.semilogy(degrees, moved[:-1], label=name, **line)  # the last one is the start: 0
    axes.axhline(1.0, color=FAINT, linewidth=1)
    axes.annotate("as far as to another graph", (4, 1.0), xytext=(0, 9), color=GREY,
                  textcoords="offset points", va="bottom", fontsize=8)  # fmt: skip
    axes.set(title=title, xlabel="angle on the loop, degrees", xlim=(0, 360), ylim=(None, 10))
    axes.set_xticks(range(0, 361, 60))
    axes.set_ylabel("change of the encoding over\ndistance to another graph")
    legend_beside(figure, axes)
    return figure


@styled()
def draw_costs(by_nodes: dict[str, list[Cost]], by_multiplicity: dict[str, list[Cost]]) -> Figure:
    """Time and memory, log-log, against nodes (left) and largest multiplicity (right).

    Guides show the paper's count :math:`(n^2 \\mu + m) \\mu` through the last point of the first
    encoding.

    Args:
        by_nodes: Costs of growing graphs, by encoding.
        by_multiplicity: Costs at growing multiplicity, by encoding.
    """
    figure = new_figure(8.4, 6.0)
    axes, look = figure.subplots(2, 2, sharex="col"), looks(by_nodes)
    columns = (("nodes", "nodes n", by_nodes), ("multiplicity", "multiplicity", by_multiplicity))
    rows = (("seconds", "processor time, s"), ("mebibytes", "peak memory, MiB"))
    for column, (key, title, costs) in enumerate(columns):
        for row, (quantity, unit) in enumerate(rows):
            ax = axes[row, column]
            for name, found in costs.items():
                x = [getattr(c, key) for c in found]
                ax.loglog(x, [getattr(c, quantity) for c in found], label=name, **look[name].line())
            first = next(iter(costs.values()))
            counts = [(c.nodes**2 * c.multiplicity + c.edges) * c.multiplicity for c in first]
            scale = getattr(first[-1], quantity) / counts[-1]
            guide = [scale * count for count in counts]
            x = [getattr(c, key) for c in first]
            ax.loglog(x, guide, "--", color=GREY, lw=1, label="paper's count")
            plain_numbers(ax, "x")
            ax.set_ylabel(unit)
        axes[1, column].set_xlabel(title)
    legend_beside(figure, axes[0, 0])
    return figure
