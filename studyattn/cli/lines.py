"""What may go to a terminal: text without the characters that would drive it."""

from __future__ import annotations

import re

# Control characters but tab and line feed, and the marks that turn the direction of a line.
_DRIVING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """The text with a replacement for each character that would move the cursor or hide others."""
    return _DRIVING.sub("\ufffd", text)
