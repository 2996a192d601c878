"""What a note said before: every version, itself or as the difference to now, and going back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from rich.text import Text
from textual import on
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.actions import Scope
from studyattn.tui.formatting import (
    READING_WIDTH,
    count,
    join_lines,
    pad,
    paragraph,
    short_date,
    time_of_day,
)
from studyattn.tui.screens.base import WIDE, StudyScreen
from studyattn.tui.widgets.header_footer import Hint, hint
from studyattn.tui.widgets.rendered_text import face

if TYPE_CHECKING:
    from studyattn.study.notes.note_versions import NoteVersion
    from studyattn.study.profile import Profile
    from studyattn.text.links import Names

_LONGEST_SHOWN = 20_000
"""Characters of a version, and lines of a difference, that are shown."""
_LONGEST_COMPARED = 200_000
_LINES = 400


class VersionsScreen(StudyScreen, global_keys=False):
    """The list, and below or beside it the chosen version."""

    SCOPE = Scope.VERSIONS
    CSS_PATH = "versions.tcss"

    def __init__(self, number: int) -> None:
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (WIDE, "-wide")]
        self._number = number
        self._versions: dict[str, NoteVersion] = {}
        self._names: Names | None = None
        self._compares = False
        self._before: int | None = None  # the version that a restore replaced

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            yield OptionList(id="versions", markup=False)
            with VerticalScroll(id="beside"):
                yield Static(id="version", markup=False)

    async def load(self) -> None:
        def read(profile: Profile) -> tuple[tuple[NoteVersion, ...], Names]:
            from studyattn.study.notes.note_links import concept_names
            from studyattn.study.notes.note_versions import versions

            return versions(profile, self._number), concept_names(profile)

        versions, self._names = await self.database.run_with_profile(read)
        self._versions = {str(version.number): version for version in versions}
        self._fill()
        if self.focused is None:
            self._list.focus()
        self.show_hints()

    @property
    def _list(self) -> OptionList:
        return self.query_one("#versions", OptionList)

    @property
    def _current(self) -> NoteVersion | None:
        return next(iter(self._versions.values()), None)

    @property
    def _chosen(self) -> NoteVersion | None:
        option = self._list.highlighted_option
        return self._versions.get(option.id) if option is not None and option.id else None

    def _fill(self) -> None:
        before = self._list.highlighted
        day, offset = self.local_day(), self.utc_offset()

        def row(version: NoteVersion) -> Option:
            when = (
                _when(version.at, offset, short_date(version.at.date(), day)) if version.at else "?"
            )
            name = "now" if version.is_current else f"{version.number}"
            size = f"{version.size:,} characters"
            text = Content.assemble(pad(name, 4, right=True), "  ", pad(when, 18), (size, "$quiet"))
            return Option(text, id=str(version.number))

        self._list.set_options([row(version) for version in self._versions.values()])
        if self._versions:
            self._list.highlighted = min(before or 0, len(self._versions) - 1)
        self.draw()

    def draw(self) -> None:
        current, chosen = self._current, self._chosen
        title = current.title if current else ""
        self.headline(f"Versions of {title}" if title else "Versions", self._count())
        width = min(READING_WIDTH, self.query_one("#beside").content_size.width - 1)
        if chosen is None or current is None or width <= 0:
            return
        drawing: Text | Content
        if self._compares and not chosen.is_current:
            drawing = _difference(chosen, current, width)
        else:
            drawing = face(chosen.body[:_LONGEST_SHOWN], width, self.services.look, self._names)
        self.query_one("#version", Static).update(drawing)

    def _count(self) -> str:
        return count(len(self._versions), "version") if self._versions else ""

    def on_resize(self) -> None:
        if self.is_mounted:
            self.call_after_refresh(self.draw)

    def hints(self) -> Iterable[Hint]:
        chosen = self._chosen
        if chosen is not None and not chosen.is_current:
            yield hint("versions.restore")
            yield hint("versions.compare", "text" if self._compares else "difference to now")
        if self._before is not None:
            yield hint("versions.undo")
        yield hint("back")

    @on(OptionList.OptionHighlighted)
    def _show_version(self) -> None:
        self.draw()
        self.query_one("#beside", VerticalScroll).scroll_home(animate=False)
        self.refresh_hints()

    def action_compare(self) -> None:
        """The version itself, or what is said otherwise now."""
        self._compares = not self._compares
        self.draw()
        self.show_hints()

    def action_restore(self) -> None:
        """Let the note say this again; what it says now becomes a version."""
        chosen, current = self._chosen, self._current
        if chosen is None or current is None or chosen.is_current:
            self.show_hints("the note says this now")
            return
        self.do(partial(self._restore, chosen.number, current.number))

    def action_undo(self) -> None:
        """Take the restore back."""
        if self._before is None:
            self.show_hints("nothing was restored here")
            return
        self.do(partial(self._restore, self._before, None))

    async def _restore(self, number: int, before: int | None) -> None:
        def restore(profile: Profile) -> None:
            from studyattn.study.notes.note_versions import restore_version

            restore_version(profile, self._number, number)

        await self.database.run_with_profile(restore)
        self._before = before
        self._list.highlighted = 0
        await self.load()
        self.show_hints("restored: what it said before is a version" if before else "taken back")


def _when(at: datetime, offset: int, day: str) -> str:
    return f"{day}  {time_of_day(at, offset)}"


def _difference(before: NoteVersion, now: NoteVersion, width: int) -> Content:
    from studyattn.study.notes.note_versions import difference
    from studyattn.text.lines import clean

    if max(before.size, now.size) > _LONGEST_COMPARED:
        return Content.styled("The versions are too long to be compared here.", "$quiet")
    lines: list[Content] = []
    for line in difference(before, now)[:_LINES]:
        style = {"+": "$right", "-": "$wrong", "@": "$quiet"}.get(line[:1], "")
        text = "⋯" if line.startswith("@@") else clean(line)
        lines += [part.stylize(style) if style else part for part in paragraph(text, width)]
    return join_lines(lines) if lines else Content.styled("It says the same now.", "$quiet")
