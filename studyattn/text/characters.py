"""Characters that a terminal, a document or a page must not get, each rule once. Pure."""

from __future__ import annotations

import re
from typing import Final

CONTROLS: Final = "\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029"
"""Control characters but tab and line feed, and what separates lines and paragraphs."""
TURNS: Final = "\u202a-\u202e\u2066-\u2069"
"""Marks that turn the direction of a line, and so can hide what it says."""

CONTROL: Final = re.compile(f"[{CONTROLS}]")
_DRIVING: Final = re.compile(f"[{CONTROLS}{TURNS}]")
_NO_XML: Final = "[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|[\x7f-\x9f\u2028\u2029]"


def without_controls(text: str) -> str:
    """Return the text with a replacement character for each control character."""
    return CONTROL.sub("\ufffd", text)


def printable(text: str) -> str:
    """Return the text as a terminal may get it: nothing moves the cursor or turns a line."""
    return _DRIVING.sub("\ufffd", text)


def for_xml(text: str) -> str:
    """Return the text with a replacement character for each that XML and HTML may not have."""
    return re.sub(_NO_XML, "\ufffd", text)  # not compiled before: it takes 2 ms


def writable(name: str) -> str:
    r"""Return a foreign file's name as UTF-8 and a terminal can have it.

    The byte 255 becomes `\udcff`, and a control character U+FFFD.
    """
    return printable(name.encode("utf-8", "backslashreplace").decode("utf-8"))


def first_line(markdown: str) -> str:
    """Return the first line that is not blank, stripped."""
    return next((line.strip() for line in markdown.splitlines() if line.strip()), "")
