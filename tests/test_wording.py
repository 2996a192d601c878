"""Wording that was mended once does not come back, in any text that a person reads."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchmarks.texts import Text, collected, of_markdown, of_python

MENDED = re.compile(
    r"\b(?:"
    r"(?:is|are) there already|what it would make|say yes to|puts? the suggestion off|"
    r"mark taken away|let a card go|so long until|days in a row|part it from|may stay empty|"
    r"found by their beginning|no word begins so|(?:this|it) is no [A-Z]\w+|is no (?:number|text)|"
    r"the smallest input that shows|exactly what this gives|makes? anew|withdraw the last|"
    r"(?:was|were|is|are) learnt|undo has no end|(?:row|card|file|folder|line) a (?:row|line|card|"
    r"student|token)|one memory for two|comes? on its own day|nothing is lost by|of which 0|"
    r"it could not be loaded|in the place of|goes? on after|lies in the folder|own included|"
    r"which is nothing known|to what you did not know|shares? 1|and … (?:fit|are enough|"
    r"are the most)|(?:newer|older) studyattn|another studyattn(?! process)|colours?|"
    r"neighbours?|grey|did much else|whatever (?:the|its|their) \w+ (?:is|are)|at the first try|"
    r"that is not there|weakest are|the fullest of|begins? is never closed|"
    r"(?:new (?:cards|items)|reviews|drills) a day|says how it grows|scheduler answers|"
    r"times the time|at the moment"
    r")\b"
)


@pytest.fixture(scope="module")
def texts() -> list[Text]:
    return [
        text for text in collected() if text.where not in {"docs/style.md", "CHANGELOG.md"}
    ]  # the first quotes what it replaces, the second is a record


def test_mended_wording_does_not_come_back(texts: list[Text]) -> None:
    back = [
        f"{text.where}:{text.line}: {text.words}" for text in texts if MENDED.search(text.words)
    ]
    assert back == []


def test_no_space_stands_before_a_percent_sign(texts: list[Text]) -> None:
    assert [text for text in texts if re.search(r"[\d…] %(?![%\w(])", text.words)] == []


def test_texts_of_every_kind_are_collected(texts: list[Text]) -> None:
    said = {text.words for text in texts}
    assert "Undo the last review" in said  # the title of a key
    assert "List, start, grade and watch coding drills." in said  # the help of a command
    assert "The scores are not divided by √d." in said  # a mistake
    assert any("Everything else goes into `.venv`" in words for words in said)  # a document


def test_code_and_docstrings_are_no_texts(tmp_path: Path) -> None:
    module = tmp_path / "m.py"
    module.write_text('"""Nobody reads this one."""\nX = "Read these few words."\n', "utf-8")
    assert [text.words for text in of_python(module, tmp_path)] == ["Read these few words."]
    page = tmp_path / "p.md"
    page.write_text(
        "---\ntitle: not this long title\n---\n\n## A heading of words {#id}\n\n"
        "First line of it,\nsecond line.\n\n```\nand not this code\n```\n\n- An item of words\n",
        "utf-8",
    )
    assert [(text.line, text.words) for text in of_markdown(page, tmp_path)] == [
        (5, "## A heading of words"),
        (7, "First line of it, second line."),
        (14, "- An item of words"),
    ]
