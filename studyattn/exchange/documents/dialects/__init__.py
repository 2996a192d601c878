"""Dialects: the ways in which cards are written in documents, and the one list of them.

A new dialect is a `Dialect` in a module of its own and a line here. The choices of `--as`, the help
of `studyattn import` and what a preview says that it looked for are drawn from the list.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from studyattn.errors import InputError
from studyattn.exchange.documents.dialects import notebook
from studyattn.exchange.documents.dialects.columns import ANKI_TEXT, PAIRS, TABLE, TABLES
from studyattn.exchange.documents.dialects.details import DETAILS
from studyattn.exchange.documents.dialects.dialect import Dialect
from studyattn.exchange.documents.dialects.hashcards import HASHCARDS
from studyattn.exchange.documents.dialects.obsidian import OBSIDIAN
from studyattn.exchange.documents.dialects.org import ORG
from studyattn.exchange.documents.dialects.outlines import LOGSEQ, REMNOTE
from studyattn.exchange.documents.dialects.trees import DATA, MOCHI
from studyattn.exchange.documents.shapes import TITLES

DIALECTS: Final[dict[str, Dialect]] = {
    each.name: each
    for each in (
        *(MOCHI, DATA, ORG, ANKI_TEXT, TABLE, LOGSEQ, OBSIDIAN, HASHCARDS),
        *(REMNOTE, TABLES, DETAILS, PAIRS),
    )
}
"""By name, in the order in which they are tried."""

QUESTIONS: Final = "qa"
NOTE: Final = "note"
OUR_OWN: Final = {
    QUESTIONS: "questions: headings, bold lines and items that ask, Q: and A:, {{c1::gaps}}",
    NOTE: "a note: no cards",
}
"""The kinds of documents without a dialect: the other choices of `--as`."""
CHOICES: Final = (*DIALECTS, *TITLES, *OUR_OWN)
LONGEST: Final = 16
"""Characters of a choice, as a source keeps it."""

_BEFORE_QUESTIONS: Final = (MOCHI, DATA, ORG, ANKI_TEXT, TABLE, LOGSEQ, OBSIDIAN, HASHCARDS)
_LOADERS: Final = {
    ".ipynb": notebook.load,
    ".cards": MOCHI.load,
    **{suffix: each.load for each in DIALECTS.values() if each.load for suffix in each.suffixes},
}
SUFFIXES: Final = frozenset({".ipynb"}).union(*(each.suffixes for each in DIALECTS.values()))
"""Suffixes of documents besides those of Markdown and plain text."""


def ways(written: str) -> tuple[str, ...]:
    """Return the ways of reading in a choice of `--as`: one, or two joined by `+`.

    Raises InputError for what is no choice, and for what does not go together.
    """
    names = tuple(dict.fromkeys(written.split("+")))
    for name in names:
        if name not in CHOICES:
            raise InputError(
                f"there is no card format named {name!r}",
                advice=f"Choose one of {', '.join(CHOICES)}",
            )
    alone = any(name in DIALECTS and not DIALECTS[name].markdown for name in names)
    if len(names) > 1 and (NOTE in names or alone or len(written) > LONGEST):
        raise InputError(f"{' and '.join(names)} cannot be combined", advice="Choose one of them")
    return names


def of_source(kind: str) -> str:
    """Return the choice of `--as` that reads a source as it was read when it was imported."""
    if all(name in DIALECTS or name in TITLES for name in kind.split("+")):
        return kind
    return QUESTIONS if kind == QUESTIONS else NOTE


def title_of(way: str) -> str:
    """Return the name of a way of reading within a sentence."""
    if way in DIALECTS:
        return DIALECTS[way].title
    return TITLES.get(way, "a note" if way == NOTE else "questions and answers")


def certain(name: str, text: str) -> Dialect | None:
    """Return the dialect that a document certainly is in, whatever questions it has besides."""
    return next((each for each in _BEFORE_QUESTIONS if each.recognises(name, text)), None)


def likely(name: str, text: str) -> Dialect | None:
    """Return the dialect of a document that has no questions in our own manner."""
    return next((each for each in DIALECTS.values() if each.recognises(name, text)), None)


def load(path: Path) -> str | None:
    """Return the text of a file that is no text itself; None for every other file.

    Raises DocumentError and InputError.
    """
    loader = _LOADERS.get(path.suffix.lower())
    return None if loader is None else loader(path)
