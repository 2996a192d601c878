"""Marks of questions and answers within a text: `Q: … A: …`, and Anki's `{{c1::gaps}}`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from studyattn.exchange.documents.answers import fence_after, part_links
from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.rows import rows_of, sides_of_clozes
from studyattn.text.markdown import parse_blocks

_WORD = r"(?P<mark>Q(?:uestion)?|A(?:ns(?:wer)?)?|Front|Back)"
_ITEM = r"^\s{0,3}(?:[-*+]\s+|\d+[.)]\s+)?"
_PAIR = re.compile(
    rf"{_ITEM}(?P<open>\*\*|__)?{_WORD}\s*\d*\s*[:.)](?P<close>\*\*|__)?\s*(?P<text>.*)$",
    re.IGNORECASE,
)
PAIR_MARK = re.compile(
    rf"{_ITEM}(?:\*\*|__)?(?:(?:Q|A|Front|Back)[a-z]*\s*\d*\s*:|(?:Q|A)\d+\s*[.)])", re.IGNORECASE
)
"""A row that begins with `Q:`, `A1.` and the like."""
_ANY = re.compile(r"(?im)^\W*(?:q(uestion)?\s*\d*\s*[:.)]|front\s*:)")
_ALONE = re.compile(
    r"^[\s#*_`:>]*(?P<mark>question|answer|front|back)\s*\d*[\s#*_`:.]*$", re.IGNORECASE
)
"""A row with a mark alone: `### Question`, `#answer`."""
_ASKS: Final = {"q": "q", "f": "q", "a": "a", "b": "a"}
"""The side that the first letter of a mark stands for."""
_ANSWER_BESIDE = re.compile(
    r"(?<=\?)(?:\*\*|__)?\s+(?:\*\*|__)?A(?:nswer)?\s*:(?:\*\*|__)?\s+", re.IGNORECASE
)
_BOLD_QUESTION = re.compile(
    r"^\s{0,3}(?:[-*+]\s+|\d+[.)]\s+)?(\*\*|__)Q(?:uestion)?\s*\d*\s*[:.)](?!\1).*\1\s*$",
    re.IGNORECASE,
)
_CLOZE = re.compile(r"\{\{c\d+::")


def marked(body: str, line: int) -> Iterator[ExtractedQuestion]:
    """Yield what `Q:` asks and `A:` answers; either may go on over rows. In code a mark is code."""
    if not _ANY.search(body):
        return
    texts: dict[str, list[str]] = {"q": [], "a": []}
    reading, started, fence = "", line, ""
    for number, row in enumerate(body.split("\n"), start=line):
        fence = fence_after(row, fence)
        match = None if fence or not PAIR_MARK.match(row) else _PAIR.match(row)
        if match:
            mark = _ASKS[match["mark"][0].lower()]
            if mark == "q":
                yield from _pair(texts, started)
                texts, started = {"q": [], "a": []}, number
            reading = mark if mark == "q" or texts["q"] else ""
        if not reading:
            continue
        text = _without_bold(match) if match else row
        beside = None if fence or reading == "a" else _ANSWER_BESIDE.search(text)
        if beside:
            texts["q"].append(text[: beside.start()])
            reading, text = "a", text[beside.end() :]
        texts[reading].append(text)
        if match and reading == "q" and _BOLD_QUESTION.match(row):
            reading = "a"
    yield from _pair(texts, started)


def labelled(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards whose two sides each stand below a row with a mark alone."""
    sides: list[tuple[str, int, list[str]]] = []
    for number, row, coded in rows_of(text):
        mark = None if coded else _ALONE.match(row)
        if mark:
            sides.append((_ASKS[mark["mark"][0].lower()], number, []))
        elif sides:
            sides[-1][2].append(row)
    for (asks, line, front), (answers, _, back) in pairwise(sides):
        if (asks, answers) == ("q", "a"):
            asked = re.sub(r"\A#+\s+", "", "\n".join(front).strip())
            answer, links = part_links("\n".join(back))
            if asked:
                yield ExtractedQuestion(asked, answer, line, links)


def clozes(body: str, line: int, title: str) -> Iterator[ExtractedQuestion]:
    """Yield a question for each number of the clozes in a paragraph or list item."""
    if not _CLOZE.search(body):
        return
    rows = body.split("\n")
    for token in parse_blocks(body):
        if token.type not in {"paragraph_open", "heading_open"} or not token.map:
            continue
        first, after = token.map
        text = re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", "\n".join(rows[first:after]))
        for front, back in sides_of_clozes(text):
            yield ExtractedQuestion(front, back, line + first, asked=title)


def _without_bold(match: re.Match[str]) -> str:
    """`**Q: text**` is bold round all of it, `**Q:** text` round the mark."""
    text = match["text"]
    if match["open"] and not match["close"]:
        text = text.replace(match["open"], "", 1)
    return text


def _pair(texts: dict[str, list[str]], line: int) -> Iterator[ExtractedQuestion]:
    question = " ".join(" ".join(texts["q"]).split())
    answer, links = part_links("\n".join(texts["a"]))
    if question:
        yield ExtractedQuestion(question, answer, line, links)
