"""A real browser on the page: the system's Chromium, driven by Playwright."""

import re
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CHROMIUM = next((path for path in map(shutil.which, NAMES) if path), None)
PATIENCE = 60_000
"""Milliseconds. A busy machine is slow; what is there is taken at once."""


@contextmanager
def served(*arguments):
    """The address of a page that the command serves."""
    command = [sys.executable, "-m", "ogeaug.cli", "explore", "--no-browser", "--port", "0"]
    with subprocess.Popen([*command, *arguments], stdout=subprocess.PIPE, text=True) as process:
        try:
            line = process.stdout.readline()
            found = re.search(r"http://\S+", line)
            assert found, line
            yield found[0], process
        finally:
            process.terminate()


@contextmanager
def started():
    """Chromium; skips where it or Playwright is missing."""
    if CHROMIUM is None:
        pytest.skip(f"no browser: none of {', '.join(NAMES)} is installed")
    api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


class Visitor:
    """A person at the page, who notes what the console says and what leaves the machine."""

    def __init__(self, browser, address, **options):
        self.address = address
        self.page = browser.new_page(**{"viewport": {"width": 1280, "height": 900}} | options)
        self.page.set_default_timeout(PATIENCE)
        self.complaints, self.elsewhere = [], []
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._request)

    def _console(self, message):
        if message.type == "error":
            self.complaints.append(message.text)

    def _request(self, request):
        if not request.url.startswith((self.address.split("?")[0], "data:", "blob:")):
            self.elsewhere.append(request.url)

    def open(self, query="", until="#spectrum .bars .point"):
        if until is not None:
            self.page.goto(self.address + query)
            self.wait(until)
        return self

    def wait(self, selector):
        self.page.wait_for_selector(selector, state="attached")

    def until(self, script):
        """Waits until a script gives true. (Playwright's own way needs eval, which is not allowed
        on the page.)"""
        end = time.monotonic() + PATIENCE / 1000
        while not self.page.evaluate(script):
            assert time.monotonic() < end, script
            self.page.wait_for_timeout(40)

    def text(self, selector):
        return self.page.locator(selector).inner_text()

    def value(self, selector):
        return self.page.locator(selector).input_value()

    def click_at(self, selector, x=0.5, y=0.5, number=0):
        """A click at a place of what a selector finds, in shares of its size."""
        box = self.page.locator(selector).nth(number).bounding_box()
        self.page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])

    def leave(self):
        """Closes the page; nothing may have gone wrong."""
        self.page.close()
        assert self.complaints == []
        assert self.elsewhere == []
