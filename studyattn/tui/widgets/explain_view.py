"""An explanation as it is drawn: the learner's text, and the key points to tick beside it."""

from __future__ import annotations

from collections.abc import Collection

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from studyattn.study.concepts.explaining import Explanation, rating_of
from studyattn.tui.theme import Look
from studyattn.tui.widgets.card_face import verdict_styles
from studyattn.tui.widgets.rendered_text import face, palette

_BESIDE = 130
"""Columns from which the text is beside the points."""

_SIGNS = 8  # columns before a point: pointer, number, box
_GAP = 4


def draw(  # noqa: PLR0917 - what is seen, and where
    explanation: Explanation,
    text: str,
    said: Collection[int],
    chosen: int,
    width: int,
    look: Look,
) -> RenderableType:
    """Return the page in `width` columns; `said` and `chosen` are numbers of points, from 0."""
    beside = width >= _BESIDE
    half = (width - _GAP) // 2 if beside else width
    style = palette(look)
    own: list[RenderableType] = [Text("Your explanation", style.heading), Text()]
    if text.strip():
        own.append(face(text, half, look))
    else:
        own.append(Text("given aloud", style.quote))
    points: list[RenderableType] = [Text("Which of these did you cover?", style.heading), Text()]
    for number, point in enumerate(explanation.points):
        points.append(_point(number, point, number in said, number == chosen, half, look))
    points += [Text(), _share(explanation, said)]
    if not beside:
        return Group(*own, Text(), *points)
    grid = Table.grid(padding=(0, _GAP, 0, 0))
    grid.add_column(width=half)
    grid.add_column(width=half)
    grid.add_row(Group(*own), Group(*points))
    return grid


def _point(  # noqa: PLR0917 - a row of the list
    number: int, point: str, said: bool, chosen: bool, width: int, look: Look
) -> Table:
    right, _ = verdict_styles(look)
    row = Table.grid(padding=(0, 1, 0, 0))
    row.add_column(width=1)
    row.add_column(width=1)
    row.add_column(width=3)
    row.add_column()
    row.add_row(
        Text("▸" if chosen else "", palette(look).heading),
        Text(str(number + 1), palette(look).quote),
        Text("[✓]", right) if said else Text("[ ]"),
        face(point, width - _SIGNS, look),
    )
    return row


def _share(explanation: Explanation, said: Collection[int]) -> Text:
    rating = rating_of(len(said), len(explanation.points)).name.lower()
    return Text(f"{len(said)} of {len(explanation.points)}: {rating}")
