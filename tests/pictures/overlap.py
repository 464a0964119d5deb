"""Which words of a figure lie over each other, or beyond its edge."""

from itertools import combinations

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text


def misplaced(figure):
    """Pairs of texts that overlap by more than a pixel, and texts that leave the picture."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    renderer, page = canvas.get_renderer(), figure.bbox
    hidden = set(_hidden(figure))
    texts = {
        (text.get_text(), place): text.get_window_extent(renderer)
        for place, text in enumerate(figure.findobj(Text))
        if text.get_visible() and text.get_text().strip() and text not in hidden
    }
    out = [
        (name, "beyond the edge")
        for (name, _), box in texts.items()
        if min(box.x0 - page.x0, box.y0 - page.y0, page.x1 - box.x1, page.y1 - box.y1) < -1
    ]
    for ((a, _), one), ((b, _), two) in combinations(texts.items(), 2):
        wide = min(one.x1, two.x1) - max(one.x0, two.x0)
        high = min(one.y1, two.y1) - max(one.y0, two.y0)
        if wide > 1 and high > 1:
            out.append((a, b))
    return out


def _hidden(figure):
    """Labels of ticks beyond the limits of their axis, and of axes that are switched off."""
    for axes in figure.findobj(Axes):
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            for tick in [*axis.get_major_ticks(), *axis.get_minor_ticks()]:
                if not (axes.axison and low <= tick.get_loc() <= high):
                    yield from (tick.label1, tick.label2)
