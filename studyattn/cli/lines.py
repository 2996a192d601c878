"""Text made safe for a terminal: without control characters."""

from __future__ import annotations

import re

# Control characters but tab and line feed, and the marks that turn the direction of a line.
_DRIVING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """Return `text` with each character that moves the cursor or hides others replaced."""
    return _DRIVING.sub("\ufffd", text)
