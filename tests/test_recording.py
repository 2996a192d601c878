"""The recording of the README: frames that take turns, lines that are written once, plain text."""

from __future__ import annotations

import re
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree as ET

import pytest

from tests.serve.browser import MISSING, chromium

DOCS = Path(__file__).parent.parent / "docs"
NAMESPACE = "{http://www.w3.org/2000/svg}"
KEPT = DOCS / "screenshots" / "session.svg"


@pytest.fixture
def svg(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module of `docs`, which is no package."""
    monkeypatch.syspath_prepend(str(DOCS))
    return import_module("animated_svg")


def turns(text: str) -> list[tuple[float, float]]:
    """When each frame can be seen, in percent of the whole."""
    found = []
    for steps in re.findall(r"@keyframes k\d+\{((?:[\d.]+%\{\w+:\w+\})+)\}", text):
        times = re.findall(r"([\d.]+)%\{visibility:(\w+)\}", steps)
        begun = next(float(at) for at, how in times if how == "visible")
        ends = [float(at) for at, how in times if how == "hidden" and float(at) > begun]
        found.append((begun, min(ends, default=100.0)))
    return found


def shown_at_rest(text: str) -> list[str | None]:
    """The frames and captions that something without style sheet and animation draws."""
    root = ET.fromstring(text)
    parts = [each for each in root.iter() if (each.get("class") or "").startswith("f ")]
    return [each.get("class") for each in parts if each.get("visibility") != "hidden"]


def test_one_frame_is_seen_at_each_time(svg: ModuleType) -> None:
    line = (svg.Run("softmax <QKᵀ>", 13, "#ffffff", "#000000"),)
    other = (svg.Run("other", 5, "#ffffff", "#111111", bold=True),)
    frames = [
        svg.Frame((line, other), 2.0, "first"),
        svg.Frame((line, other), 1.0, "first"),  # looks the same: the first stays longer
        svg.Frame((other, line), 1.0, "then"),
    ]
    text = svg.animate(frames, "#000000", "#888888", "a & b")
    root = ET.fromstring(text)
    assert turns(text) == [(0.0, 75.0), (75.0, 100.0)]
    drawn = root.findall(f"{NAMESPACE}defs/{NAMESPACE}g")
    assert len(drawn) == 2
    assert ["".join(each.itertext()) for each in drawn] == ["softmax\xa0<QKᵀ>", "other"]
    assert shown_at_rest(text) == ["f f0", "f f0 c"]


def test_the_kept_recording_plays_without_a_gap_and_loads_nothing() -> None:
    text = KEPT.read_text(encoding="utf-8")
    assert len(text) < 400_000
    times = turns(text)
    assert len(times) > 10
    assert times[0][0] == 0.0
    assert times[-1][1] == 100.0
    assert all(before[1] == after[0] for before, after in pairwise(times))
    for told in ("The\xa0scores\xa0are\xa0not\xa0divided\xa0by\xa0√d.", "back\xa0for\xa0attention"):
        assert told in text
    assert not re.search(r"<(script|foreignObject|image)|https?://(?!www.w3.org/2000/svg)", text)


def test_the_first_frame_of_the_kept_recording_stands_where_nothing_moves() -> None:
    text = KEPT.read_text(encoding="utf-8")
    assert shown_at_rest(text) == ["f f0", "f f0 c"]
    outside = re.sub(r"@keyframes k\d+\{(?:[\d.]+%\{\w+:\w+\})+\}", "", text)
    assert "visibility:" not in outside  # a style would win over what hides the others


@pytest.mark.skipif(MISSING, reason="chromium or chromedriver is not installed")
def test_a_browser_that_moves_nothing_draws_the_first_frame(tmp_path: Path) -> None:
    less = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
    with chromium(tmp_path) as browser:
        browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", less)
        browser.driver.get(KEPT.as_uri())
        seen = browser.driver.execute_script(
            "return [...document.querySelectorAll('.f')]"
            ".filter((each) => getComputedStyle(each).visibility === 'visible')"
            ".map((each) => each.getAttribute('class'))"
        )
    assert seen == ["f f0", "f f0 c"]
