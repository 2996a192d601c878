"""The web pages in a real Chromium: axe-core finds nothing wrong at any width or in any colors."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace as changed

from studyattn.classroom.formats.page import ClassPage, to_html
from studyattn.classroom.results import Result
from studyattn.classroom.summary import summarise
from studyattn.exchange.html.sections import HtmlPage
from studyattn.exchange.html.writer import page_text
from studyattn.exchange.learning_note.content import learning_note
from studyattn.store.snapshot import Snapshot
from studyattn.text.figure import Figure, Series, Shape
from tests.exchange.test_html import holding

pytest.importorskip("selenium", reason="selenium is not installed")
pytest.importorskip("selenium_axe_python", reason="selenium-axe-python is not installed")

from selenium import webdriver

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
CHROMEDRIVER = shutil.which("chromedriver")

pytestmark = pytest.mark.skipif(
    CHROMIUM is None or CHROMEDRIVER is None, reason="chromium or chromedriver is not installed"
)

_FLAGS = ("headless=new", "no-sandbox", "disable-gpu", "disable-dev-shm-usage")
_AXE = resources.files("selenium_axe_python") / "axe-core" / "axe.min.js"
_FOUND = """
const done = arguments[arguments.length - 1];
axe.run(document, {resultTypes: ["violations"]}).then(
  (found) => done(found.violations.map((each) => `${each.id}: ${each.nodes[0].html}`)),
  (error) => done([String(error)]),
);
"""
RICH = """Why *scale*? See [the paper](https://arxiv.org/abs/1706.03762) and [[masking]].

- one over $\\sqrt{d_k}$
- `softmax(x)` ==marked==

| a | b |
|---|---|
| 1 | 2 |

```python
def f(x):  # shape (n, d)
    return x + 1  # "text"
```

> A quotation.

$$y = \\frac{a}{b}$$
"""
FIGURES = tuple(
    Figure(
        f"f-{shape}", "Reviews", "You reviewed 12.", ("1", "2"), (Series("s", (1.0, 2.0)),), shape
    )
    for shape in (Shape.COLUMNS, Shape.CURVES, Shape.BARS, Shape.TABLE)
)


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    """A Chromium without a window."""
    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    for flag in _FLAGS:
        options.add_argument(f"--{flag}")
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(CHROMEDRIVER))
    driver.set_script_timeout(120)
    try:
        yield driver
    finally:
        driver.quit()


def shown(driver: Any, path: Path, held: Snapshot, width: int, scheme: str) -> None:
    """Open the page of what a learner holds, all of it unfolded."""
    path.write_text(page_text(HtmlPage(learning_note(held), figures=FIGURES)), "utf-8")
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)
    driver.get(path.as_uri())
    driver.execute_script("document.querySelectorAll('details').forEach((it) => it.open = true)")
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    assert wide <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(driver: Any, tmp_path: Path, width: int, scheme: str) -> None:
    shown(driver, tmp_path / "page.html", many(3), width, scheme)
    driver.execute_script(_AXE.read_text("utf-8"))
    assert driver.execute_async_script(_FOUND) == []


def test_axe_finds_what_is_wrong(driver: Any, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<!DOCTYPE html><title>x</title><img src='x.png'>", "utf-8")
    driver.get(page.as_uri())
    driver.execute_script(_AXE.read_text("utf-8"))
    assert any(each.startswith("image-alt") for each in driver.execute_async_script(_FOUND))


def test_the_table_of_a_class_sorts_and_is_searched(driver: Any, tmp_path: Path) -> None:
    points = {"anna": 9.0, "ben": 10.0, "carl": 2.0}
    results = [Result(name, "softmax", "wrong", score=score) for name, score in points.items()]
    page = ClassPage(results, summarise(results), str, str)
    (tmp_path / "class.html").write_text(to_html(page), "utf-8")
    driver.get((tmp_path / "class.html").as_uri())

    def students() -> list[str]:
        rows = driver.find_elements("css selector", "table.sorted tbody tr")
        return [row.text.split()[0] for row in rows if row.is_displayed()]

    points_head = driver.find_elements("css selector", "table.sorted th")[1]
    points_head.click()
    assert students() == ["carl", "anna", "ben"]
    points_head.click()
    assert students() == ["ben", "anna", "carl"]
    driver.find_element("css selector", "input").send_keys("BE")
    assert students() == ["ben"]


def many(number: int) -> Snapshot:
    """As many concepts, each with a card."""
    one = holding(RICH)
    concept, item = one.concepts[0], one.items[0]
    return changed(
        one,
        concepts=(
            *one.concepts,
            *(changed(concept, slug=f"c{each}", title=f"Concept {each}") for each in range(number)),
        ),
        items=(
            *one.items,
            *(changed(item, guid=f"s:c{each}", concept=f"c{each}") for each in range(number)),
        ),
    ).ordered()
