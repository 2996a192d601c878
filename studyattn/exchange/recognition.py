"""Recognize an exported file by its name and its first bytes; quick to import."""

from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Final

MADE_BY: Final = "studyattn"
"""The key of front matter under which an exported file says what it is."""
NOTE: Final = "learning-note"
PAGE: Final = "page"
"""The values of that key in a learning note, and in a page of the folder."""
INDEX: Final = "Learning note.md"
EVERYTHING: Final = "studyattn"
"""The type of the first line of JSON Lines."""
HEAD: Final = 4096  # bytes in which a file says what it is
_PACKAGES: Final = frozenset({".apkg", ".colpkg"})
_SAID = re.compile(rf"\A---\n(?:(?!---\n)[^\n]*\n){{0,30}}?{MADE_BY}: (\S+)\n")


def kind_of_text(text: str) -> str:
    """Return what a document's front matter says that it is: `NOTE`, `PAGE`, or nothing."""
    found = _SAID.match(text)
    return found[1] if found else ""


def _text(head: bytes) -> str:
    text = head.decode("utf-8", errors="replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n")


def is_learning_note(_path: Path, head: bytes) -> bool:
    """Recognise a learning note by its front matter."""
    return kind_of_text(_text(head)) == NOTE


def is_page(path: Path, head: bytes) -> bool:
    """Recognise a folder by its index, and a page of one by its front matter."""
    if path.is_dir():
        index = path / INDEX
        head = index.read_bytes()[:HEAD] if index.is_file() else b""
    return kind_of_text(_text(head)) == PAGE


def is_package(path: Path, head: bytes) -> bool:
    """Recognise a package by its name or its collection; word processors zip their files too."""
    if path.suffix.lower() in _PACKAGES:
        return True
    try:
        if not head.startswith(b"PK"):
            return False
        with zipfile.ZipFile(path) as archive:
            return any(name.startswith("collection.anki2") for name in archive.namelist())
    except (OSError, zipfile.BadZipFile):
        return False


def is_everything(_path: Path, head: bytes) -> bool:
    """Recognise JSON Lines of ours, of any schema, by their first line."""
    try:
        first = json.loads(_text(head).partition("\n")[0])
    except (ValueError, RecursionError):
        return False
    return isinstance(first, dict) and first.get("type") == EVERYTHING
