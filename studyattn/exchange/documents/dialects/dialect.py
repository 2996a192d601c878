"""A dialect: one way in which a program or a person writes cards in a document.

A dialect is a paragraph of `dialects.toml`, which names the functions of the module that reads it.
Each is pure: from a text to the cards in it, with the memory that a program states beside a card,
and what looks like a card and is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from studyattn.exchange.documents.draft import ExtractedQuestion, Unread
from studyattn.exchange.documents.rows import sides_of_clozes
from studyattn.exchange.files import read_text
from studyattn.exchange.memories import LearnedBefore

ANKI_GAP = re.compile(r"\{\{c\d+(?:,\d+)*::")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """One way to write cards: its names, how it is recognised, and its reader."""

    name: str
    """The choice of `--as`, and the kind of a source that is written in it."""
    title: str
    """Its name within a sentence: "Obsidian's flashcards"."""
    about: str
    """How its cards look, in a few words."""
    recognises: Callable[[str, str], bool]
    """Return whether a file, by its name and text, certainly is written in this dialect."""
    read: Callable[[str, str], Reading]
    """Read cards from the text and the name of a file. Raises DocumentError and InputError."""
    certain: bool = False
    """It goes before the questions that a document has besides."""
    looks: Callable[[str], bool] = lambda _text: True
    """Return whether what it reads in any text in Markdown may be offered."""
    suffixes: frozenset[str] = frozenset()
    """Suffixes that a folder is searched for, besides those of Markdown and plain text."""
    markdown: bool = False
    """The document is Markdown: it has a title, headings and statements besides its cards."""
    grid: Callable[[str, str], Any] | None = None
    """Return the rows of a file in columns (`columns.Grid`), of which two can be chosen."""
    otherwise: Callable[[str], str] | None = None
    """Returns a text without cards of this dialect as Markdown, to be read by its shape."""
    load: Callable[[Path], str] = read_text
    """Reads the text of a file. Raises DocumentError and InputError."""


@dataclass(slots=True)
class Reading:
    """The cards of a document, what looks like a card and is none, and what else is told of it."""

    questions: list[ExtractedQuestion] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)
    remarks: list[str] = field(default_factory=list)
    title: str = ""
    """The document's own title; empty: that of its Markdown, or the name of its file."""

    def basic(
        self,
        front: str,
        back: str,
        line: int,
        topic: str,
        *,
        tags: tuple[str, ...] = (),
        reversed_too: bool = False,
    ) -> list[int]:
        """Add a card, or one for each number of the gaps in Anki's manner in its front.

        With `reversed_too` another one asks the other way round.

        Returns the places of the new questions; none, and a remark, when a side is empty.
        """
        front, back = front.strip(), back.strip()
        if ANKI_GAP.search(front):
            return self.gaps(front, line, topic, tags=tags, below=back)
        if not front or not back:
            self.unread.append(Unread(line, f"the {'answer' if front else 'question'} is empty"))
            return []
        first = len(self.questions)
        self.questions.append(ExtractedQuestion(front, back, line, asked=topic, tags=tags))
        if reversed_too:
            self.questions.append(ExtractedQuestion(back, front, line, asked=topic, tags=tags))
            self.kinds["reversed"] += 1
        return list(range(first, len(self.questions)))

    def gaps(
        self,
        text: str,
        line: int,
        topic: str,
        *,
        tags: tuple[str, ...] = (),
        below: str = "",
    ) -> list[int]:
        """Add a card for each number of the gaps of a text, `{{c1::answer::hint}}`.

        `below` follows the answer. Returns the places of the new questions.
        """
        first = len(self.questions)
        for front, back in sides_of_clozes(text.strip()):
            answer = f"{back}\n\n{below}" if below else back
            self.questions.append(ExtractedQuestion(front, answer, line, asked=topic, tags=tags))
            self.kinds["gap"] += 1
        if len(self.questions) == first:
            self.leave(line, "a gap is in code")
        return list(range(first, len(self.questions)))

    def learn(self, places: Iterable[int], memories: Iterable[LearnedBefore | None]) -> None:
        """Give cards the memories that the document states, in order."""
        for place, memory in zip(places, memories, strict=False):
            if memory is not None:
                self.questions[place] = replace(self.questions[place], learned=memory)
                self.kinds["with a memory"] += 1

    def leave(self, line: int, why: str) -> None:
        """Note what looks like a card and is none."""
        self.unread.append(Unread(line, why))
