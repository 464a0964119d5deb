"""The pictures of stability (change of output against change of graph) and of costs."""

from matplotlib.figure import Figure

from ogeaug.measure.complexity import Cost
from ogeaug.measure.steadiness import Compared, Steadiness
from ogeaug.pictures import FAINT, GREY, legend_beside, looks, new_figure, plain_numbers, styled

GUIDES = (
    ("paper", "--", "paper: $(n^2 \\mu + m) \\mu$,\n$\\mu$: multiplicity"),
    ("counted", ":", "$(n^2 \\mu + m n) \\mu$,\n$\\mu$: within delta"),
)
"""Counts of operations to draw: attribute of a cost, line, label."""


@styled()
def draw_curves(
    found: dict[str, Steadiness], title: str, compared: Compared | None = None
) -> Figure:
    """Log-log lines of all changes with guides of slope 1/2 and 1; on the right, lost edges, nodes.

    Args:
        found: By the name to print in the legend, with its ratio at 0.01.
        title: Above the picture.
        compared: The paper's bound for the definition.
    """
    figure = new_figure(8.4, 5.0)
    axes, look = figure.subplots(), looks(found)
    for name, one in found.items():
        label = f"{name} ({one.ratio(1e-2):.2g})"
        axes.loglog(one.curve.sizes, one.curve.changes, label=label, **look[name].line())
        if one.edits:
            line = look[name].line() | {"linestyle": "none", "fillstyle": "none"}
            axes.loglog(*zip(*one.edits, strict=True), **line)
    sizes = next(iter(found.values())).curve.sizes
    for exponent, style in ((0.5, ":"), (1.0, "--")):
        guide = [(size / sizes[-1]) ** exponent for size in sizes]
        axes.loglog(sizes, guide, style, color=FAINT, linewidth=1, label=f"slope {exponent:g}")
    if compared is not None:
        line = {"color": look["general"].colour, "linewidth": 1}
        label = "general: bound, as printed"
        axes.loglog(sizes, compared.printed, linestyle="--", label=label, **line)
        label = "general: bound, delta fixed"
        axes.loglog(sizes, compared.proven, linestyle=":", label=label, **line)
    axes.set_xlabel(r"change of the Laplacian, $\|L - L'\|_F$ (hollow: an edge or a node less)")
    axes.set_ylabel("relative change of the encoding")
    axes.set_title(title)
    legend_beside(figure, axes, title="(another graph / change at 0.01)")
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

    Guides show the paper's count and the corrected one
    (:class:`~ogeaug.measure.complexity.Cost`) through the last point of the first encoding.

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
            x, last = [getattr(c, key) for c in first], getattr(first[-1], quantity)
            for count, style, label in GUIDES:
                scale = last / getattr(first[-1], count)
                guide = [scale * getattr(c, count) for c in first]
                ax.loglog(x, guide, style, color=GREY, linewidth=1, label=label)
            plain_numbers(ax, "x")
            ax.set_ylabel(unit)
        axes[1, column].set_xlabel(title)
    legend_beside(figure, axes[0, 0])
    return figure
