"""How far a session is, on its first line: a bar, what is left by kind, the time spent."""

from __future__ import annotations

from collections.abc import Mapping

from textual.content import Content

from studyattn.study.review.views import Kind, Progress
from studyattn.tui.formatting import elapsed, progress_bar

_COLOURS: Mapping[Kind, str] = {
    Kind.NEW: "$accent",
    Kind.LEARNING: "$wrong",
    Kind.DUE: "$right",
}
_WIDEST_BAR = 21
_SHORTEST_BAR = 6


def draw(progress: Progress, width: int) -> Content:
    """At most `width` columns: the bar gives way first, then words become letters."""
    for words in (True, False):
        text = _text(progress, words=words)
        bar = min(_WIDEST_BAR, width - text.cell_length)
        if bar >= _SHORTEST_BAR:
            return Content.assemble(progress_bar(progress.share, bar), text)
    return text


def _text(progress: Progress, *, words: bool) -> Content:
    parts = [
        Content.styled(
            f"{number} {kind.value}" if words else f"{number}{kind.value[0]}",
            _COLOURS[kind] if number else "$quiet",
        )
        for kind, number in progress.left.items()
    ]
    parts.append(Content.styled(elapsed(progress.seconds), "$quiet"))
    gap = "   " if words else "  "
    return Content.assemble("  ", Content(gap).join(parts))
