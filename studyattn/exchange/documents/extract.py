"""Extract questions with answers, claims and notes from a source document.

Pure: a text in, a draft out. What is already in the database is left to `planner`, and the cards of
other programs are read by `dialects`. Read here are documents without a dialect:

    headings of one level that ask           each is a question, the text up to the next its answer
    a section called Questions, Q&A, FAQ     each section below it is a question and its answer
    Q: … A: … anywhere                       a question and its answer
    **Q1. …** in bold, text below it         a question and its answer
    {{c1::…}} in a paragraph or list item    a question for each number, with a gap
    Known, Your Current Understanding        each bullet or section below it is a known idea
    Known Unknown                            each bullet or section below it is a known-unknown idea
    none of these                            each section is a note
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final

from studyattn.exchange.anki.clozes import read_clozes
from studyattn.exchange.documents.dialects import (
    NOTE,
    QUESTIONS,
    besides,
    certain,
    likely,
    named,
    others,
)
from studyattn.exchange.documents.dialects.dialect import Dialect, is_contents
from studyattn.exchange.documents.draft import (
    LONGEST_NAME,
    Claim,
    ExtractedQuestion,
    ExtractedText,
    NoteDraft,
    OtherReading,
    Reading,
    SourceLink,
    Understood,
)
from studyattn.packs.errata import heading_lines
from studyattn.text import cloze
from studyattn.text.document import Document, Section, Unclosed, read_document
from studyattn.text.markdown import parse_blocks

_QUESTIONS = re.compile(r"\b(questions?|q\s*(&|and|\+)\s*a|q/a|faq)\b", re.IGNORECASE)
_ONLY_QUESTIONS = re.compile(r"^\W*(questions?|q\s*(&|and|\+)\s*a|q/a|faqs?)\W*$", re.IGNORECASE)
_UNKNOWN = re.compile(
    r"^(\W*)(my |your |the )?(known[\s-]+unknowns?|open questions|what i (do not|don.t) know( yet)?"
    r"|not yet (known|understood))\W*$",
    re.IGNORECASE,
)
_KNOWN = re.compile(
    r"^(\W*)(my |your |the )?(knowns?|current understanding|what i( already)? know|already known"
    r"|understood)\W*$",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"^\s*(?:(?:Q(?:uestion)?\s*)?\d+(?:\.\d+)*\s*(?:[.):]\s+|[、．])|Q(?:uestion)?\s*[.):]\s+)\s*",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"^\W*(?:[^\W\d_]+\s*)?\d+(?:\.\d+)*\s*(?:[.):]\s|[、．])")
"""A heading with a number, perhaps behind a word: `Exercise 3: …`."""
_LABEL = re.compile(r"^\W*Q(?P<word>uestion)?\s*(?:\d+\s*)?[.):]\s", re.IGNORECASE)
_ASKING = re.compile(r"[?？؟](?:\[+[^\[\]]*\]+|\W)*$")
"""A question mark, after which come only links and signs."""
_ADDRESS = re.compile(r"\]\([^()]*(?:\([^()]*\)[^()]*)*\)")
_UP = re.compile(r"(?:^|\n)[^\w\n]*\[[^\]\n]*\]\(#[^)\n]*\)\W*$")
"""A closing link to the top of the page."""
_ANSWER_BELOW = re.compile(r"^\s*<details\b|^\W*Answer\s*:", re.IGNORECASE)
_NO_ANSWER = re.compile(r"\W*Answer\W*", re.IGNORECASE)
_DETAILS = re.compile(r"</?(?:details|p)\b[^>]*>|<summary\b[^>]*>.*?</summary\s*>", re.DOTALL)
_PAIR = re.compile(
    r"^\s{0,3}(?:[-*+]\s+|\d+[.)]\s+)?(?P<open>\*\*|__)?(?P<mark>Q(?:uestion)?|A(?:nswer)?)"
    r"\s*\d*\s*[:.)](?P<close>\*\*|__)?\s*(?P<text>.*)$",
    re.IGNORECASE,
)
_PAIR_MARK = re.compile(
    r"^\s{0,3}(?:[-*+]\s+|\d+[.)]\s+)?(?:\*\*|__)?(?:(?:Q|A)[a-z]*\s*\d*\s*:|(?:Q|A)\d+\s*[.)])",
    re.IGNORECASE,
)
_ANSWER_BESIDE = re.compile(
    r"(?<=\?)(?:\*\*|__)?\s+(?:\*\*|__)?A(?:nswer)?\s*:(?:\*\*|__)?\s+", re.IGNORECASE
)
_BOLD_QUESTION = re.compile(
    r"^\s{0,3}(?:[-*+]\s+|\d+[.)]\s+)?(\*\*|__)Q(?:uestion)?\s*\d*\s*[:.)](?!\1).*\1\s*$",
    re.IGNORECASE,
)
_CLOZE = re.compile(r"\{\{c\d+::")
_FENCE = re.compile(r"^\s*(```+|~~~+)")
_LEARN_MORE = re.compile(
    r"^\W*(learn more|read more|further reading|see also|references|links)\W*$", re.IGNORECASE
)
_LINK = re.compile(
    r"\[(?P<text>(?:[^\[\]]|\[[^\]]*\])+)\]\((?P<address>[^()\s]*(?:\([^()]*\)[^()\s]*)*)\)"
)
_BARE_LINK = re.compile(r"<?(?P<address>https?://[^\s<>]+)>?")
_TASK = re.compile(r"^\[[ xX]\]\s+")
_RULE = re.compile(r"(?:^|\n)\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})\s*$")

MOST_QUARTERS: Final = 4
"""`Q1:` to `Q4:` may be quarters of a year; a document with more of them counts questions."""
LEAST_ASKING: Final = 3
"""Headings without numbers that must ask before those of their level are questions."""
MOST_TOLD: Final = 8
"""Things never closed whose lines a preview tells."""
SLIDE_PARAGRAPHS: Final = 10
SLIDE_WORDS: Final = 15


def extract(text: str, name: str, dialect: str = "") -> ExtractedText:
    """Return the contents of a document.

    It is read in the dialect of its cards, which `dialect` can choose. Without one its questions
    are looked for in our own manner, and without questions it is a note.

    Raises DocumentError, with `name:line`, for front matter that is not YAML; InputError for a
    dialect that there is not.
    """
    chosen = named(dialect) if dialect else certain(name, text)
    if chosen is not None and not chosen.markdown:
        return _in_columns(text, name, chosen)
    document = read_document(text, name, in_lists=chosen is None)
    questions = () if chosen is not None or dialect == NOTE else tuple(_own_questions(document))
    if not questions and not dialect and chosen is None:
        chosen = likely(name, text)
        if chosen is not None and not chosen.markdown:
            return _in_columns(text, name, chosen)
    reading = chosen.read(text, name) if chosen is not None else Reading(questions)
    title = reading.title or _title(document, of_cards=bool(reading.questions and chosen))
    if chosen is not None:
        questions = tuple(
            each if each.asked else replace(each, asked=title) for each in reading.questions
        )
    claims = tuple(_claims(document))
    kind = chosen.name if chosen is not None and questions else _kind(document, questions, claims)
    return ExtractedText(
        name=name,
        kind=kind,
        title=title,
        text=text,
        front_matter=dict(document.front_matter),
        questions=questions,
        claims=claims,
        notes=() if questions else tuple(_notes(document)),
        headings=heading_lines(document),
        understood=_understood(
            name,
            chosen,
            replace(reading, questions=questions),
            _others(text, document, chosen, questions),
            document.unclosed,
        ),
    )


def _in_columns(text: str, name: str, dialect: Dialect) -> ExtractedText:
    """Return the contents of a document that is no Markdown."""
    reading = dialect.read(text, name)
    return ExtractedText(
        name=name,
        kind=dialect.name,
        title=reading.title or PurePath(name).stem,
        text=text,
        front_matter={},
        questions=reading.questions,
        claims=(),
        notes=reading.notes,
        headings=(),
        understood=_understood(name, dialect, reading),
    )


def _understood(
    name: str,
    dialect: Dialect | None,
    reading: Reading,
    others: Iterable[OtherReading] = (),
    unclosed: Sequence[Unclosed] = (),
) -> Understood:
    """Return how a document was read."""
    title = "questions and answers" if dialect is None else dialect.title
    remarks = reading.remarks
    if PurePath(name).suffix.lower() == ".ipynb":
        remarks = (
            "The notebook's code cells become code; lines are counted across all cells",
            *remarks,
        )
    if unclosed:
        told = ", ".join(f"{each.what} (line {each.line})" for each in unclosed[:MOST_TOLD])
        more = f" and {len(unclosed) - MOST_TOLD} more" if len(unclosed) > MOST_TOLD else ""
        remarks = (*remarks, f"Never closed: {told}{more}")
    own = QUESTIONS if reading.questions else NOTE
    return Understood(
        name=own if dialect is None else dialect.name,
        title=title,
        kinds=reading.kinds,
        cards=sum(bool(each.answer) for each in reading.questions),
        unread=reading.unread,
        remarks=remarks,
        others=tuple(others),
    )


def _others(
    text: str, document: Document, dialect: Dialect | None, questions: Sequence[ExtractedQuestion]
) -> Iterator[OtherReading]:
    """Yield how else a document in Markdown could be read, or some of its lines."""
    if not questions:
        yield from others(text)
        return
    used = frozenset(each.line for each in questions)
    chosen = QUESTIONS if dialect is None else dialect.name
    yield from besides(document.name, text, chosen, used)
    if dialect is not None:
        own = {each.line for each in _own_questions(document)}
        if lines := tuple(sorted(own - used)):
            yield OtherReading(QUESTIONS, "questions and answers", lines, instead=True)


def _own_questions(document: Document) -> Iterator[ExtractedQuestion]:
    yield from _pairs(document.preamble, document.preamble_line)
    yield from _clozes(document.preamble, document.preamble_line, _title(document))
    titles = Counter(_NUMBER.sub("", each.title) for each in document.walk())
    headings = _Headings(
        document.title if document.title != document.name else "",
        _asking_lines(document),
        frozenset(title for title, times in titles.items() if times > 1),
    )
    for section in document.sections:
        yield from _questions_of(section, headings)


# -- questions -----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Headings:
    """The headings of a whole document, and how many of a level ask."""

    title: str
    """The document's; empty if it states none."""
    asking: frozenset[int]
    """The lines of those that are questions."""
    repeated: frozenset[str]
    """The titles that several have, without their numbers."""


def _questions_of(section: Section, headings: _Headings) -> Iterator[ExtractedQuestion]:
    if _state_of(section.title):
        return
    if section.line in headings.asking and not _heads_questions(section):
        yield from _asked(section, headings.repeated)
        return
    yield from _pairs(section.body, section.body_line)
    yield from _clozes(section.body, section.body_line, section.title)
    if _asks(section, headings):
        for child in section.children:
            if not _state_of(child.title) and not is_contents(child.whole_body()):
                yield from _asked(child, headings.repeated)
        return
    for child in section.children:
        yield from _questions_of(child, headings)


def _asked(section: Section, repeated: frozenset[str]) -> Iterator[ExtractedQuestion]:
    """Yield the question that a section is.

    Where several have the same title, "What is the output?", what comes before the answer is asked
    as well.
    """
    text = _NUMBER.sub("", section.title).strip()
    answer, links = _part_links(section.whole_body())
    if not text:
        return
    if _NO_ANSWER.fullmatch(answer):
        answer = ""
    if text in repeated and (parts := _parted(answer)):
        asked, answer = parts
        yield ExtractedQuestion(f"{text}\n\n{asked}", answer, section.line, links, asked=text)
    else:
        yield ExtractedQuestion(text, answer, section.line, links)


def _parted(body: str) -> tuple[str, str] | None:
    """Return what a body asks and what it answers; None if it does not say where the answer is."""
    rows, fence = body.split("\n"), ""
    for at, row in enumerate(rows):
        fence = _fence_after(row, fence)
        if not fence and _ANSWER_BELOW.match(row):
            answer = _DETAILS.sub("", "\n".join(rows[at:]))
            return ("\n".join(rows[:at]).strip(), answer.strip()) if at else None
    return None


def _asking_lines(document: Document) -> frozenset[int]:
    """Return the lines of the headings that ask, judged by all headings of their level together.

    Numbered headings ask if half of them end in a question mark, or, in a document that says that
    it has questions, if no others do: chapters have numbers too. Without numbers or `Q:` nearly all
    have to end in one; then whatever stands among them is asked as well.
    """
    levels: defaultdict[int, list[Section]] = defaultdict(list)
    for section in document.walk():
        if not is_contents(section.whole_body()):
            levels[section.level].append(section)
    asking = [each for level in sorted(levels) for each in _asking(levels[level])]
    if not asking and document.title != document.name and _QUESTIONS.search(document.title):
        below = [
            each
            for each in sorted(levels)
            if all(section.title != document.title for section in levels[each])
        ]
        first = levels[below[0]] if below else []
        numbered = [each for each in first if _NUMBERED.match(each.title)]
        asking = numbered if 2 * len(numbered) > len(first) > 1 else []
    return frozenset(each.line for each in asking)


def _asking(sections: Sequence[Section]) -> Sequence[Section]:
    """Return which sections of one level are questions by their headings."""
    asks = [_looks_asking(each) for each in sections]
    labels = [_LABEL.match(each.title) for each in sections]
    counted = [bool(_NUMBERED.match(each.title)) for each in sections]
    labelled = [each for each, label in zip(sections, labels, strict=True) if label]
    if any(counted) and 2 * sum(map(min, counted, asks)) >= sum(counted):
        rows = zip(sections, counted, labels, strict=True)
        return [each for each, has_number, label in rows if has_number or label]
    if len(labelled) > MOST_QUARTERS or any(
        label and (label["word"] or ask) for label, ask in zip(labels, asks, strict=True)
    ):
        return labelled
    if any(counted) or sum(asks) < LEAST_ASKING or 4 * sum(asks) < 3 * len(sections):
        return []
    return sections[asks.index(True) : len(asks) - asks[::-1].index(True)]


def _looks_asking(section: Section) -> bool:
    return _ASKING.search(_ADDRESS.sub("]", section.title)) is not None


def _asks(section: Section, headings: _Headings) -> bool:
    """Return whether the sections below are questions by the name of this one.

    The title of a whole document may also speak of questions that are deeper down, so those below
    it must look like questions, and if some are such by their headings the others are none.
    """
    children = section.children
    if not _QUESTIONS.search(section.title) or not children or any(map(_heads_questions, children)):
        return False
    deeper = (each for child in children for under in child.children for each in under.walk())
    if any(each.line in headings.asking for each in deeper):
        return False
    if 2 * sum("<summary" in child.body for child in children) > len(children):
        return False
    if section.title != headings.title or _ONLY_QUESTIONS.match(section.title):
        return True
    looks = sum(bool(_NUMBERED.match(each.title)) or _looks_asking(each) for each in children)
    asking = any(each.line in headings.asking for each in children)
    return not asking and (len(children) == 1 or 2 * looks >= len(children))


def _heads_questions(section: Section) -> bool:
    title = _NUMBER.sub("", section.title)
    return bool(_ONLY_QUESTIONS.match(title) or (_QUESTIONS.search(title) and section.children))


def _pairs(body: str, line: int) -> Iterator[ExtractedQuestion]:
    """`Q: …` and `A: …`; either may go on over lines. A mark inside a code fence is code."""
    if not re.search(r"(?im)^\W*q(uestion)?\s*\d*\s*[:.)]", body):
        return
    texts: dict[str, list[str]] = {"q": [], "a": []}
    reading, started, fence = "", line, ""
    for number, row in enumerate(body.split("\n"), start=line):
        fence = _fence_after(row, fence)
        match = None if fence or not _PAIR_MARK.match(row) else _PAIR.match(row)
        if match:
            mark = match["mark"][0].lower()
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


def _clozes(body: str, line: int, title: str) -> Iterator[ExtractedQuestion]:
    """Yield a question for each number of the clozes in a paragraph or list item."""
    if not _CLOZE.search(body):
        return
    rows = body.split("\n")
    for token in parse_blocks(body):
        if token.type not in {"paragraph_open", "heading_open"} or not token.map:
            continue
        first, after = token.map
        text = re.sub(r"^\s*(?:[-*+]|\d+[.)])\s+", "", "\n".join(rows[first:after]))
        clozes = read_clozes(text)
        for group in clozes.groups:
            gaps = clozes.gapped(group)
            sides = (
                clozes.sides(group)
                if gaps is None
                else (cloze.front(gaps, group), cloze.back(gaps, group))
            )
            yield ExtractedQuestion(*sides, line + first, asked=title)


def _without_bold(match: re.Match[str]) -> str:
    """`**Q: text**` is bold round all of it, `**Q:** text` round the mark."""
    text = match["text"]
    if match["open"] and not match["close"]:
        text = text.replace(match["open"], "", 1)
    return text


def _fence_after(row: str, fence: str) -> str:
    mark = _FENCE.match(row)
    if not mark:
        return fence
    if not fence:
        return mark[1]
    return "" if mark[1].startswith(fence) else fence


def _pair(texts: dict[str, list[str]], line: int) -> Iterator[ExtractedQuestion]:
    question = " ".join(" ".join(texts["q"]).split())
    answer, links = _part_links("\n".join(texts["a"]))
    if question:
        yield ExtractedQuestion(question, answer, line, links)


def _part_links(body: str) -> tuple[str, tuple[SourceLink, ...]]:
    """The answer without its closing rule, and the links of its closing "Learn more"."""
    body = _RULE.sub("", _UP.sub("", _RULE.sub("", body.strip())).strip()).strip()
    rows = body.split("\n")
    for index in range(len(rows) - 1, -1, -1):
        if _LEARN_MORE.match(rows[index]):
            rest = [row for row in rows[index + 1 :] if row.strip()]
            links = [link for row in rest if (link := _link(row))]
            if links and len(links) == len(rest):
                return "\n".join(rows[:index]).strip(), tuple(links)
    return body, ()


def _link(row: str) -> SourceLink | None:
    if match := _LINK.search(row):
        return SourceLink(match["text"], match["address"])
    if match := _BARE_LINK.search(row):
        return SourceLink(match["address"], match["address"])
    return None


# -- what is known, and what is not ----------------------------------------------------------------


def _claims(document: Document) -> Iterator[Claim]:
    for section in document.walk():
        state = _state_of(section.title)
        if state:
            yield from _bullets(section, state)
            for child in section.children:
                yield Claim(child.title, child.whole_body(), state, child.line)


def _state_of(title: str) -> str | None:
    if _UNKNOWN.match(title):
        return "known-unknown"
    return "known" if _KNOWN.match(title) else None


def _bullets(section: Section, state: str) -> Iterator[Claim]:
    """The items of the section's own lists; what is nested in an item is its body."""
    lines = section.body.split("\n")
    for token in parse_blocks(section.body):
        if token.type != "list_item_open" or token.level != 1 or not token.map:
            continue
        first, after = token.map
        raw = "\n".join(lines[first:after]).strip()
        words = re.sub(r"^(?:[-*+]|\d+[.)])\s+", "", raw)
        body = _TASK.sub("", words).strip()
        text = " ".join(re.split(r"\n\s*(?:\n|[-*+]\s|\d+[.)]\s)", body, maxsplit=1)[0].split())
        if text:
            yield Claim(text, body, state, section.body_line + first)


# -- notes -----------------------------------------------------------------------------------------


def _notes(document: Document) -> Iterator[NoteDraft]:
    if document.preamble:
        yield NoteDraft(_title(document), document.preamble, document.preamble_line)
    for section in document.sections:
        yield from _notes_of(section)


def _notes_of(section: Section) -> Iterator[NoteDraft]:
    if _state_of(section.title):
        return
    if section.body:
        yield NoteDraft(section.title or "Untitled", section.body, section.line)
    for child in section.children:
        yield from _notes_of(child)


# -- the document as a whole -----------------------------------------------------------------------


def _title(document: Document, *, of_cards: bool = False) -> str:
    """Return the title that a document states, else its first line, else the name of its file.

    In a file of cards the first line is likely a card.
    """
    if document.title != document.name:
        return document.title
    name = PurePath(document.name).stem
    if of_cards:
        return name
    first = next((row.strip() for row in document.preamble.split("\n") if row.strip()), "")
    return first if 0 < len(first) <= 2 * LONGEST_NAME and not _PAIR_MARK.match(first) else name


def _kind(
    document: Document, questions: tuple[ExtractedQuestion, ...], claims: tuple[Claim, ...]
) -> str:
    if questions:
        return "qa"
    if claims:
        return "note"
    if document.front_matter:
        return "post"
    if "summar" in document.title.casefold():
        return "summary"
    return "slides" if _looks_like_slides(document) else "note"


def _looks_like_slides(document: Document) -> bool:
    """No headings, and many paragraphs of a few words."""
    paragraphs = [each for each in re.split(r"\n\s*\n", document.preamble) if each.strip()]
    short = sum(len(each.split()) <= SLIDE_WORDS for each in paragraphs)
    return (
        not document.sections
        and len(paragraphs) >= SLIDE_PARAGRAPHS
        and short * 2 > len(paragraphs)
    )
