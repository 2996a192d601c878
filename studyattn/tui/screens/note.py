"""One note, to read and to write: it saves itself, and shows its mathematics as it is written.

And a document that was imported, to read: with its preview, notes on it and cards made of it.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import ClassVar, Final

from textual import on
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.getters import query_one
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from studyattn.errors import InputError, StoreError
from studyattn.store.queries.notes import NoteView
from studyattn.store.queries.sources import SourceText
from studyattn.study.concepts.board import list_concepts
from studyattn.study.notes.edit_session import NoteEditSession
from studyattn.study.notes.note_links import concept_names, views_of
from studyattn.study.notes.notes import (
    About,
    list_sources,
    own_title,
    set_about,
    show_note,
    show_source,
)
from studyattn.study.notes.own_cards import SelectedPassage, make_card, suggested_concept
from studyattn.study.profile import Profile
from studyattn.text.links import Names
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.dialogs.editor import Field, Written
from studyattn.tui.formatting import READING_WIDTH, clip, count
from studyattn.tui.screens.base import WIDE, StudyScreen, need, queued
from studyattn.tui.widgets.header_footer import Offers, TextLine
from studyattn.tui.widgets.rendered_text import face
from studyattn.tui.widgets.text_areas import LONGEST_LINE, ChosenText, NoteEditor, fits, shown

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
        with Horizontal(id="panes"):
            self.text = NoteEditor(read_only=self.READ_ONLY, id="text")
            yield self.text
            with VerticalScroll(id="preview"):
                yield Static(id="drawing", markup=False)

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
        text = self.text.text
        is_part = len(text) > _PREVIEWED
        if is_part:
            row, column = self.text.cursor_location
            at = sum(len(self.text.document[each]) + 1 for each in range(row)) + column
            begin = text.rfind("\n\n", 0, max(0, at - _PREVIEWED // 4)) + 1
            begin = max(begin, at - _PREVIEWED // 2, 0)
            text = text[begin : begin + _PREVIEWED]
        drawn = face(text, min(READING_WIDTH, room), self.names)
        if is_part:
            drawn = drawn.copy()
            drawn.append("\n\n… the part around the cursor", "dim")
        self.query_one("#drawing", Static).update(drawn)
        self.call_after_refresh(self._follow_cursor)

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

    async def keep(self) -> None:
        """Write what is typed to the database: a card that is made of it needs it there."""

    async def _write_card(self, chosen: ChosenText, front: str, back: str) -> None:
        await self.keep()
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


SAVE_EVERY: Final = 1.0  # seconds between two looks at whether something was written


class NoteScreen(PassageScreen, global_keys=False):
    """A note by its number, or a new one. Escape saves and leaves."""

    SCOPE = "A note"

    def __init__(
        self, number: int | None = None, about: About | None = None, explanation: str = ""
    ) -> None:
        """Open a note, or a new one; `explanation` shows in a new note until text is written."""
        super().__init__()
        self._explanation = explanation
        self._number = number
        self._about = about
        self._session: NoteEditSession | None = None
        self._saved: tuple[str, str] = ("", "")  # title and text as this screen last saved them
        self._unsaved = ""  # why what is written could not be saved
        self._is_too_long = False

    def body(self) -> Iterable[Widget]:
        self._title = TextLine(
            placeholder="title (default: the first line)",
            select_on_focus=False,
            compact=True,
            id="title",
        )
        yield self._title
        yield from super().body()

    def on_mount(self) -> None:
        if self._number is None:  # what is typed before the home has answered is written already
            self.text.focus()

    async def load(self) -> None:
        if self._session is not None:  # back from another screen, which may have changed it
            note = self.note
            if note is not None and self._written == self._saved:
                with suppress(InputError):  # removed elsewhere: the next save makes it again
                    now = await self.study(show_note, number=note.id)
                    if (now.title, now.body) != (note.title, note.body):
                        self._adopt(now)
                self.draw()
            return

        session = await self.study(NoteEditSession, self._number, self._about)
        self.text.names = self.names = await self.study(concept_names)
        self._session = session
        self.text.placeholder = self._explanation
        if session.note is not None:
            self._show(session.note)
        self.set_interval(SAVE_EVERY, self._look)
        self.text.focus()
        self.redraw()

    @property
    def note(self) -> NoteView | None:
        return self._session.note if self._session else None

    @property
    def _written(self) -> tuple[str, str]:
        return self._title.value, self.text.text

    def _show(self, note: NoteView) -> None:
        """Fill the fields with the note; a title that is its first line is left out."""
        self._is_too_long = not fits(note.body)
        self._title.value = shown(own_title(note))
        self.text.read_only = self._is_too_long
        self.text.begin(shown(note.body)[: LONGEST_LINE if self._is_too_long else None])
        self._saved = self._written

    def draw(self) -> None:
        super().draw()
        self._draw_headline()

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _draw_headline(self) -> None:
        note = self.note
        title = clip(shown(note.title), self.size.width // 2).plain if note else "New note"
        if self._unsaved:
            self.headline(title, Content.styled(f"✗ not saved: {self._unsaved}", "$wrong"))
            return
        parts = [f"on {place}"] if (place := self._place) else []
        if self._is_too_long:
            parts.append("only the beginning; ^o opens all of it")
        elif self._written != self._saved:
            parts.append("…")
        elif note is not None:
            parts.append("✓ saved")
        self.headline(title, "   ".join(parts))

    @property
    def _place(self) -> str | None:
        """The title of what the note is about."""
        if self.note is not None and self.note.source:
            return self.note.source
        about = self.note or self._about
        concept = about.concept if about else None
        found = self.names.find(concept) if concept and self.names is not None else None
        return found.title if found else concept

    def hints(self) -> Offers:
        if self._is_too_long:
            return ("outside back versions about",)
        others = "card cloze links versions about outside"
        return ("preview", ("back", "save and leave"), others)

    # Saving.

    def _look(self) -> None:
        if self._written != self._saved:
            self.do(self.keep)

    async def keep(self) -> None:
        """Write what is typed; a failure is shown on the first line and tried again."""
        written = self._written
        is_new = written != self._saved and "".join(written).strip()
        if self._session is None or self._is_too_long or not is_new:
            return
        try:
            saved = await self.database.run(self._session.save, *written)
        except (InputError, StoreError) as error:
            self._unsaved = str(error)
        else:
            self._saved, self._unsaved = written, ""
            if saved.elsewhere is not None:  # taken over if nothing was typed here meanwhile
                if not saved.changed and saved.note is not None and self._written == written:
                    self._adopt(saved.note)
                self.show_hints(saved.elsewhere.value)
        self._draw_headline()

    def _adopt(self, note: NoteView) -> None:
        if self._session is not None:
            self._session.adopt(note)
        self._show(note)

    async def action_save(self) -> None:
        await self.keep()
        if not self._unsaved:
            self.show_hints("saved" if self.note else "nothing written yet")

    @queued
    async def action_back(self) -> None:
        if not await self._finish():
            return
        if self.app.screen is self:
            self.services.back()

    async def _finish(self) -> bool:
        """The last save; whether the screen can go."""
        written = self._written
        if self._is_too_long or written == self._saved:
            return True
        session = self._session
        if session is None and self._number is None:  # left before the home had answered
            session = self._session = await self.study(NoteEditSession, None, self._about)
        if session is not None:
            try:
                await self.database.run(session.close, *written)
            except InputError as error:
                self.services.show_error(error)
                return False
            self._saved = written
        return True

    async def on_unmount(self) -> None:
        """Keep what was written, also when the app quits."""
        await self._finish()

    async def action_outside(self) -> None:
        note = self.note
        text = note.body if self._is_too_long and note else self.text.text
        written = await self.services.edit_text(text)
        if written == text:
            return
        if fits(written) and not self._is_too_long:
            self.text.take(written)
        elif (session := self._session) is not None:  # too long to be written here
            await self.database.run(session.save, self._title.value, written)
            if session.note is not None:
                self._show(session.note)
            self.redraw("saved")

    # What it is tied to.

    def passage(self, row: int) -> SelectedPassage:
        note = self.note
        return SelectedPassage(
            note=note.guid if note else None,
            source=note.source_guid if note else None,
            concept=note.concept if note else None,
            text=self.text.text,
            line=row + 1,
        )

    def action_links(self) -> None:
        found = views_of(self.text.text, self.names) if self.names is not None else ()
        views = need(found, "no links yet; type [[ and a concept's name to add one")
        choices = {
            view.slug or f"?{view.target}": view.title or f"{view.target}   (no such concept)"
            for view in views
        }

        async def follow(slug: str) -> None:
            if slug.startswith("?"):
                self.show_hints(f"there is no concept {slug[1:]!r}")
            else:
                await self.keep()
                self.go("concept", slug)

        self.ask(PickScreen("Links of this note", choices), follow)

    async def action_about(self) -> None:
        def read(profile: Profile) -> dict[str, str]:
            concepts = {f"c{line.slug}": line.title for line in list_concepts(profile)}
            sources = {f"s{each.guid}": f"source: {each.title}" for each in list_sources(profile)}
            return {"-": "nothing", **concepts, **sources}

        choices = await self.study(read)
        self.ask(PickScreen("What is the note about?", choices), self._be_about)

    async def _be_about(self, choice: str) -> None:
        about = About(
            concept=choice[1:] if choice[0] == "c" else None,
            source=choice[1:] if choice[0] == "s" else None,
        )
        await self.keep()
        note = self.note
        if note is None:
            self._about = about
            self._session = await self.study(NoteEditSession, None, about)
        elif self._session is not None:
            changed = await self.study(set_about, note.id, about)
            self._session.adopt(changed)
        self.draw()

    async def action_versions(self) -> None:
        await self.keep()
        self.go("versions", need(self.note, "nothing written yet").id)


SHOWN: Final = 500_000  # characters of a document that are shown; it says so when there are more
_LONG_LINE: Final = re.compile(rf"([^\n]{{{LONGEST_LINE}}})")
"""A part that is shown as a line of its own, since longer lines make every key slow."""


class SourceScreen(PassageScreen, global_keys=False):
    """A document, opened at the first place that has the words `looked_for`."""

    SCOPE = "A source"
    HINTS = ("preview card cloze note more back",)
    READ_ONLY: ClassVar = True

    def __init__(self, guid: str, looked_for: str = "") -> None:
        super().__init__()
        self._guid = guid
        self._looked_for = looked_for
        self._source: SourceText | None = None

    async def load(self) -> None:
        if self._source is not None:
            return

        self._source = source = await self.study(show_source, self._guid)
        self.names = await self.study(concept_names)
        text = _LONG_LINE.sub(r"\1\n", shown(source.text[:SHOWN]))
        self.text.begin(text)
        at = text.casefold().find(self._looked_for.casefold()) if self._looked_for else 0
        if at > 0:
            self.text.go_to(at)
        self.text.focus()
        self.redraw()

    def draw(self) -> None:
        super().draw()
        source = self._source
        if source is None:
            self.headline("Source")
            return
        cut = f"the first {SHOWN:,} characters of " if len(source.text) > SHOWN else ""
        self.headline(source.title, f"{cut}{source.path}")

    def studied(self) -> str:
        """Return a search for the cards that came from this document."""
        return f"source:{self._guid}"

    def passage(self, row: int) -> SelectedPassage:
        return SelectedPassage(source=self._guid, text=self.text.text, line=row + 1)

    def action_note(self) -> None:
        self.go("note", about=About(source=self._guid))
