"""What an exported file says that it is, in its front matter; quick to import."""

from __future__ import annotations

import re
from typing import Final

MADE_BY: Final = "studyattn"
"""The key of front matter under which an exported file says what it is."""
NOTE: Final = "learning-note"
PAGE: Final = "page"
"""The values of that key in a learning note, and in a page of the folder."""
INDEX: Final = "Learning note.md"
_SAID = re.compile(rf"\A---\n(?:(?!---\n)[^\n]*\n){{0,30}}?{MADE_BY}: (\S+)\n")


def kind_of_text(text: str) -> str:
    """Return what a document's front matter says that it is: `NOTE`, `PAGE`, or nothing."""
    found = _SAID.match(text)
    return found[1] if found else ""
