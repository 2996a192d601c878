"""What stands beside an import in a wide terminal: how a file begins, or a card as it will read."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual.content import Content

from studyattn.exchange.documents.dialects import DIALECTS
from studyattn.exchange.registry import importable
from studyattn.tui.formatting import count, join_lines, pad, paragraph
from studyattn.tui.theme import Look
from studyattn.tui.widgets.import_preview import SIGNS
from studyattn.tui.widgets.rendered_text import face

if TYPE_CHECKING:
    from studyattn.exchange.documents.edits import EditedCard

_HEAD: Final = 4096  # bytes that are read of a file
_LINES: Final = 40


@dataclass(frozen=True, slots=True)
class Peek:
    """A file or a folder as far as it is looked into before it is read."""

    name: str
    size: str
    lines: tuple[str, ...]
    """The first lines of a text, or the names in a folder; nothing of other files."""


def peek(written: str, entry: str) -> Peek | None:
    """Look into the file or folder `entry` beside what is written, or without one into that itself.

    None for what cannot be read, and for a written folder, whose entries are listed anyway.
    """
    try:
        path = Path(written).expanduser()
        if entry:
            path = Path(written.rpartition(os.sep)[0] + os.sep).expanduser() / entry
        elif path.is_dir():
            return None
        if path.is_dir():
            found = [entry for entry in os.scandir(path) if not entry.name.startswith(".")]
            names = sorted(entry.name + os.sep * entry.is_dir() for entry in found)
            return Peek(f"{path.name}{os.sep}", count(len(names), "entry", "entries"), tuple(names))
        if not path.is_file():  # reading a pipe would take away what it holds
            return None
        with path.open("rb") as file:
            head = file.read(_HEAD)
        size = f"{path.stat().st_size:,} bytes"
    except (OSError, ValueError):
        return None
    if b"\0" in head:
        return Peek(path.name, size, ())
    return Peek(path.name, size, tuple(head.decode("utf-8", "replace").splitlines()))


def draw_peek(found: Peek, width: int) -> Content:
    """Return how a file begins, in `width` columns."""
    lines = [Content.styled(found.name, "bold"), Content.styled(found.size, "$quiet"), Content()]
    lines += [pad(Content(line.expandtabs(4)), width).rstrip() for line in found.lines[:_LINES]]
    if len(found.lines) > _LINES:
        lines.append(Content.styled("…", "$quiet"))
    return join_lines(lines)


def draw_signs(width: int) -> Content:
    """Return what the signs in front of a preview's lines mean."""
    lines = [Content.styled("What the signs mean", "bold"), Content()]
    words = {
        "new": "a new one is added",
        "edited": "its text changes, its schedule stays",
        "gone": "no longer in the document; your answers stay",
        "skipped": "left out by you",
    }
    for name, told in words.items():
        lines.append(Content.assemble(Content.styled(*SIGNS[name]), f" {name}  ", (told, "$quiet")))
    after = "Go to a line with a card to see both of its faces here."
    return join_lines([*lines, Content(), *paragraph(Content.styled(after, "$quiet"), width)])


def draw_formats(width: int) -> Content:
    """Return what can be imported, in `width` columns."""
    lines = [Content.styled("What can be imported", "bold"), Content()]
    known = [("Documents", "your own Markdown or text; its questions become cards")]
    known += [(form.title, form.about) for form in importable()]
    for title, about in known:
        lines.append(Content(title))
        told = paragraph(Content.styled(about, "$quiet"), width - 2)
        lines += [Content.assemble("  ", line) for line in told]
    after = "Nothing is written before you confirm the preview."
    lines += [Content(), *paragraph(after, width), Content()]
    lines += [Content.styled("Cards of other programs, in documents", "bold"), Content()]
    for dialect in DIALECTS.values():
        title = f"{dialect.title[:1].upper()}{dialect.title[1:]}"
        lines += paragraph(Content.assemble(title, (f": {dialect.about}", "$quiet")), width)
    return join_lines(lines)


def draw_card(card: EditedCard, width: int, look: Look) -> Content:
    """Return both faces of a card that would be made."""
    faces = [Content.from_rich_text(face(text, width, look)) for text in (card.front, card.back)]
    return Content("\n").join([faces[0], Content.styled("─" * width, "$rule"), faces[1]])
