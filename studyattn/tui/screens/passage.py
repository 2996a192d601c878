"""A text with its preview beside it, and cards made of a passage: what notes and sources share."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from functools import partial
from typing import ClassVar, Final

from textual import on
from textual.containers import Horizontal, VerticalScroll
from textual.getters import query_one
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static, TextArea

from studyattn.study.notes.own_cards import SelectedPassage, make_card, suggested_concept
from studyattn.text.links import Names
from studyattn.tui.dialogs.editor import Field, Written
from studyattn.tui.formatting import READING_WIDTH, count
from studyattn.tui.screens.base import WIDE, StudyScreen, need
from studyattn.tui.widgets.rendered_text import face
from studyattn.tui.widgets.text_areas import ChosenText, NoteEditor

_PREVIEW_DELAY: Final = 0.12  # seconds without a key after which the preview is drawn anew
_PREVIEWED: Final = 20_000
"""Characters that are previewed at a time; of a longer text the part around the cursor."""


class PassageScreen(StudyScreen, global_keys=False, wide=WIDE):
    """Text left and preview right where the terminal is wide, else one of them.

    A subclass says in `passage` where its text comes from.
    """

    text: NoteEditor
    """Kept by itself, since it is asked for its content also when the screen is taken down."""

    READ_ONLY: ClassVar[bool] = False
    _preview = query_one("#preview", VerticalScroll)
    names: Names | None = None
    _previews: bool | None = None  # as the learner wants it; None: where there is room
    _preview_timer: Timer | None = None

    def body(self) -> Iterable[Widget]:
        yield from self.above()
        with Horizontal(id="panes"):
            self.text = NoteEditor(read_only=self.READ_ONLY, id="text")
            yield self.text
            with VerticalScroll(id="preview"):
                yield Static(id="drawing", markup=False)

    def above(self) -> Iterable[Widget]:
        return ()

    @abstractmethod
    def passage(self, row: int) -> SelectedPassage:
        """Return where a card made of this line (from 0) comes from."""

    # The preview.

    @property
    def _previewed(self) -> bool:
        wide = self.size.width >= WIDE
        return wide if self._previews is None else self._previews

    def draw(self) -> None:
        self._preview.display = self._previewed
        self.text.display = self.size.width >= WIDE or not self._previewed
        if self._previewed:
            self.call_after_refresh(self._draw_preview)

    def _draw_preview(self) -> None:
        room = self._preview.content_size.width - 1
        if room <= 0:
            return
        part, is_part = self._part_to_preview()
        drawn = face(part, min(READING_WIDTH, room), self.names)
        if is_part:
            drawn = drawn.copy()
            drawn.append("\n\n… the part around the cursor", "dim")
        self.query_one("#drawing", Static).update(drawn)
        self.call_after_refresh(self._follow_cursor)

    def _part_to_preview(self) -> tuple[str, bool]:
        text = self.text.text
        if len(text) <= _PREVIEWED:
            return text, False
        at = self.text.offset_of_cursor
        begin = text.rfind("\n\n", 0, max(0, at - _PREVIEWED // 4)) + 1
        begin = max(begin, at - _PREVIEWED // 2, 0)
        return text[begin : begin + _PREVIEWED], True

    def _follow_cursor(self) -> None:
        """Keep in view what belongs to the line of the cursor, roughly."""
        lines = max(1, self.text.document.line_count - 1)
        if self.text.has_focus and len(self.text.text) <= _PREVIEWED:
            row = self.text.cursor_location[0]
            self._preview.scroll_to(
                y=round(self._preview.max_scroll_y * row / lines), animate=False
            )

    @on(TextArea.SelectionChanged)
    def _cursor_moved(self) -> None:
        if len(self.text.text) > _PREVIEWED:
            self._preview_soon()
        elif self._previewed:
            self._follow_cursor()

    @on(TextArea.Changed)
    def _preview_soon(self) -> None:
        if not self._previewed:
            return
        if self._preview_timer is not None:
            self._preview_timer.stop()
        self._preview_timer = self.set_timer(_PREVIEW_DELAY, self._draw_preview)

    def action_preview(self) -> None:
        self._previews = not self._previewed
        self.draw()
        if self.text.display:
            self.text.focus()
        else:
            self._preview.focus()
        self.show_hints()

    # Cards.

    def action_card(self) -> None:
        chosen = self.text.chosen()
        need(chosen.text, "no text here to make a card from")
        self.do(partial(self._write_card, chosen, "", chosen.text))

    def action_cloze(self) -> None:
        chosen = self.text.chosen()
        told = "first select the words for the gap (shift + arrow keys)"
        need(chosen.is_selected and chosen.text, told)
        paragraph, start, end = chosen.paragraph
        gap = paragraph[start:end]
        inner = gap.strip()
        begin = start + gap.index(inner)
        marked = f"{paragraph[:begin]}=={inner}=={paragraph[begin + len(inner) :]}"
        self.do(partial(self._write_card, chosen, marked.strip(), ""))

    async def kept(self) -> None:
        """Hook: before a card is made, its passage has to be in the database."""

    async def _write_card(self, chosen: ChosenText, front: str, back: str) -> None:
        await self.kept()
        passage = self.passage(chosen.row)

        concept = await self.study(suggested_concept, passage)
        fields = (
            Field("front", "Question, or text with ==gaps==", front, 5),
            Field("back", "Answer", back, 5),
            Field("concept", "Concept, by slug or title", concept),
        )
        self.write("Your own card", *fields, then=partial(self._make_card, passage))

    async def _make_card(self, passage: SelectedPassage, written: Written) -> None:
        guids = await self.study(make_card, **written, passage=passage)
        self.show_hints(f"{count(len(guids), 'card')} made")
