"""The keys that the last line of a review has for an item, before and after its answer."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from studyattn.packs.card_kinds import kind_named
from studyattn.tui.widgets.header_footer import Hint, hint

if TYPE_CHECKING:
    from studyattn.study.review.views import RenderedCard


def front_hints(shown: RenderedCard | None) -> Iterator[Hint]:
    """Yield what a question may ask for besides its answer: a line to write, a drill."""
    if shown is None:
        return
    if shown.takes_input:
        yield hint("review.write")
    if shown.drill_id is not None:
        yield hint("review.drill")
    elif kind_named(shown.card_kind).explained:
        yield hint("review.drill", "explain it")


def card_hints(shown: RenderedCard | None, *, media: bool) -> Iterator[Hint]:
    """Yield what can be done with an item; `media` if a picture or sound of it can be opened."""
    yield hint("review.undo")
    if shown is not None and shown.extra.get("examples"):
        yield hint("review.example")
    elif shown is not None and shown.extra.get("lab"):
        yield hint("review.example", "cost lab")
    if media:
        yield hint("review.media")
    yield hint("review.explain")
    if shown is not None and shown.brought_back:
        yield hint("review.let_go")
    if shown is not None and shown.drill_id is None:
        yield hint("review.edit")
    for name in ("info", "bury", "suspend", "mark", "tags", "note"):
        yield hint(f"review.{name}")
