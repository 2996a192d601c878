"""Learners of a shared database in a real Chromium: who gets in, whose answers, a dead server."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("textual_serve", reason="textual-serve is not installed")
pytest.importorskip("argon2", reason="argon2-cffi is not installed")
pytest.importorskip("selenium", reason="selenium is not installed")

from selenium.webdriver.common.by import By
from selenium.webdriver.support.expected_conditions import staleness_of
from selenium.webdriver.support.ui import WebDriverWait

from studyattn.home import Home
from studyattn.serve.learners import Learners
from tests.databases import LEARNER
from tests.serve.browser import MISSING, Browser, chromium
from tests.serve.running import answers, prepared, served

pytestmark = pytest.mark.skipif(MISSING, reason="chromium or chromedriver is not installed")

_PASSWORD = "correct horse"


def log_in(browser: Browser, name: str, password: str) -> str:
    """Fill in the form, and return what the next page says of it."""
    for field, value in (("name", name), ("password", password)):
        browser.driver.find_element(By.NAME, field).send_keys(value)
    button = browser.driver.find_element(By.CSS_SELECTOR, "form button")
    button.click()
    waiting = WebDriverWait(browser.driver, 60)
    waiting.until(staleness_of(button))
    waiting.until(lambda driver: driver.find_elements(By.CSS_SELECTOR, "#login button, #keys"))
    told = browser.driver.find_elements(By.CSS_SELECTOR, "[role=alert]")
    return str(told[0].text) if told else ""


@pytest.mark.parametrize("stocked_either", ["postgresql"], indirect=True)
def test_answers_are_the_learners_and_outlive_the_server(
    tmp_path: Path, stocked_either: Home
) -> None:
    address = stocked_either.server
    assert address is not None
    folder = tmp_path / "home"
    Learners(folder / "served" / "learners.json").add(LEARNER, _PASSWORD)
    with chromium(tmp_path / "chromium") as browser:
        home = prepared(Home(folder / "served" / LEARNER, address))
        environment = {"STUDYATTN_DB": address.url, "STUDYATTN_TOKEN": "t" * 43}
        with served(folder, "--port", "0", environment=environment) as (url, running):
            browser.open(url)
            for _ in range(5):
                assert log_in(browser, "Ben", "guessed") == "The name or the password is wrong."
            assert log_in(browser, "Ben", "guessed").startswith("Too many wrong passwords.")
            assert log_in(browser, LEARNER.title(), _PASSWORD) == ""
            browser.wait_for("start")
            browser.press(" ")
            for _ in range(2):
                browser.wait_for("Question")
                browser.press(" ")
                browser.wait_for("Answer")
                browser.press("3")
            browser.wait_for("Question 2")  # drawn once the answer before it is in the database
            running.kill()
            browser.notice("Connection lost.")
            assert answers(home) == 2
            browser.press("4")
        port = str(urlsplit(url).port)
        with served(folder, "--port", port, environment=environment) as (again, _):
            assert again == url
            browser.notice("The server was restarted. Open the address that it printed.")
            browser.notice("was not sent")
            browser.open(again)
            log_in(browser, LEARNER, _PASSWORD)
            browser.wait_for("start")
        assert answers(home) == 2
