"""The contents of a document besides its questions: what is known, notes, its title."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

from studyattn.exchange.documents.draft import LONGEST_NAME, Claim, NoteDraft
from studyattn.exchange.documents.pairs import PAIR_MARK
from studyattn.text.document import Document, Section
from studyattn.text.markdown import parse_blocks

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
_TASK = re.compile(r"^\[[ xX]\]\s+")


def state_of(title: str) -> str | None:
    """Return the state that a heading gives to what is below it."""
    if _UNKNOWN.match(title):
        return "known-unknown"
    return "known" if _KNOWN.match(title) else None


def claims(document: Document) -> Iterator[Claim]:
    """Yield what the document says is known or known to be unknown."""
    for section in document.walk():
        state = state_of(section.title)
        if state:
            yield from _bullets(section, state)
            for child in section.children:
                yield Claim(child.title, child.whole_body(), state, child.line)


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


def notes(document: Document) -> Iterator[NoteDraft]:
    """Yield a note for each section with a text of its own."""
    if document.preamble:
        yield NoteDraft(title_of(document), document.preamble, document.preamble_line)
    for section in document.sections:
        yield from _notes_of(section)


def _notes_of(section: Section) -> Iterator[NoteDraft]:
    if state_of(section.title):
        return
    if section.body:
        yield NoteDraft(section.title or "Untitled", section.body, section.line)
    for child in section.children:
        yield from _notes_of(child)


def title_of(document: Document, *, of_cards: bool = False) -> str:
    """Return the title that a document states, else its first line, else the name of its file.

    In a file of cards the first line is likely a card.
    """
    if document.title != document.name:
        return document.title
    name = PurePath(document.name).stem
    if of_cards:
        return name
    first = next((row.strip() for row in document.preamble.split("\n") if row.strip()), "")
    marked = PAIR_MARK.match(first) or ":: " in first  # a side of a card, a property
    return first if 0 < len(first) <= 2 * LONGEST_NAME and not marked else name
