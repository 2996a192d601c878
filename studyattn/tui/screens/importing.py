"""Importing: choose a file or folder, see with line numbers what it would make, import.

`exchange` finds the cards of a document, the concepts that look the same, and carries edits out.
Nothing is written before the learner has seen the preview; only they join concepts.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from enum import Enum, auto
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from studyattn.tui.dialogs.card import faces_editor
from studyattn.tui.dialogs.editor import Written
from studyattn.tui.dialogs.picker import PickScreen
from studyattn.tui.screens.base import StudyScreen, queued
from studyattn.tui.widgets import import_preview
from studyattn.tui.widgets.header_footer import Hint, TextLine, hints
from studyattn.tui.widgets.import_preview import Peek, peek
from studyattn.tui.widgets.side_panel import ROOM, SidePanel

if TYPE_CHECKING:
    from studyattn.exchange.documents.importing import ImportResult
    from studyattn.exchange.documents.plan import ImportPlan, PlannedSource
    from studyattn.exchange.documents.preview import CardPlace, ImportPreview
    from studyattn.study.profile import Profile
    from studyattn.tui.import_service import WholeFile

_LISTED = 200
_JOIN = "join:"


class ImportStage(Enum):
    """The stages of an import."""

    CHOOSING = auto()
    READING = auto()
    PREVIEW = auto()
    DONE = auto()


class ReadingStoppedError(Exception):
    """The learner stopped the reading of a folder."""


class ImportScreen(StudyScreen, wide=ROOM):
    """A line for the path with what is there below it; then the preview; then what was made."""

    SCOPE = "Import"

    def __init__(self) -> None:
        super().__init__()
        self._stage = ImportStage.CHOOSING
        self._entries: tuple[str, ...] = ()
        self._preview: ImportPreview | None = None
        self._lines: list[import_preview.PreviewRow] = []
        self._file: WholeFile | None = None
        self._accepted: set[str] = set()
        self._stop = False
        self._made: Content = Content()
        self._new_cards: tuple[str, ...] = ()
        self._peek: Peek | None = None

    @property
    def _plan(self) -> ImportPlan | None:
        return None if self._preview is None else self._preview.plan

    def body(self) -> Iterable[Widget]:
        here = f"{str(Path.cwd()).rstrip(os.sep)}{os.sep}"
        yield TextLine(here, "a file or a folder", select_on_focus=False, id="path")
        with Horizontal(id="panes"):
            yield OptionList(id="rows")
            yield SidePanel()
        yield Static(id="said", markup=False)

    async def load(self) -> None:
        if self._stage is ImportStage.CHOOSING:  # else it came back from another screen
            self.query_one("#path", Input).focus()
            await self._list_entries()

    @property
    def _path(self) -> Path:
        return Path(self.query_one("#path", Input).value).expanduser()

    @property
    def _rows(self) -> OptionList:
        return self.query_one("#rows", OptionList)

    # Choosing.

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        if self._stage is not ImportStage.CHOOSING:
            return
        begun = begun_anew(event.value)
        if begun != event.value:
            event.input.value = begun  # which comes back here
            event.input.cursor_position = len(begun)
            return
        self.do(self._list_entries)

    async def _list_entries(self) -> None:
        if self._stage is not ImportStage.CHOOSING:
            return
        written = self.query_one("#path", Input).value
        self._entries = await self.database.run(entries, written)
        rows = self._rows
        rows.clear_options()
        rows.add_options([Option(Content(entry), id=entry) for entry in self._entries[:_LISTED]])
        await self._look_into()
        self.draw()

    async def _look_into(self) -> None:
        """See how the entry under the cursor begins, or what is written in the line."""
        if self._stage is ImportStage.CHOOSING and self.size.width >= ROOM:
            option, written = self._rows.highlighted_option, self.query_one("#path", Input).value
            entry = "" if option is None or option.id is None else option.id
            self._peek = await self.database.run(peek, written, entry)
            self._draw_side(anew=True)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        """Look at what is written there, or at the only thing that it can become."""
        if len(self._entries) == 1 and not self._path.exists():
            self._choose(self._entries[0])
        else:
            self.action_look()

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if self._stage is ImportStage.PREVIEW:
            if self._card_here is None:
                self.action_join()
            else:
                self.action_reword()
        elif self._stage is ImportStage.CHOOSING and event.option.id is not None:
            self._choose(event.option.id)

    def _choose(self, entry: str) -> None:
        """Go into a folder; look at a file."""
        line = self.query_one("#path", Input)
        chosen = os.path.join(os.path.dirname(line.value), entry)  # noqa: PTH118, PTH120 - as typed
        line.value = chosen
        line.cursor_position = len(chosen)
        if entry.endswith(os.sep):
            line.focus()
        else:
            self.action_look()

    # Reading.

    @queued
    async def action_look(self) -> None:
        if self._stage is not ImportStage.CHOOSING:
            return
        path, loop = self._path, asyncio.get_running_loop()
        self._stage, self._stop = ImportStage.READING, False
        self._say("Reading …")
        self.show_hints()

        def progress(done: int, total: int, each: Path) -> None:
            if self._stop:
                raise ReadingStoppedError
            if total > 1:
                loop.call_soon_threadsafe(self._say, f"Reading {done + 1} of {total}: {each.name}")

        def look_at(profile: Profile) -> tuple[ImportPreview | None, WholeFile | None]:
            # Late: the readers are imported in this thread, and the screen keeps drawing.
            from studyattn.tui.import_service import WholeFile, look

            found = look(path, progress, profile)
            return (None, found) if isinstance(found, WholeFile) else (found, None)

        try:
            self._preview, self._file = await self.study(look_at)
        except ReadingStoppedError:
            await self._back_to_choosing("stopped; nothing was imported")
            return
        except Exception:
            await self._back_to_choosing()
            raise
        self._stage, self._accepted = ImportStage.PREVIEW, set()
        self._rows.clear_options()
        self._fill_preview()
        self.draw()
        (self._rows if self._plan else self.query_one("#said")).focus()
        self.show_hints()

    async def _back_to_choosing(self, notice: str = "") -> None:
        self._stage = ImportStage.CHOOSING
        self._preview = self._file = None
        await self._list_entries()
        self.query_one("#path", Input).focus()
        self.show_hints(notice)

    # The preview.

    def _fill_preview(self) -> None:
        plan, rows = self._plan, self._rows
        if plan is None:
            return
        chosen = rows.highlighted
        rows.clear_options()
        width = self.width_in(rows)
        self._lines = import_preview.rows(plan, frozenset(self._accepted), width)
        rows.add_options(
            [
                Option(line.content, id=f"{_JOIN}{line.join}" if line.join else None)
                for line in self._lines
            ]
        )
        rows.highlighted = min(chosen or 0, len(self._lines) - 1)
        self.draw()

    @on(OptionList.OptionHighlighted)
    def _moved(self) -> None:
        if self._stage is ImportStage.PREVIEW:
            self.show_hints()
            self._draw_side(anew=True)
        else:
            self.do(self._look_into)

    @property
    def _card_here(self) -> CardPlace | None:
        """The card on the line under the cursor."""
        line = self._rows.highlighted
        if self._stage is not ImportStage.PREVIEW or line is None or line >= len(self._lines):
            return None
        return self._lines[line].card

    @queued
    async def action_skip(self) -> None:
        await self._edit(lambda preview, at: preview.skip(at))

    @queued
    async def action_split(self) -> None:
        await self._edit(lambda preview, at: preview.split(at), "the answer has only one part")

    @queued
    async def action_merge(self) -> None:
        await self._edit(lambda preview, at: preview.merge(at), "there is no card to merge it with")

    @queued
    async def action_restore(self) -> None:
        await self._edit(lambda preview, at: preview.restore(at), "it already matches the document")

    @queued
    async def action_take(self, number: int) -> None:
        """Read the document under the cursor in an offered way, too, or no longer."""
        preview, source = self._preview, self._source_here
        offers = source.understood.offers if source is not None else ()
        if preview is None or source is None or number > len(offers):
            self.show_hints("there is no offer with this number")
            return
        await self.database.run(preview.choose, source.path, offers[number - 1].name)
        self._fill_preview()
        self.show_hints()

    @property
    def _source_here(self) -> PlannedSource | None:
        """The document that the line under the cursor is about; else the first with offers."""
        plan, line, at = self._plan, self._rows.highlighted, self._card_here
        if plan is None:
            return None
        path = at.path if at is not None else ""
        if line is not None and line < len(self._lines):
            path = self._lines[line].path or path
        with_offers = [each for each in plan.sources if each.understood.offers]
        found = [each for each in with_offers if each.path == path]
        return next(iter([*found, *with_offers]), None)

    def action_reword(self) -> None:
        at, preview = self._card_here, self._preview
        card = preview.card(at) if preview is not None and at is not None else None
        if card is None:
            self.show_hints("nothing to edit on this line")
            return

        async def save(written: Written) -> None:
            await self._edit(
                lambda preview, at: preview.reword(at, written["front"], written["back"])
            )

        self.ask(faces_editor(card.front, card.back), save)

    def action_concept(self) -> None:
        at, preview = self._card_here, self._preview
        if preview is None or at is None or preview.card(at) is None:
            self.show_hints("no card from the document on this line")
            return

        async def choose(slug: str) -> None:
            await self._edit(lambda preview, at: preview.choose_concept(at, slug))

        self.ask(PickScreen("The card belongs to", preview.concepts), choose)

    async def _edit(
        self, change: Callable[[ImportPreview, CardPlace], bool], otherwise: str = ""
    ) -> None:
        """Edit the card under the cursor, and show the new plan. `otherwise`: why it cannot be."""
        at, preview = self._card_here, self._preview
        if at is None or preview is None:
            self.show_hints("there is no card on this line")
        elif await self.database.run(change, preview, at):
            self._fill_preview()
            self.show_hints()
        else:
            self.show_hints(otherwise)

    def action_join(self) -> None:
        option = self._rows.highlighted_option
        if option is None or option.id is None or not option.id.startswith(_JOIN):
            self.show_hints("nothing to merge on this line")
            return
        self._accepted ^= {option.id.removeprefix(_JOIN)}
        self._fill_preview()
        self.show_hints()

    @queued
    async def action_apply(self) -> None:
        if self._stage is not ImportStage.PREVIEW:
            return
        if not self._has_something_new:
            self.show_hints("nothing new to import")
            return
        if self._plan is not None:
            made = await self.study(_apply, self._plan, tuple(sorted(self._accepted)))
            self._made, self._new_cards = import_preview.done(made), made.new_cards
        elif self._file is not None:
            taken = await self.study(self._file.take)
            self._made, self._new_cards = import_preview.taken(taken.lines), taken.new_cards
        self._stage = ImportStage.DONE
        self._rows.clear_options()
        self.query_one("#said").focus()
        self.draw()
        self.show_hints()

    @property
    def _has_something_new(self) -> bool:
        found = self._plan or self._file
        return found is not None and not found.changes_nothing

    # What is seen.

    def _draw_side(self, *, anew: bool = False) -> None:
        """Draw what stands beside the rows: a card, the beginning of a file, or what can come."""
        side, at, preview = self.query_one(SidePanel), self._card_here, self._preview
        card = preview.card(at) if preview is not None and at is not None else None
        if card is not None:
            side.show(lambda width: import_preview.draw_card(card, width), anew=anew)
        elif self._stage is ImportStage.PREVIEW:
            side.show(import_preview.draw_signs)
        elif self._peek is not None:
            side.show(partial(import_preview.draw_peek, self._peek), anew=anew)
        else:
            side.show(import_preview.draw_formats)

    def draw(self) -> None:
        self.headline("Import")
        self._draw_side()
        choosing = self._stage is ImportStage.CHOOSING
        self.query_one("#path").display = choosing
        self.query_one(Horizontal).display = self._rows.display = choosing or (
            self._stage is ImportStage.PREVIEW and self._plan is not None
        )
        if choosing:
            known = bool(self._entries)
            self._say("" if known else "No file or folder with this name.")
        elif self._stage is ImportStage.PREVIEW and self._plan is not None:
            self.headline("Import", self._so_far())
            self._say(import_preview.total(self._plan, len(self._accepted)))
        elif self._stage is ImportStage.PREVIEW and self._file is not None:
            self.headline("Import", self._so_far())
            self._say(import_preview.whole_file(self._file, self._path))
        elif self._stage is ImportStage.DONE:
            self._say(self._made)

    def _so_far(self) -> str:
        return (
            "preview only, nothing imported yet" if self._has_something_new else "nothing to import"
        )

    def on_resize(self) -> None:
        if self.is_mounted and self._stage is ImportStage.PREVIEW:
            self._fill_preview()

    def _say(self, what: Content | str) -> None:
        said = self.query_one("#said", Static)
        said.update(what)
        said.display = bool(what)

    def hints(self) -> Iterable[Hint]:
        if self._stage is ImportStage.CHOOSING:
            return hints("import", "look down back")
        if self._stage is ImportStage.READING:
            return hints("import", ("back", "stop"))
        if self._stage is ImportStage.PREVIEW:
            edits = "skip split merge reword concept"
            joins = self._plan is not None and bool(self._plan.joins) and "join"
            offers = self._source_here is not None and "take1"
            here = joins if self._card_here is None else edits
            first = self._has_something_new and "apply"
            return hints("import", first, offers, here, ("back", "another file"))
        return hints("import", bool(self._new_cards) and "study", "review again back")

    def action_down(self) -> None:
        if self._stage is ImportStage.CHOOSING and self._entries:
            self._rows.focus()
            self._rows.highlighted = 0

    def action_study(self) -> None:
        if self._stage is not ImportStage.DONE:
            return
        if self._new_cards:
            self.go("study", only=self._new_cards)
        else:
            self.show_hints("the import added no new cards")

    def action_review(self) -> None:
        if self._stage is ImportStage.DONE:
            self.services.go("review")

    def action_again(self) -> None:
        self.do(self._back_to_choosing)

    def action_back(self) -> None:
        if self._stage is ImportStage.READING:
            self._stop = True
        elif self._stage is ImportStage.PREVIEW:
            self.do(self._back_to_choosing)
        elif self._stage is ImportStage.CHOOSING and self._rows.has_focus:
            self.query_one("#path", Input).focus()
        else:
            super().action_back()


def _apply(profile: Profile, plan: ImportPlan, joins: tuple[str, ...]) -> ImportResult:
    # Late, as above.
    from studyattn.tui.import_service import apply_import

    return apply_import(plan, joins, profile)


def entries(written: str) -> tuple[str, ...]:
    """Folders and files that the last part of a path could become, folders first."""
    folder, _, start = str(Path(written).expanduser()).rpartition(os.sep)
    if written.endswith(os.sep):
        folder, start = written.rstrip(os.sep), ""
    try:
        found = [
            entry.name + os.sep if entry.is_dir() else entry.name
            for entry in os.scandir(Path(folder or os.sep).expanduser())
            if entry.name.casefold().startswith(start.casefold())
            and (start.startswith(".") or not entry.name.startswith("."))
        ]
    except OSError:
        return ()
    return tuple(sorted(found, key=lambda name: (not name.endswith(os.sep), name.casefold())))


def begun_anew(written: str) -> str:
    """Return the path that is meant when a second one is typed behind it: `/b` of `/a//b`."""
    for mark in (os.sep * 2, f"{os.sep}~"):
        before, found, after = written.rpartition(mark)
        if found and before:
            written = mark[1:] + after
    return written
