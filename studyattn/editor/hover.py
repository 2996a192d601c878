"""Texts for a name in a drill's file, such as the shapes that the brief gives it.

Editors draw Markdown without mathematics, so formulas are set as text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from studyattn.packs.model import DrillBrief
from studyattn.study.lessons import Lesson
from studyattn.text.render import render

_WORD = re.compile(r"\w+")
_STEP = re.compile(r"\s*\d+\.\s.*->")
_SECTION = re.compile(r"^## (\w.*)\n\n((?:(?!## ).*\n?)*)", re.MULTILINE)


def hover_text(
    line: str, column: int, brief: DrillBrief, lesson: Lesson | None, hints: Sequence[str]
) -> str | None:
    """Return Markdown for the name at `column` of `line`; None for a name that the brief has not.

    An entry gets its task, formula, shapes and the hints that were seen, an argument the line of
    the shapes that names it. A numbered step of the starter's docstring gets the beginning of the
    lesson.
    """
    word = _word_at(line, column)
    sections = {title: body.strip() for title, body in _SECTION.findall(f"{brief.text}\n")}
    shapes = sections.get("Shapes", "")
    if word in brief.entry:
        seen = [f"Hint {number}: {text}" for number, text in enumerate(hints, 1)]
        parts = [f"**{brief.title}**", sections.get("Task", ""), _set(brief.formula), shapes, *seen]
        return "\n\n".join(filter(None, parts))
    if word and (named := _lines_with(word, shapes)):
        return "\n\n".join(named)
    if _STEP.match(line) and lesson is not None:
        return _beginning(lesson)
    return None


def _word_at(line: str, column: int) -> str:
    found = (each[0] for each in _WORD.finditer(line) if each.start() <= column <= each.end())
    return next(found, "")


def _lines_with(word: str, shapes: str) -> list[str]:
    """Return the lines of a list that name a word as code."""
    lines = shapes.removeprefix("- ").split("\n- ")
    return [each for each in lines if f"`{word}`" in each]


def _beginning(lesson: Lesson) -> str:
    """Return the first page of a lesson up to its first block of code."""
    words = lesson.pages[0].body.partition("\n```")[0].strip()
    return f"**{lesson.title}**\n\n{_set(words)}"


def _set(markdown: str) -> str:
    """Return Markdown as text with its formulas set, in a block that keeps their lines."""
    text = render(markdown, width=80).plain.strip("\n")
    return f"```text\n{text}\n```" if text else ""
