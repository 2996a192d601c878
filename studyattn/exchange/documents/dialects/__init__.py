"""Dialects: the ways in which cards are written in documents, as `dialects.toml` lists them.

The choices of `--as`, the help of `studyattn import` and what a preview says that it looked for are
drawn from the list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path, PurePath
from typing import Any, Final

from studyattn.errors import InputError
from studyattn.exchange.documents.dialects.dialect import Dialect
from studyattn.exchange.documents.names import page_of
from studyattn.exchange.documents.units import TITLES
from studyattn.exchange.files import read_text
from studyattn.exchange.lazily import named
from studyattn.text.notebooks import as_markdown, cells_of

_FUNCTIONS: Final = frozenset({"recognises", "read", "looks", "grid", "otherwise", "load"})
_PAIR = re.compile(r"([1-9]\d?)-([1-9]\d?)")


def _dialects() -> Iterator[Dialect]:
    for name, said in page_of("dialects.toml").items():
        fields: dict[str, Any] = {**said, "suffixes": frozenset(said.get("suffixes", ()))}
        for key in _FUNCTIONS & fields.keys():
            told = fields[key]
            suffixes = isinstance(told, list)
            fields[key] = _of_suffix(*told) if suffixes else named(told, __package__)
        yield Dialect(name=name, **fields)


def _of_suffix(*suffixes: str) -> Callable[[str, str], bool]:
    """Return what recognises a file by its suffix alone."""
    return lambda name, _text: PurePath(name).suffix.lower() in suffixes


DIALECTS: Final = {each.name: each for each in _dialects()}
"""By name, in the order in which they are tried."""

QUESTIONS: Final = "qa"
NOTE: Final = "note"
OUR_OWN: Final = {
    QUESTIONS: "questions: headings, bold lines and items that ask, Q: and A:, {{c1::gaps}}",
    NOTE: "a note: no cards",
}
"""The kinds of documents without a dialect: the other choices of `--as`."""
COLUMNS: Final = ("4-6", "columns of a table or of data: the first asks, the other answers")
"""A choice with numbers of its own, as an example."""
CHOICES: Final = (*DIALECTS, *TITLES, *OUR_OWN)
LONGEST: Final = 16
"""Characters of a choice, as a source keeps it."""

_LOADERS: Final = {
    ".ipynb": lambda path: as_markdown(cells_of(read_text(path), str(path))),
    ".cards": DIALECTS["mochi"].load,
    **{suffix: each.load for each in DIALECTS.values() for suffix in each.suffixes},
}
SUFFIXES: Final = frozenset({".ipynb"}).union(*(each.suffixes for each in DIALECTS.values()))
"""Suffixes of documents besides those of Markdown and plain text."""


def ways(written: str) -> tuple[str, ...]:
    """Return the ways of reading in a choice of `--as`: none, one, or two joined by `+`.

    Raises InputError for what is no choice, and for what does not go together.
    """
    names = tuple(dict.fromkeys(written.split("+"))) if written else ()
    for name in names:
        if name not in CHOICES and pair_of(name) is None:
            raise InputError(
                f"there is no card format named {name!r}",
                advice=f"Choose one of {', '.join(CHOICES)}, or two columns such as {COLUMNS[0]}",
            )
    if len(names) > 1 and (not all(map(goes_with_others, names)) or len(written) > LONGEST):
        raise InputError(f"{' and '.join(names)} cannot be combined", advice="Choose one of them")
    return names


def pair_of(way: str) -> tuple[int, int] | None:
    """Return the columns that a way such as `4-6` takes, from 0; None for any other."""
    found = _PAIR.fullmatch(way)
    return (int(found[1]) - 1, int(found[2]) - 1) if found else None


def goes_with_others(way: str) -> bool:
    """Return whether a way of reading can be combined with another one."""
    return way in {*TITLES, QUESTIONS} or (way in DIALECTS and DIALECTS[way].markdown)


def of_source(kind: str) -> str:
    """Return the choice of `--as` that reads a source as it was read when it was imported."""
    if all(name in DIALECTS or name in TITLES or pair_of(name) for name in kind.split("+")):
        return kind
    return QUESTIONS if kind == QUESTIONS else NOTE


def title_of(way: str) -> str:
    """Return the name of a way of reading within a sentence."""
    if way in DIALECTS:
        return DIALECTS[way].title
    if pair := pair_of(way):
        return f"cards from the columns {pair[0] + 1} and {pair[1] + 1}"
    return TITLES.get(way, "a note" if way == NOTE else "questions and answers")


def chosen(way: str, name: str, text: str) -> Dialect | None:
    """Return the dialect of a choice.

    Without one, or with columns, it is the one that a document certainly is in, whatever questions
    it has besides. Raises InputError where it has no columns.
    """
    pair = pair_of(way)
    if way and not pair:
        return DIALECTS.get(ways(way)[0])
    certain = (each for each in DIALECTS.values() if each.certain)
    found = next((each for each in certain if each.recognises(name, text)), None)
    if pair and not (found and found.grid):
        raise InputError("it has no columns", where=name)
    return found


def likely(name: str, text: str) -> Dialect | None:
    """Return the dialect of a document that has no questions in our own manner."""
    return next((each for each in DIALECTS.values() if each.recognises(name, text)), None)


def load(path: Path) -> str:
    """Return the text of a file, also of one that is no text itself.

    Raises DocumentError and InputError.
    """
    return _LOADERS.get(path.suffix.lower(), read_text)(path)
