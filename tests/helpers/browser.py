"""A headless browser for the tests of pages: Debian's chromium, driven by selenium.

Tests that need it take the fixture ``browser``; where there is no browser they are skipped with that reason.
"""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

DESKTOP, PHONE = (1400, 900), (390, 844)
_SLOW = 180
"""Seconds that a script may take: the accessibility of a long page takes many on a busy machine."""
_ARGUMENTS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@dataclass(frozen=True)
class Browser:
    """A running browser and what tests ask of it."""

    driver: Any
    """Selenium's, for all else."""

    def open(self, page: Path, position: str = "", size: tuple[int, int] = DESKTOP) -> None:
        """Open a page from disk, at a position such as ``#E1.0:17``, with the size of a window or a phone."""
        width, height = size
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE},
        )
        self.driver.get("about:blank")  # else a new position alone would not load the page anew
        self.driver.get(page.as_uri() + position)

    def run(self, script: str, *arguments: object) -> Any:
        """Run a function's body in the page and return what it returns."""
        return self.driver.execute_script(script, *arguments)

    def find(self, selector: str) -> Any:
        """Return the first element that fits; what a click opens may be unpacked first."""
        self.wait(f"return document.querySelector({json.dumps(selector)}) !== null", True)
        return self.driver.find_element("css selector", selector)

    def all(self, selector: str) -> list[Any]:
        """Return all elements that fit."""
        return list(self.driver.find_elements("css selector", selector))

    def text(self, selector: str) -> str:
        """Return all text in an element, that for screen readers included."""
        return str(self.run("return document.querySelector(arguments[0]).textContent", selector))

    def press(self, key: str) -> None:
        """Press a key, by selenium's name for it, where the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains
        from selenium.webdriver.common.keys import Keys

        ActionChains(self.driver).send_keys(getattr(Keys, key)).perform()

    def type(self, text: str) -> None:
        """Type text where the focus is."""
        from selenium.webdriver.common.action_chains import ActionChains

        ActionChains(self.driver).send_keys(text).perform()

    def wait(self, script: str, expected: object, seconds: float = 5) -> None:
        """Wait until a script returns what is expected."""
        end = time.monotonic() + seconds
        while (found := self.run(script)) != expected:
            assert time.monotonic() < end, f"{script}: {found!r}, not {expected!r}"
            time.sleep(0.05)

    def complaints(self) -> list[str]:
        """Return what the browser's console has said since last asked."""
        return [entry["message"] for entry in self.driver.get_log("browser")]


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser with a fresh profile."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    server = shutil.which("chromedriver")
    if program is None or server is None:
        pytest.skip(
            "there is no browser: chromium and chromedriver (Debian's chromium-driver) are not installed"
        )
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = program
    for argument in (*_ARGUMENTS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(server))
    driver.set_script_timeout(_SLOW)
    try:
        yield Browser(driver)
    finally:
        driver.quit()
