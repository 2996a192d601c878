"""The learner's notes: a list, the chosen one beside it, and a place to write."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.actions import Place
from studyattn.tui.layout import count, pad, short_date
from studyattn.tui.screens.base import READING_WIDTH, WIDE, StudyScreen
from studyattn.tui.screens.editor import EditorScreen, Field, Written
from studyattn.tui.screens.page import PageScreen
from studyattn.tui.widgets.face import face
from studyattn.tui.widgets.lines import Hint, hint

if TYPE_CHECKING:
    from studyattn.study.learner import Learner
    from studyattn.study.notes import NoteView


class NotesScreen(StudyScreen):
    """The last changed note first."""

    PLACE = Place.NOTES
    CSS_PATH = "notes.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self._notes: dict[str, NoteView] | None = None

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            yield OptionList(id="notes")
            with VerticalScroll(id="beside", can_focus=False):
                yield Static(id="note", markup=False)
        yield Static(id="empty", markup=False)

    async def load(self) -> None:
        def read(learner: Learner) -> list[NoteView]:
            from studyattn.study.notes import list_notes

            return list_notes(learner)

        notes = await self.study.desk.ask(read)
        self._notes = {str(note.id): note for note in notes}
        self._fill()
        self._options.focus()

    @property
    def _options(self) -> OptionList:
        return self.query_one("#notes", OptionList)

    @property
    def _chosen(self) -> NoteView | None:
        option = self._options.highlighted_option
        return (self._notes or {}).get(option.id) if option is not None and option.id else None

    def _fill(self) -> None:
        notes = self._notes or {}
        options, before = self._options, self._options.highlighted
        width = self.width_in(options)
        day = self.study.local_day()
        options.clear_options()
        options.add_options(
            [
                Option(_row(note, width, short_date(note.updated_at.date(), day)), id=number)
                for number, note in notes.items()
            ]
        )
        if notes:
            options.highlighted = min(before or 0, len(notes) - 1)
        self.draw()

    def draw(self) -> None:
        notes = self._notes
        self.headline("Notes", count(len(notes), "note") if notes else "")
        empty = self.query_one("#empty", Static)
        empty.display = notes == {}
        self.query_one(Horizontal).display = bool(notes)
        empty.update(
            Content("No notes yet. Press a to write one, or n while you review.")
            if notes == {}
            else ""
        )
        chosen = self._chosen
        width = min(READING_WIDTH, self.query_one("#beside").content_size.width - 1)
        self.query_one("#note", Static).update(
            face(chosen.body, width, self.study.look) if chosen else ""
        )

    def on_resize(self) -> None:
        if self.is_mounted and self._notes:
            self.call_after_refresh(self._fill)

    def hints(self) -> Iterable[Hint]:
        yield hint("notes.new")
        if self._notes:
            if self.has_class("-narrow"):
                yield hint("notes.open")
            yield hint("notes.edit")
        yield hint("back")

    @on(OptionList.OptionHighlighted)
    def _show_note(self) -> None:
        self.draw()
        self.query_one("#beside", VerticalScroll).scroll_home(animate=False)

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self.action_open()

    def action_open(self) -> None:
        """Read the chosen note on a page of its own."""
        chosen = self._chosen
        if chosen is not None:
            look = self.study.look
            self.app.push_screen(
                PageScreen(chosen.title, lambda width: face(chosen.body, width, look))
            )

    def action_add(self) -> None:
        """Write a new note."""
        self._write("New note", None)

    def action_edit(self) -> None:
        """Write the chosen note anew."""
        chosen = self._chosen
        if chosen is not None:
            self._write("Edit the note", chosen)

    def _write(self, heading: str, note: NoteView | None) -> None:
        def save(written: Written | None) -> None:
            if written is not None and (written["title"].strip() or written["body"].strip()):
                self.do(partial(self._save, note, written))

        fields = (
            Field("title", "Title (may stay empty)", note.title if note else ""),
            Field("body", "Text, in Markdown", note.body if note else "", 14),
        )
        self.app.push_screen(EditorScreen(heading, *fields), save)

    async def _save(self, note: NoteView | None, written: Written) -> None:
        def write(learner: Learner) -> None:
            from studyattn.study import notes

            if note is None:
                notes.add_note(learner, written["body"], title=written["title"])
            else:
                notes.edit_note(learner, note.id, written["body"], title=written["title"])

        await self.study.desk.ask(write)
        await self.load()
        self.show_hints("saved")


def _row(note: NoteView, width: int, changed: str) -> Content:
    about = note.concept or note.source or ""
    room = max(12, width - len(changed) - 2)
    title = Content.assemble(note.title, "  " if about else "", (about, "$quiet"))
    return Content.assemble(pad(title, room), "  ", (changed, "$quiet"))
