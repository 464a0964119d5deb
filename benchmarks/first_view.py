"""How long a browser takes to show the first view of ``ogeaug explore``.

    python -m benchmarks.first_view [--visits 5]

From the start of the navigation until drawing and heat map are on the page (``seen``), and until
both can be clicked (``live``); with an empty cache, then with one that has the scripts. Seconds by
the browser's clock, and of all processors: those of the server and of the browser.
"""

import argparse
from statistics import median
from typing import Any

import psutil

from tests.explore.browser import served, started

SEEN = "#molecule-box .still, #molecule .points .point"
LIVE = "#molecule .points .point"
HEAT = "#slot-look .card:nth-child(3) .still, #features .heatmaplayer image"
LIVE_HEAT = "#features .heatmaplayer image"
WATCH = f"""(() => {{
  const there = (...names) => names.every((name) => document.querySelector(name));
  const look = () => {{
    if (!window.seen && there({SEEN!r}, {HEAT!r})) window.seen = performance.now();
    if (!window.live && there({LIVE!r}, {LIVE_HEAT!r})) window.live = performance.now();
    if (!window.live) requestAnimationFrame(look);
  }};
  requestAnimationFrame(look);
}})()"""


def processors() -> dict[int, float]:
    """Seconds that each of our processes has used."""
    found = {}
    for process in psutil.Process().children(recursive=True):
        times = process.cpu_times()
        found[process.pid] = times.user + times.system
    return found


def visit(context: Any, address: str) -> tuple[float, float, float]:
    """Seconds until it is seen, until it is live, and of all processors until then."""
    page = context.new_page()
    page.add_init_script(WATCH)
    before = processors()
    page.goto(address, wait_until="commit")
    while not page.evaluate("window.live"):
        page.wait_for_timeout(20)
    used = sum(seconds - before.get(pid, 0.0) for pid, seconds in processors().items())
    seen, live = page.evaluate("window.seen") / 1000, page.evaluate("window.live") / 1000
    page.close()
    return seen, live, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--visits", type=int, default=5)
    count = parser.parse_args().visits
    size = {"viewport": {"width": 1280, "height": 900}}
    with started() as browser, served() as (address, _):
        visit(browser.new_context(**size), address)  # starts processes and reads files
        cold = [visit(browser.new_context(**size), address) for _ in range(count)]
        known = browser.new_context(**size)
        visit(known, address)
        warm = [visit(known, address) for _ in range(count)]
    for name, found in (("empty cache", cold), ("scripts cached", warm)):
        seen, live, used = (median(part) for part in zip(*found, strict=True))
        print(f"{name}: seen {seen:.2f} s, live {live:.2f} s, processors {used:.2f} s")


if __name__ == "__main__":
    main()
