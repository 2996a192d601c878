"""The learner's notes and the versions of one: a list, and the chosen one beside it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from rich.text import Text
from textual.content import Content

from studyattn.store.queries.notes import NoteView
from studyattn.study.notes.note_links import concept_names, views_of
from studyattn.study.notes.notes import (
    NoteVersion,
    count_notes,
    difference,
    list_notes,
    put_back,
    remove_note,
    restore_version,
    versions,
)
from studyattn.text.characters import without_controls
from studyattn.text.links import Names
from studyattn.tui.dialogs.dialog import PageScreen
from studyattn.tui.formatting import Lines, count, join_lines, pad, paragraph, time_of_day
from studyattn.tui.screens.base import need
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.header_footer import Offers
from studyattn.tui.widgets.rendered_text import face, line

LIMIT: Final = 200  # notes listed, the last changed; search finds the others
_LONGEST: Final = 20_000  # characters of a note that are shown beside the list


_NONE_YET: Final = """\
No notes yet. Press n here or during a review to write one.

A note is your own text in Markdown:

  # Why divide by √d
  Random scores have a variance of $d$, so that
  softmax picks one key. See [[scaling]].

[[Double brackets]] link it to a concept's page.
f4 turns a passage into a card. Every version is kept."""


class NotesScreen(ListDetailScreen["NoteView"]):
    """The last changed note first."""

    SCOPE = "Notes"
    EMPTY = _NONE_YET
    _total = 0
    _names: Names | None = None
    _removed: tuple[NoteView, ...] = ()
    _is_adding = False

    async def load(self, choose: str | None = None) -> None:
        notes = await self.study(list_notes, limit=LIMIT)
        self._total = await self.study(count_notes)
        self._names = await self.study(concept_names)
        if self._is_adding and notes:
            choose = str(notes[0].id)
        self._is_adding = False
        self.show({str(note.id): note for note in notes}, choose)

    def heading(self) -> tuple[str, str]:
        more = f"the last {LIMIT} of {self._total:,} notes"
        return "Notes", more if self._total > LIMIT else count(self._total, "note")

    def draw_rows(self, width: int) -> Iterable[Content]:
        days = self.days()
        for note in self.rows.values():
            changed = days.date_of(note.updated_at)
            about = note.source or note.concept or ""
            if not note.source and self._names and (found := self._names.find(about)):
                about = found.title
            about = without_controls(about)
            words = [line(note.title), "  " if about else "", (about, "$quiet")]
            room = max(12, width - len(changed) - 2)
            yield Content.assemble(pad(Content.assemble(*words), room), "  ", (changed, "$quiet"))

    def draw_detail(self, item: NoteView, width: int) -> Content:
        """Return the note as it reads, and what it links to."""
        body = item.body[:_LONGEST]
        cut = f"{len(item.body):,} characters, beginning with:"
        blocks = [Content.styled(cut, "$quiet")] if len(item.body) > _LONGEST else []
        blocks.append(Content.from_rich_text(face(body, width, self._names)))
        found = views_of(body, self._names) if self._names else ()
        links = [
            Content.assemble("→ ", view.title)
            if view.title
            else Content.assemble(("✗ ", "$wrong"), view.target, ("  no such concept", "$quiet"))
            for view in found
        ]
        if links:
            rows = [part for link in links for part in paragraph(link, max(20, width))]
            blocks.append(join_lines([Content.styled("Links", "$accent bold"), *rows]))
        return Content("\n\n").join(blocks)

    def hints(self) -> Offers:
        opens = bool(self.rows) and "open"
        reads = bool(self.rows) and self.has_class("-narrow") and "read"
        others = bool(self.rows) and "versions remove"
        return ("new", opens, reads, others, bool(self._removed) and "undo", "find back")

    def action_open(self) -> None:
        self.go("note", need(self.chosen).id)

    def action_add(self) -> None:
        self._is_adding = True
        self.go("note")

    def action_read(self) -> None:
        chosen = need(self.chosen)
        self.app.push_screen(PageScreen(chosen.title, partial(self.draw_detail, chosen)))

    def action_versions(self) -> None:
        self.go("versions", need(self.chosen).id)

    async def action_remove(self) -> None:
        removed = await self.study(remove_note, number=need(self.chosen).id)
        self._removed += (removed,)
        await self.load()
        self.show_hints("removed")

    async def action_undo(self) -> None:
        note = need(self._removed, "no removed note to restore")[-1]
        await self.study(put_back, note=note)
        self._removed = self._removed[:-1]
        await self.load(str(note.id))
        self.show_hints("put back")


_LONGEST_COMPARED = 200_000
_LINES = 400


class VersionsScreen(ListDetailScreen[NoteVersion], global_keys=False):
    """The list, and below or beside it the chosen version."""

    SCOPE = "A note's versions"
    SCROLLS = True

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._names: Names | None = None
        self._compares = False
        self._before: int | None = None  # the version that a restore replaced

    async def load(self) -> None:
        found = await self.study(versions, self._number)
        self._names = await self.study(concept_names)
        self.show({str(version.number): version for version in found})

    @property
    def _current(self) -> NoteVersion | None:
        return next(iter(self.rows.values()), None)

    def heading(self) -> tuple[str, str]:
        title = self._current.title if self._current else ""
        tally = count(len(self.rows), "version") if self.rows else ""
        return f"Versions of {title}" if title else "Versions", tally

    def draw_rows(self, _width: int) -> Iterable[Content]:
        days = self.days()
        for version in self.rows.values():
            at = version.at
            when = f"{days.date_of(at)}  {time_of_day(at, days.utc_offset)}" if at else "?"
            name = "now" if version.is_current else f"{version.number}"
            size = f"{version.size:,} characters"
            yield Content.assemble(pad(name, 4, right=True), "  ", pad(when, 18), (size, "$quiet"))

    def draw_detail(self, item: NoteVersion, width: int) -> Content | Text:
        """Return the version, or how what the note says now differs from it."""
        now = self._current
        if not self._compares or now is None or item.is_current:
            return face(item.body[:_LONGEST], width, self._names)
        page = Lines(width)
        if max(item.size, now.size) > _LONGEST_COMPARED:
            page.quiet("The versions are too long to compare here.")
            return page.content
        for row in difference(item, now)[:_LINES]:
            style = {"+": "$right", "-": "$wrong", "@": "$quiet"}.get(row[:1], "")
            page.wrap("⋯" if row.startswith("@@") else without_controls(row), style)
        if not page.lines:
            page.quiet("No difference from the current text.")
        return page.content

    def hints(self) -> Offers:
        earlier = self.chosen is not None and not self.chosen.is_current
        compare = ("compare", "text" if self._compares else "diff with current")
        undo = self._before is not None and "undo"
        return (earlier and "restore", earlier and compare, undo, "back")

    def action_compare(self) -> None:
        self._compares = not self._compares
        self.redraw()

    def action_restore(self) -> None:
        chosen, current = self.chosen, self._current
        if chosen is None or current is None or chosen.is_current:
            self.show_hints("this is the current text")
            return
        self.do(partial(self._restore, chosen.number, current.number))

    def action_undo(self) -> None:
        self.do(partial(self._restore, need(self._before, "nothing to undo"), None))

    async def _restore(self, number: int, before: int | None) -> None:
        await self.study(restore_version, self._number, number)
        self._before = before
        self.options.highlighted = None  # what the note says now is chosen
        await self.load()
        self.show_hints(
            "restored; the previous text is kept as a version" if before else "taken back"
        )
