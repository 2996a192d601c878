"""The app in a real Chromium: keys, mouse, sizes, a graded drill, and a tab that is closed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("textual_serve", reason="textual-serve is not installed")
pytest.importorskip("argon2", reason="argon2-cffi is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from tests.serve.browser import MISSING, Browser, chromium
from tests.serve.running import served
from tests.serve.terminal import Terminal

pytestmark = pytest.mark.skipif(MISSING, reason="chromium or chromedriver is not installed")


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    with chromium(tmp_path / "chromium") as opened:
        yield opened


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """The address of a home that nobody has used."""
    with served(tmp_path / "home", "--port", "0") as (printed, _):
        yield printed


def _column(text: str, edge: int) -> list[str]:
    """The five cells before a column, of each row."""
    return [line[edge - 5 : edge] for line in text.splitlines()]


def test_a_drill_in_the_browser_from_today_to_its_verdict(browser: Browser, address: str) -> None:
    root = address.partition("?")[0]
    browser.open(f"{root}?token=wrong")
    assert "it contains a token" in browser.driver.page_source

    browser.open(address)
    browser.wait_for("start learning")
    browser.driver.get_log("browser")  # what was said of the page that was refused
    assert browser.driver.current_url == root  # no token that a shoulder could read
    assert "\x1b[38;2;163;177;255m" in browser.drawn or ";38;2;163;177;255" in browser.drawn

    browser.click("d drills")
    browser.wait_for("drills passed")
    browser.press(Keys.ENTER)
    browser.wait_for("How well does one vector match")
    browser.press("1")
    browser.wait_for("raise NotImplementedError")
    browser.terminal = Terminal()
    browser.press(Keys.F7)  # select all
    browser.wait_for("raise NotImplementedError")
    browser.press("# backend: numpy", Keys.ENTER, "def dot_product(a, b):", Keys.ENTER)
    browser.wait_for("def dot_product(a, b):")

    # The line drops while somebody types.
    browser.driver.execute_script("lasting.plain.close()")
    browser.press("    c = b @ a", Keys.ENTER)
    browser.wait_for("c = b @ a")

    # The tab is closed in the middle of an answer.
    closed = browser.driver.current_window_handle
    browser.driver.close()
    browser.driver.switch_to.window(browser.driver.window_handles[0])
    assert closed not in browser.driver.window_handles
    browser.open(root)
    browser.wait_for("c = b @ a")
    browser.press("return c")
    browser.wait_for("return c")
    browser.press(Keys.CONTROL, "s", Keys.CONTROL)
    browser.wait_for("✓ Passed")

    wide, high = browser.size()
    # It is resized while it connects; its true size is not told meanwhile.
    browser.driver.execute_script(
        "const send = lasting.send.bind(lasting); lasting.connect();"
        "send(JSON.stringify(['resize', arguments[0]]));"
        "lasting.send = (text) => { if (!text.startsWith('[\"resize')) send(text); };",
        {"width": wide - 10, "height": high},
    )
    browser.wait_until(lambda: "keys " in _column(browser.terminal.text, wide - 10))
    browser.driver.execute_script("delete lasting.send")

    browser.driver.set_window_size(700, 800)
    browser.wait_until(lambda: browser.size()[0] < wide)
    narrow, _ = browser.size()
    # The keys' row ends at the new edge; cells beyond it are of before.
    browser.wait_until(lambda: "keys " in _column(browser.terminal.text, narrow))

    browser.press(Keys.ESCAPE)  # out of the code
    browser.wait_for("esc back")
    browser.press(Keys.ESCAPE)
    browser.wait_for(" 1 of ")
    browser.press(Keys.ESCAPE)
    browser.wait_for("browse the concepts")
    browser.press("q")
    browser.notice("The session has ended.")
    problems = [each for each in browser.driver.get_log("browser") if each["level"] == "SEVERE"]
    assert problems == []


def test_a_phone_s_keys_answer_a_prediction(browser: Browser, address: str) -> None:
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": True}
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    browser.open(address)
    browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)  # of this tab
    browser.wait_for("start learning")
    keys = {each.text: each for each in browser.driver.find_elements(By.CSS_SELECTOR, "#keys *")}
    assert {"1", "2", "3", "4", "space"} <= set(keys)
    for each in keys.values():
        place = each.rect
        assert place["x"] >= 0
        assert place["width"] >= 36
        assert place["x"] + place["width"] <= 390
        assert place["y"] + place["height"] <= 844
    keys["space"].click()
    browser.wait_for("space read on")
    keys["2"].click()
    browser.wait_for("read on to the choices")
    keys["space"].click()
    browser.wait_for("1–4 pick")
    keys["2"].click()
    browser.wait_for("✗ you said [2 -3 0]")
