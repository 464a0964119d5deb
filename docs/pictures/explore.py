"""Draws docs/pictures/explore.png: the page of ``ogeaug explore`` in a browser."""

from pathlib import Path

from PIL import Image

from tests.explore.browser import Visitor, served, started

OUT = Path(__file__).with_suffix(".png")


def main() -> None:
    with started() as browser, served() as (address, _):
        size = {"width": 1180, "height": 900}
        visitor = Visitor(browser, address, viewport=size).open("?cluster=2&node=3")
        visitor.until("document.querySelectorAll('#features .heatmaplayer image').length")
        visitor.page.screenshot(path=OUT)
        visitor.leave()
    with Image.open(OUT) as shot:
        few = shot.convert("RGB").quantize(256)  # colours: a third of the bytes
    few.save(OUT, optimize=True)
    print(f"{OUT}: {OUT.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
