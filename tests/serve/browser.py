"""The app in a real Chromium: a tab, and the terminal in it."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.serve.terminal import Terminal

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
CHROMEDRIVER = shutil.which("chromedriver")
MISSING = CHROMIUM is None or CHROMEDRIVER is None

_SECONDS = 60
_FLAGS = ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage", "hide-scrollbars")
_LISTEN = """
window.drawn = [];
window.WebSocket = class extends window.WebSocket {
  constructor(url) {
    super(url);
    this.addEventListener("message", (event) => {
      if (typeof event.data !== "string") window.drawn.push(new TextDecoder().decode(event.data));
    });
  }
};
"""


@dataclass
class Browser:
    """A Chromium with a tab, and what the terminal in it shows."""

    driver: Any
    drawn: str = ""
    terminal: Terminal = field(default_factory=Terminal)

    def open(self, url: str) -> None:
        """Open an address in a tab of its own; what was drawn before is forgotten."""
        self.terminal, self.drawn = Terminal(), ""
        self.driver.switch_to.new_window("tab")
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": _LISTEN})
        self.driver.get(url)

    def press(self, *keys: str) -> None:
        """Press keys one after another; the control key is down until it comes again."""
        actions = ActionChains(self.driver)
        held = False
        for key in keys:
            if key == Keys.CONTROL:
                (actions.key_up if held else actions.key_down)(key)
                held = not held
            else:
                actions.send_keys(key)
        actions.perform()

    def click(self, words: str) -> None:
        """Click on the first of these words in the terminal."""
        column, row = self.terminal.find(words)
        screen = self.driver.find_element(By.CSS_SELECTOR, ".xterm-screen")
        columns, rows = self.size()
        x = (column + 0.5) * screen.size["width"] / columns - screen.size["width"] / 2
        y = (row + 0.5) * screen.size["height"] / rows - screen.size["height"] / 2
        ActionChains(self.driver).move_to_element_with_offset(screen, x, y).click().perform()

    def size(self) -> tuple[int, int]:
        """Columns and rows, as the page told the server."""
        width, height = self.driver.execute_script(
            "return [lasting.size.get('width'), lasting.size.get('height')]"
        )
        return int(width), int(height)

    def wait_for(self, words: str) -> None:
        """Wait until the terminal shows the words."""
        self.wait_until(lambda: words in self.terminal.text)

    def wait_until(self, condition: Callable[[], bool]) -> None:
        """Wait until something is true of what the terminal shows."""
        until = time.monotonic() + _SECONDS
        while not condition():
            assert time.monotonic() < until, self.terminal.text
            time.sleep(0.05)
            new = "".join(self.driver.execute_script("return window.drawn.splice(0)"))
            self.drawn += new
            self.terminal.feed(new)

    def notice(self, words: str) -> None:
        """Wait until the page itself says the words."""
        until = time.monotonic() + _SECONDS
        while words not in self.driver.find_element(By.ID, "notice").text:
            assert time.monotonic() < until, f"the page does not say {words!r}"
            time.sleep(0.05)


@contextmanager
def chromium(folder: Path) -> Iterator[Browser]:
    """A Chromium without a window, and without a profile of before."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in (*_FLAGS, "window-size=1280,800", f"user-data-dir={folder}"):
        options.add_argument(f"--{flag}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(CHROMEDRIVER))
    try:
        yield Browser(driver)
    finally:
        driver.quit()
