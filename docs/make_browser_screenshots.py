"""Takes the pictures of `studyattn serve`: `python -m docs.make_browser_screenshots [FOLDER]`.

Today, a review and a drill with its verdict in a Chromium, at the size of a desktop and of a phone.
The learner is the one of `make_screenshots.py`, who studied until now.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

from selenium.webdriver.common.keys import Keys

from docs import make_screenshots as made
from studyattn.home import Home
from studyattn.study.clock import FixedClock
from studyattn.study.practice.drill_session import PracticeSession
from studyattn.study.profile import open_profile
from tests.serve.browser import Browser, chromium
from tests.serve.running import served

SIZES = {"": (1280, 800), "-phone": (390, 844)}
"""What a picture's name ends in, and the page's size. Emulated pixels of a finer screen would show
the terminal at twice its size: its canvas is measured in those of this machine."""


def take(browser: Browser, address: str, ending: str, folder: Path) -> None:
    """Take the three pictures at one size."""
    width, height = SIZES[ending]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": bool(ending)}
    browser.open("about:blank")
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.driver.get(address)

    def keep(name: str) -> None:
        browser.wait_until(lambda: "one moment" not in browser.terminal.text)
        time.sleep(0.5)  # for what the page draws of it
        browser.driver.save_screenshot(str(folder / f"browser-{name}{ending}.png"))

    browser.wait_for("✓ Softmax")
    keep("today")
    browser.press("d")
    browser.wait_for("drills passed")
    browser.click("Multi-head attention")
    browser.wait_for("esc back")
    browser.press(Keys.ENTER)
    browser.wait_for("def multi_head_attention")
    browser.press(Keys.CONTROL, "s", Keys.CONTROL)
    browser.wait_for("Not yet")
    browser.wait_until(lambda: "esc end it" not in browser.terminal.text)
    keep("drill")
    browser.press(Keys.ESCAPE)
    browser.wait_for("esc back")
    browser.press(Keys.ESCAPE)
    browser.wait_for("drills passed")
    browser.press(Keys.ESCAPE)
    browser.wait_for("✓ Softmax")
    browser.press(Keys.SPACE)
    browser.wait_for("show answer")
    browser.press(Keys.ENTER)
    browser.wait_for("again")
    keep("review")


def main() -> None:
    """Take all pictures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else made.FOLDER
    made.NOW = datetime.now(UTC)
    with tempfile.TemporaryDirectory(prefix="studyattn-") as temporary:
        os.environ["HOME"] = temporary
        home = Home(Path(temporary) / "home")
        clock = FixedClock(made.NOW, 60)
        with open_profile(home, clock) as profile:
            made.import_document(profile, made.write_document(Path(temporary)), clock)
            made.study(profile, clock)
            with PracticeSession(profile, made.DRILL) as session:
                session.file.write(made.CODE)
        with (
            served(home.root, "--port", "0") as (address, _),
            chromium(Path(temporary) / "chromium") as browser,
        ):
            for ending in SIZES:
                take(browser, address, ending, folder)


if __name__ == "__main__":
    main()
