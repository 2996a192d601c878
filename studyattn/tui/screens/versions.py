"""What a note said before: every version, itself or as the diff with current, and going back."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text
from textual.content import Content

from studyattn.study.notes.note_links import concept_names
from studyattn.study.notes.note_versions import (
    NoteVersion,
    difference,
    restore_version,
    versions,
)
from studyattn.text.characters import without_controls
from studyattn.tui.actions import Scope
from studyattn.tui.formatting import (
    count,
    join_lines,
    pad,
    paragraph,
    time_of_day,
)
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.rendered_text import face

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.text.links import Names

_LONGEST_SHOWN = 20_000
"""Characters of a version, and lines of a difference, that are shown."""
_LONGEST_COMPARED = 200_000
_LINES = 400


class VersionsScreen(ListDetailScreen[NoteVersion], global_keys=False):
    """The list, and below or beside it the chosen version."""

    SCOPE = Scope.VERSIONS
    SCROLLS = True

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._names: Names | None = None
        self._compares = False
        self._before: int | None = None  # the version that a restore replaced

    async def load(self) -> None:
        def read(profile: Profile) -> tuple[tuple[NoteVersion, ...], Names]:
            return versions(profile, self._number), concept_names(profile)

        found, self._names = await self.database.run_with_profile(read)
        self.show({str(version.number): version for version in found})

    @property
    def _current(self) -> NoteVersion | None:
        return next(iter(self.rows.values()), None)

    def heading(self) -> tuple[str, str]:
        title = self._current.title if self._current else ""
        tally = count(len(self.rows), "version") if self.rows else ""
        return f"Versions of {title}" if title else "Versions", tally

    def draw_rows(self, width: int) -> Iterable[Content]:
        del width
        days = self.days()
        for version in self.rows.values():
            at = version.at
            when = f"{days.date_of(at)}  {time_of_day(at, days.utc_offset)}" if at else "?"
            name = "now" if version.is_current else f"{version.number}"
            size = f"{version.size:,} characters"
            yield Content.assemble(pad(name, 4, right=True), "  ", pad(when, 18), (size, "$quiet"))

    def draw_detail(self, item: NoteVersion, width: int) -> Content | Text:
        """Return the version, or how what the note says now differs from it."""
        if self._compares and self._current is not None and not item.is_current:
            return _difference(item, self._current, width)
        return face(item.body[:_LONGEST_SHOWN], width, self.services.look, self._names)

    def hints(self) -> Iterable[Hint]:
        chosen = self.chosen
        if chosen is not None and not chosen.is_current:
            yield hint("versions.restore")
            yield hint("versions.compare", "text" if self._compares else "diff with current")
        if self._before is not None:
            yield hint("versions.undo")
        yield hint("back")

    def action_compare(self) -> None:
        """Show the version itself, or how it differs from now."""
        self._compares = not self._compares
        self.draw()
        self.show_hints()

    def action_restore(self) -> None:
        """Restore the chosen version; the present text becomes a version."""
        chosen, current = self.chosen, self._current
        if chosen is None or current is None or chosen.is_current:
            self.show_hints("this is the current text")
            return
        self.do(partial(self._restore, chosen.number, current.number))

    def action_undo(self) -> None:
        """Take the restore back."""
        if self._before is None:
            self.show_hints("nothing to undo")
            return
        self.do(partial(self._restore, self._before, None))

    async def _restore(self, number: int, before: int | None) -> None:
        await self.database.run_with_profile(
            lambda profile: restore_version(profile, self._number, number)
        )
        self._before = before
        self.options.highlighted = None  # what the note says now is chosen
        await self.load()
        self.show_hints(
            "restored; the previous text is kept as a version" if before else "taken back"
        )


def _difference(before: NoteVersion, now: NoteVersion, width: int) -> Content:
    if max(before.size, now.size) > _LONGEST_COMPARED:
        return Content.styled("The versions are too long to compare here.", "$quiet")
    lines: list[Content] = []
    for line in difference(before, now)[:_LINES]:
        style = {"+": "$right", "-": "$wrong", "@": "$quiet"}.get(line[:1], "")
        text = "⋯" if line.startswith("@@") else without_controls(line)
        lines += [part.stylize(style) if style else part for part in paragraph(text, width)]
    return (
        join_lines(lines)
        if lines
        else Content.styled("No difference from the current text.", "$quiet")
    )
