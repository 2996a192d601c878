"""Dialogs about one card: its two faces, the facts about it, and its text to edit."""

from __future__ import annotations

from datetime import date
from functools import partial
from typing import ClassVar

from textual.binding import Binding, BindingType

from studyattn.store.tags import FLAGS
from studyattn.study.review.views import RenderedCard
from studyattn.tui.dialogs.editor import EditorScreen, Field
from studyattn.tui.dialogs.text_page import PageScreen
from studyattn.tui.theme import Look
from studyattn.tui.widgets import card_face


class CardPage(PageScreen):
    """Both faces of a card, and the way to what explains it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("g", "screen.explain", "Read the explanation", show=False)
    ]
    KEYS: ClassVar = (("g", "explanation"), *PageScreen.KEYS)

    def __init__(self, shown: RenderedCard, look: Look) -> None:
        super().__init__(shown.concept_title, lambda width: card_face.both(shown, width, look))
        self._shown = shown

    def action_explain(self) -> None:
        """Read the explanation of its concept; escape comes back to the card."""
        shown = self._shown
        self.services.go("concept", shown.concept_slug, explains=True, item=shown.guid)


def card_page(shown: RenderedCard, look: Look) -> PageScreen:
    """Return a page with both faces of a card."""
    return CardPage(shown, look)


def facts_page(shown: RenderedCard, today: date, utc_offset: int) -> PageScreen:
    """Return a page with the origin of an item, its memory and its links."""
    return PageScreen("About this card", partial(card_face.about, shown, today, utc_offset))


def card_editor(shown: RenderedCard) -> EditorScreen:
    """Return an editor of a card's `front` and `back`, as they are stored."""
    front, back = shown.written
    fields = (Field("front", "Front", front, 6), Field("back", "Back", back, 12))
    return EditorScreen("Edit the card", *fields)


def tags_editor(shown: RenderedCard) -> EditorScreen:
    """Return an editor of a card's `tags`, with spaces between them."""
    return EditorScreen(
        "Tags",
        Field("tags", "", " ".join(shown.tags)),
        explanation=f"With spaces between them. Flags are {', '.join(FLAGS)}.",
    )
