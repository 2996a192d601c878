"""Marks of questions and answers within a text: `Q: … A: …`, and Anki's `{{c1::gaps}}`.

Also rows that begin or part cards: `?`, `%`, START and END, a block of code. A row that touches a
text parts a paragraph from the next one; one that stands alone parts all that is between two rules,
or below a heading, which belongs to the question. Last, where an answer begins and ends.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise, takewhile
from operator import attrgetter, itemgetter, sub
from typing import Final

import yaml

from studyattn.exchange.documents.dialects.trees import cards_of
from studyattn.exchange.documents.draft import ExtractedQuestion, SourceLink
from studyattn.exchange.documents.names import names
from studyattn.exchange.documents.rows import (
    ITEM,
    Part,
    Row,
    cut,
    rows_in,
    rows_of,
    sides_of_clozes,
)
from studyattn.exchange.documents.units import LEAST_ASKING, asks
from studyattn.text.front_matter import PlainLoader
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
        if part.mark[:1] in {*"QqFf"}:
            sides.append((part.line, *_asked_and_answered(part)))
        elif part.mark and sides:
            sides[-1][2].extend(row.text for row in part.rows)
    for begin, asked, answered in sides:
        question = " ".join(" ".join(asked).split()).lstrip("> ")
        answer, links = part_links("\n".join(answered))
        if question:
            yield ExtractedQuestion(question, answer, begin, links)


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
    firsts = Counter(part.mark for before, part in pairwise(parts) if not before.mark)
    del firsts[""]
    label, _ = max(firsts.items(), key=itemgetter(1), default=("", 0))
    labeled = [at for at, part in enumerate(parts) if part.mark == label]
    asking = sum(asks(parts[at].text.partition("\n\n")[0]) for at in labeled)
    if not label or asking < max(LEAST_ASKING, len(labeled) / 2):
        return
    for at in labeled:
        told = takewhile(lambda each: each.mark not in {"", label}, parts[at + 1 :])
        if answers := [*filter(attrgetter("text"), told)]:
            first, *others = answers
            answer, links = part_links("\n\n".join([first.text, *map(_with_label, others)]))
            asked = _MARKS.sub("", parts[at].text).strip(' "')
            yield ExtractedQuestion(asked, answer, parts[at].line, links)


def _with_label(part: Part) -> str:
    label = part.head[0] if part.head else ""
    return "\n".join([label, *(row.text for row in part.rows[1:])])


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


_CLOSING = re.compile(
    r"(?:(?:^|\n)\s*+(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,}"
    r"|[^\w\n]*\[[^\]\n]*\]\(#[^)\n]*\)\W*))+\s*$"
)
"""Rules at the end, and a link to the top of the page."""
_LEARN_MORE = re.compile(
    r"^\W*(learn more|read more|further reading|see also|references|links)\W*$", re.IGNORECASE
)
_LINK = re.compile(
    r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])+)\]\((?P<address>[^()\s]*(?:\([^()]*\)[^()\s]*)*)\)"
)
_BARE_LINK = re.compile(r"<?(?P<address>https?://[^\s<>]+)>?")
_ANSWER_BELOW = re.compile(r"^\s*<details\b|^\W*Answer\s*:", re.IGNORECASE)
_NO_ANSWER = re.compile(r"\W*Answer\W*", re.IGNORECASE)
_LABEL = re.compile(
    r"\A\W*(?:(?:hide|show|view)\s+)?(?:answer|solution)s?\b[^\w\n]*\n", re.IGNORECASE
)
_DETAILS = re.compile(r"</?(?:details|p)\b[^>]*>|<summary\b[^>]*>.*?</summary\s*>", re.DOTALL)
_OPTION = re.compile(
    rf"^[^\S\n]*{ITEM}[^\S\n]+\[(?P<mark>[ xX])\][^\S\n]+(?P<text>.*)$", re.MULTILINE
)


def part_links(body: str) -> tuple[str, tuple[SourceLink, ...]]:
    """Return an answer without what only closes or names it, and the links of "Learn more"."""
    body = _LABEL.sub("", _CLOSING.sub("", body.strip())).strip()
    rows = body.split("\n")
    for index in range(len(rows) - 1, -1, -1):
        if _LEARN_MORE.match(rows[index]):
            rest = [row for row in rows[index + 1 :] if row.strip()]
            links = [link for row in rest if (link := _link(row))]
            if links and len(links) == len(rest):
                return "\n".join(rows[:index]).strip(), tuple(links)
    return "" if _NO_ANSWER.fullmatch(body) else body, ()


def _link(row: str) -> SourceLink | None:
    found = _LINK.search(row) or _BARE_LINK.search(row)
    return SourceLink(found[1], found["address"]) if found else None


def parted(body: str) -> tuple[str, str] | None:
    """Return what a body asks and what it answers; None if it does not say where the answer is."""
    rows = body.split("\n")
    at = next((row.line for row in rows_in(rows, 0) if _ANSWER_BELOW.match(row.mark)), 0)
    answer = _DETAILS.sub("", "\n".join(rows[at:]))
    return ("\n".join(rows[:at]).strip(), answer.strip()) if at else None


def choices(body: str) -> tuple[str, str] | None:
    """Return a question with its options, and the options that are ticked; None without both."""
    options = [*_OPTION.finditer(body)]
    ticked = [each["text"] for each in options if each["mark"] != " "]
    if not ticked or len(ticked) == len(options):
        return None
    asked = _OPTION.sub(r"- \g<text>", body[: options[-1].end()])
    right = "\n".join(f"- {each}" for each in ticked) if len(ticked) > 1 else ticked[0]
    rest = body[options[-1].end() :].strip()
    return asked.strip(), f"{right}\n\n{rest}".strip()


PARTS: Final = {"?": False, "??": True, "%": False, "↪": False, ":question:": False}
"""The rows between two sides, and whether the card is asked both ways."""
_BLOCK = re.compile(r"^\s*(?P<mark>START|END)\s*$")
_NAMED = re.compile(r"^(?P<mark>[^\W\d_][\w ]{0,30}):\s*(?P<text>.*)$")
_CODED = re.compile(r"(?:anki|(?:flash|anki-?)?cards?|quiz)\b", re.IGNORECASE)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)


def separated(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards whose sides a row parts."""
    rows = rows_of(text)
    middles = [at for at, row in enumerate(rows) if row.mark in PARTS]
    fronts = [_front(rows[before + 1 : at]) for before, at in pairwise([-1, *middles])]
    begins = [*map(sub, middles, map(len, fronts))]
    for front, middle, end in zip(fronts, middles, [*begins[1:], len(rows)], strict=False):
        asked, answer = _text(front), _text(_side(rows[middle + 1 : end]))
        if asked and answer:
            line = next(row.line for row in front if not row.blank)
            yield ExtractedQuestion(asked, answer, line)
            if PARTS[rows[middle].mark]:
                yield ExtractedQuestion(answer, asked, line)


def _side(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the rows of a side up to a rule, or a blank row if the first touches the mark."""
    touches = bool(rows) and not rows[0].blank
    return list(takewhile(lambda row: not (row.is_rule or (touches and row.blank)), rows))


def _front(rows: Sequence[Row]) -> Sequence[Row]:
    """Return the last rows, which are the question: from a heading on, if there is one."""
    side = _side(rows[::-1])[::-1]
    return side[max((at for at, row in enumerate(side) if row.heading), default=0) :]


def _text(rows: Sequence[Row]) -> str:
    """Return rows as a text; a heading is the question below which it stands."""
    shown = [rows[0].heading or rows[0].text, *(row.text for row in rows[1:])] if rows else []
    return "\n".join(shown).strip()


def in_code(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards that blocks of code are: YAML with a question and an answer."""
    for token in parse_blocks(text):
        if token.type == "fence" and token.map and _CODED.match(token.info.strip()):
            with suppress(yaml.YAMLError):
                said = yaml.load(token.content, PlainLoader)  # noqa: S506 - a SafeLoader
                for card in cards_of(said, "").questions:
                    yield replace(card, line=token.map[0] + 1)


def fielded(text: str) -> Iterator[ExtractedQuestion]:
    """Yield the cards between rows START and END: the type of the note, then its fields."""
    for part, after in pairwise(cut(rows_of(text), _BLOCK)):
        if (part.mark, after.mark) == ("START", "END"):
            rows = _COMMENT.sub("", part.text).split("\n")
            yield from _fields(cut([Row(part.line, row) for row in rows[1:]], _NAMED), part.line)


def _fields(parts: Sequence[Part], line: int) -> Iterator[ExtractedQuestion]:
    """Yield the card that fields are: the first one asks. Its name may be left out."""
    named = [(each.mark, each.text) for each in parts if each.mark != "Tags"]
    (_, front), *rest = named if named[0][1] else named[1:] or named
    answers = dict(filter(itemgetter(1), rest))
    listed = [f"**{name}:** {text}" for name, text in answers.items()]
    back = "\n\n".join(listed if len(answers) > 1 else answers.values())
    if front and back:
        yield ExtractedQuestion(front, back, line)
