"""The last look at what goes to the terminal: no document's text may drive it.

Markdown is cleaned where it is rendered; titles, file names and reasons are shown as they are. Here
every line of every widget passes, whatever it is made of.
"""

from __future__ import annotations

import re

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from studyattn.text.characters import CONTROLS, TURNS

# Control characters, line and paragraph separators, marks that turn a line's direction. They have
# no width, so a line without them keeps its place.
_DRIVING = re.compile(f"[\t\n{CONTROLS}{TURNS}]")


class HarmlessText(LineFilter):
    """Takes out of each line what would move the cursor or hide other text."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002 - Textual's signature
        if not any(_DRIVING.search(segment.text) for segment in segments if not segment.control):
            return segments
        return [
            segment
            if segment.control
            else Segment(_DRIVING.sub("", segment.text), segment.style, None)
            for segment in segments
        ]
