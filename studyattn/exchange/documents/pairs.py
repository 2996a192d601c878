"""Marks of questions and answers within a text: `Q: … A: …`, and Anki's `{{c1::gaps}}`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import Final

from studyattn.exchange.documents.answers import part_links
from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.names import names
from studyattn.exchange.documents.rows import ITEM, Part, cut, rows_in, rows_of, sides_of_clozes
from studyattn.exchange.documents.units import LEAST_ASKING, asks
from studyattn.text.markdown import parse_blocks

PAIR_MARK = re.compile(
    rf"^\s{{0,3}}(?:{ITEM}\s+)?(?P<open>\*\*|__|)"
    r"(?P<mark>(?:Q(?:uestion)?|A(?:ns(?:wer)?)?|Front|Back)(?=\s*\d*\s*:)|[QA](?=\d+\s*[.)]))"
    r"\s*\d*\s*[:.)](?P<close>\*\*|__|)\s*(?P<text>.*)$",
    re.IGNORECASE,
)
"""A row that begins with `Q:`, `A1.` and the like."""
_ANY = re.compile(r"(?im)^\W*(?:q(uestion)?\s*\d*\s*[:.)]|front\s*:)")
_ALONE = re.compile(
    r"^(?=.*[#*_`:：>=])[\s#*_`:>=]*"
    rf"(?P<mark>{'|'.join((*names()['asking'], *names()['answering']))})"
    r"\s*\d*[\s#*_`:：.=]*$",
    re.IGNORECASE,
)
"""A row with nothing but a mark and signs: `### Question`, `#answer`, `**问题**`."""
_ASKS: Final = {"q": "q", "f": "q", "a": "a", "b": "a"}
"""The side that the first letter of a mark stands for."""
_ANSWER_BESIDE = re.compile(
    r"(?<=\?)(?:\*\*|__)?\s+(?:\*\*|__)?A(?:nswer)?\s*:(?:\*\*|__)?\s+", re.IGNORECASE
)
_FIELD = re.compile(
    r"^(?!\s*#(?!\w\s))\W{0,6}?(?P<open>\*\*|__|)"
    r"(?:(?P<mark>(?:#\w|[\^@%§])(?=\s)|[^\W\d][^*_:：\n]{0,40}?(?=(?:\*\*|__)?\s*[:：]))"
    r"(?:\s*[:：]\s*(?:(?P=open))?|(?P=open)\s*[:：]|(?<=[\w^@%§])(?=\s)))\s*(?P<text>.*)$"
    r"|^\s{0,3}#{1,6}\s.*$"
)
"""A row that begins with a label, perhaps a bold one, or with a sign; a heading ends what belongs
to it.
"""
_MARKS = re.compile(r"(?m)^\s*>\s?\"?|\"?(?:\*\*|__)?\s*$")
"""Signs of a quotation, and bold type that began before the label."""
_CLOZE = re.compile(r"\{\{c\d+::")


def marked(body: str, line: int) -> Iterator[ExtractedQuestion]:
    """Yield what `Q:` asks and `A:` answers; either may go on over rows. In code a mark is code."""
    if not _ANY.search(body):
        return
    sides: list[tuple[int, list[str], list[str]]] = []
    for part in cut(list(rows_in(body.split("\n"), line)), PAIR_MARK):
        if side_of(part) == "q":
            sides.append((part.line, *_asked_and_answered(part)))
        elif side_of(part) and sides:
            sides[-1][2].extend(row.text for row in part.rows)
    for begin, asked, answered in sides:
        question = " ".join(" ".join(asked).split()).lstrip("> ")
        answer, links = part_links("\n".join(answered))
        if question:
            yield ExtractedQuestion(question, answer, begin, links)


def side_of(part: Part) -> str:
    """Return the side that a mark begins: "q" or "a"; empty without a mark."""
    return _ASKS[part.mark[0].lower()] if part.mark else ""


def _asked_and_answered(part: Part) -> tuple[list[str], list[str]]:
    """Return the rows of a question, and those that already answer it.

    The answer begins at a mark within a row, or below a question that is bold.
    """
    rows = [row.text for row in part.rows]
    bold = part.head["open"] if part.head and not part.head["close"] else ""
    last = 1 if bold and rows[0].rstrip().endswith(bold) else len(rows)
    rows[0] = rows[0].replace(bold, "", 1) if bold else rows[0]
    for at, row in enumerate(rows[:last]):
        beside = _ANSWER_BESIDE.search(row)
        if beside and not part.rows[at].coded:
            return [*rows[:at], row[: beside.start()]], [row[beside.end() :], *rows[at + 1 :]]
    return rows[:last], rows[last:]


def labelled(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards whose two sides each stand below a row with a mark alone."""
    for asking, answers in pairwise(cut(rows_of(text), _ALONE)):
        sides = asking.mark.casefold(), answers.mark.casefold()
        if sides[0] in names()["asking"] and sides[1] in names()["answering"]:
            asked = re.sub(r"\A#+\s+", "", asking.text)
            answer, links = part_links(answers.text)
            if asked:
                yield ExtractedQuestion(asked, answer, asking.line, links)


def fields_that_ask(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards of labels that the document itself repeats: `**Interviewer:** Why?`, `P: …`.

    The label that comes first below most headings asks, if most of its texts do. What stands below
    the labels after it answers.
    """
    parts = cut(rows_of(text), _FIELD)
    firsts = [part for before, part in pairwise(parts) if part.mark and not before.mark]
    label = next((mark for mark, _ in Counter(each.mark for each in firsts).most_common(1)), "")
    labeled = [part for part in parts if part.mark and part.mark == label]
    asking = sum(asks(part.text.partition("\n\n")[0]) for part in labeled)
    if asking < LEAST_ASKING or 2 * asking < len(labeled):
        return
    for at, part in enumerate(parts):
        told = takewhile(lambda each: each.mark not in {"", label}, parts[at + 1 :])
        answers = [each for each in told if each.text] if part.mark == label else []
        if answers:
            first, *others = answers
            told_by = [
                first.text,
                *(f"{each.head[0]}\n{_below(each)}" for each in others if each.head),
            ]
            answer, links = part_links("\n\n".join(told_by))
            yield ExtractedQuestion(_MARKS.sub("", part.text).strip(' "'), answer, part.line, links)


def _below(part: Part) -> str:
    return "\n".join(row.text for row in part.rows[1:])


def clozes(body: str, line: int, title: str) -> Iterator[ExtractedQuestion]:
    """Yield a question for each number of the clozes in a paragraph or list item."""
    if not _CLOZE.search(body):
        return
    rows = body.split("\n")
    for token in parse_blocks(body):
        if token.type not in {"paragraph_open", "heading_open"} or not token.map:
            continue
        first, after = token.map
        text = re.sub(rf"^\s*{ITEM}\s+", "", "\n".join(rows[first:after]))
        for front, back in sides_of_clozes(text):
            yield ExtractedQuestion(front, back, line + first, asked=title)
