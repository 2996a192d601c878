"""The learner's notes: a list, and the chosen one beside it with its links."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.content import Content

from studyattn.study.notes.note_links import concept_names, views_of
from studyattn.study.notes.notes import count_notes, list_notes, put_back, remove_note
from studyattn.text.characters import without_controls
from studyattn.tui.actions import Scope
from studyattn.tui.dialogs.text_page import PageScreen
from studyattn.tui.formatting import count, pad, paragraph
from studyattn.tui.screens.base import queued
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.rendered_text import face, line

if TYPE_CHECKING:
    from studyattn.store.queries.notes import NoteView
    from studyattn.study.profile import Profile
    from studyattn.text.links import Names

LIMIT: Final = 200
"""Notes listed, the last changed; search finds the others."""
_LONGEST_SHOWN: Final = 20_000
"""Characters of a note that are shown beside the list."""


_NONE_YET: Final = """\
No notes yet. Press a here or n during a review to write one.

A note is your own text in Markdown. [[Double brackets]] link it to a
concept, whose page then lists it. Press f4 to turn a passage into a
card. Every version of a note is kept. For example:

  # Why divide by √d
  The scores of random vectors have a variance of $d$, so that
  softmax picks one key. See [[scaling]]."""


class NotesScreen(ListDetailScreen["NoteView"]):
    """The last changed note first."""

    SCOPE = Scope.NOTES

    def __init__(self) -> None:
        super().__init__()
        self._total = 0
        self._names: Names | None = None
        self._removed: list[NoteView] = []
        self._is_adding = False

    async def load(self, choose: str | None = None) -> None:
        def read(profile: Profile) -> tuple[list[NoteView], int, Names]:
            return list_notes(profile, limit=LIMIT), count_notes(profile), concept_names(profile)

        notes, self._total, self._names = await self.database.run_with_profile(read)
        if self._is_adding and notes:
            choose = str(notes[0].id)
        self._is_adding = False
        self.show({str(note.id): note for note in notes}, choose)

    def heading(self) -> tuple[str, str]:
        more = f"the last {LIMIT} of {self._total:,} notes"
        return "Notes", more if self._total > LIMIT else count(self._total, "note")

    def empty(self) -> str:
        return _NONE_YET

    def draw_rows(self, width: int) -> Iterable[Content]:
        days = self.days()
        for note in self.rows.values():
            changed = days.date_of(note.updated_at)
            about = without_controls(self._about(note))
            words = [line(note.title), "  " if about else "", (about, "$quiet")]
            room = max(12, width - len(changed) - 2)
            yield Content.assemble(pad(Content.assemble(*words), room), "  ", (changed, "$quiet"))

    def _about(self, note: NoteView) -> str:
        """Return the title of the source or the concept that the note is tied to."""
        if note.source or note.concept is None:
            return note.source or ""
        found = self._names.find(note.concept) if self._names is not None else None
        return found.title if found is not None else note.concept

    def draw_detail(self, item: NoteView, width: int) -> Content:
        """Return the note as it reads, and what it links to."""
        note = item
        text = face(note.body[:_LONGEST_SHOWN], width, self.services.look, self._names)
        blocks = []
        if len(note.body) > _LONGEST_SHOWN:
            blocks.append(
                Content.styled(f"{len(note.body):,} characters, beginning with:", "$quiet")
            )
        blocks.append(Content.from_rich_text(text))
        found = views_of(note.body[:_LONGEST_SHOWN], self._names) if self._names else ()
        links = [
            Content.assemble("→ ", view.title)
            if view.title
            else Content.assemble(("✗ ", "$wrong"), view.target, ("  no such concept", "$quiet"))
            for view in found
        ]
        if links:
            rows = [part for link in links for part in paragraph(link, max(20, width))]
            heading = Content.styled("Links", "$accent bold")
            blocks.append(Content("\n").join([heading, *rows]))
        return Content("\n\n").join(blocks)

    def hints(self) -> Iterable[Hint]:
        yield hint("notes.new")
        if self.rows:
            yield hint("notes.open")
            if self.has_class("-narrow"):
                yield hint("notes.read")
            yield hint("notes.versions")
            yield hint("notes.remove")
        if self._removed:
            yield hint("notes.undo")
        yield hint("find")
        yield hint("back")

    def action_open(self) -> None:
        """Open the chosen note, to read and to write."""
        chosen = self.chosen
        if chosen is not None:
            self.go("note", chosen.id)

    def action_add(self) -> None:
        """Write a new note, which is chosen when the list comes back."""
        self._is_adding = True
        self.go("note")

    def action_read(self) -> None:
        """Read the chosen note on a page of its own."""
        chosen = self.chosen
        if chosen is not None:
            self.app.push_screen(PageScreen(chosen.title, partial(self.draw_detail, chosen)))

    def action_versions(self) -> None:
        """Open the chosen note's earlier versions."""
        chosen = self.chosen
        if chosen is not None:
            self.go("versions", chosen.id)

    @queued
    async def action_remove(self) -> None:
        """Remove the chosen note; it can be put back."""
        chosen = self.chosen
        if chosen is None:
            return
        removed = await self.database.run_with_profile(partial(remove_note, number=chosen.id))
        self._removed.append(removed)
        await self.load()
        self.show_hints("removed")

    @queued
    async def action_undo(self) -> None:
        """Put the note back that was removed last."""
        if not self._removed:
            self.show_hints("no removed note to restore")
            return
        note = self._removed[-1]
        await self.database.run_with_profile(partial(put_back, note=note))
        self._removed.pop()
        await self.load(str(note.id))
        self.show_hints("put back")
