"""Importing: choose a file or folder, see with line numbers what it would make, import.

`exchange` finds the cards of a document, the concepts that look the same, and carries edits out.
Nothing is written before the learner has seen the preview; only they join concepts.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.exchange.documents.dialects import DIALECTS
from studyattn.exchange.registry import importable
from studyattn.paths import shown as shown_path
from studyattn.tui.dialogs.card import faces_editor
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.dialogs.editor import Written
from studyattn.tui.formatting import Lines, Part, clip, join_lines, pad
from studyattn.tui.screens.base import NothingToDoError, need, queued
from studyattn.tui.screens.list_detail import ListDetailScreen
from studyattn.tui.widgets.header_footer import ROOM, Offers
from studyattn.tui.widgets.rendered_text import face, lines_of

if TYPE_CHECKING:
    from studyattn.exchange.documents.plan import Entry, ImportPlan, PlannedCard, PlannedSource
    from studyattn.exchange.documents.preview import ImportPreview
    from studyattn.study.profile import Profile
    from studyattn.tui.import_service import WholeFile

_LISTED: Final = 200


class ImportScreen(ListDetailScreen[str], wide=ROOM):
    """A line for the path, and the files and folders that it can become."""

    SCOPE = "Import"
    FILTER = "a file or a folder"
    EMPTY = "No file or folder with this name."
    _reading = ""  # what is read now
    _stops = False

    def written(self) -> str:
        return f"{str(Path.cwd()).rstrip(os.sep)}{os.sep}"

    async def load(self) -> None:
        self.searched = None  # there may be other files by now
        await self.search()
        self.show_hints()

    async def find(self, words: str) -> None:
        begun = begun_anew(words)
        if begun != words:
            self._write(begun)  # which is looked for next
            return
        found = await self.database.run(entries, words)
        self.show({entry: entry for entry in found[:_LISTED]})

    @property
    def _path(self) -> Path:
        return Path(self.words).expanduser()

    def _write(self, path: str) -> None:
        self.line.value = path
        self.line.cursor_position = len(path)

    def draw_rows(self, _width: int) -> Iterable[Content]:
        return map(Content, self.rows)

    def draw_beside(self, width: int) -> Content:
        """Return what can be imported."""
        page = Lines(width)
        page.add(("What can be imported", "bold"))
        page.add()
        known = [("Documents", "your own Markdown or text; its questions become cards")]
        for title, about in known + [(form.title, form.about) for form in importable()]:
            page.add(title)
            page.wrap(about, "$quiet", mark="  ")
        page.add()
        page.wrap("Nothing is written before you confirm the preview.")
        page.add()
        page.add(("Cards of other programs, in documents", "bold"))
        page.add()
        for dialect in DIALECTS.values():
            title = f"{dialect.title[:1].upper()}{dialect.title[1:]}"
            page.wrap(Content.assemble(title, (f": {dialect.about}", "$quiet")))
        return page.content

    def heading(self) -> tuple[str, str]:
        return "Import", self._reading

    def hints(self) -> Offers:
        return (("back", "stop"),) if self._reading else ("look down back",)

    def submit(self) -> None:
        """Look at what is written there, or at the only thing that it can become."""
        if len(self.rows) == 1 and not self._path.exists():
            self._choose(next(iter(self.rows)))
        else:
            self.action_look()

    def action_open(self) -> None:
        self._choose(need(self.chosen))

    def _choose(self, entry: str) -> None:
        """Go into a folder; look at a file."""
        self._write(os.path.join(os.path.dirname(self.words), entry))  # noqa: PTH118, PTH120 - as typed
        self.line.focus()
        if not entry.endswith(os.sep):
            self.action_look()

    @queued
    async def action_look(self) -> None:
        path, loop = self._path, asyncio.get_running_loop()
        self._stops = False

        def tell(what: str) -> None:
            self._reading = what
            if self.is_open:  # the palette leads away at any time
                self.redraw()

        def progress(done: int, total: int, each: Path) -> None:
            if self._stops or not self.is_open:
                raise NothingToDoError("stopped; nothing was imported")
            if total > 1:
                loop.call_soon_threadsafe(tell, f"Reading {done + 1} of {total}: {each.name}")

        def look_at(profile: Profile) -> ImportPreview | WholeFile:
            # Late: the readers are imported in this thread, and the screen keeps drawing.
            from studyattn.tui.import_service import look

            return look(path, progress, profile)

        tell("Reading …")
        try:
            self.go("preview", await self.study(look_at), path)
        finally:
            tell("")

    def action_back(self) -> None:
        if self._reading:
            self._stops = True
        elif self.options.has_focus:
            self.line.focus()
        else:
            self.services.back()


_EDITS: Final = {
    "skip": "",
    "split": "the answer has only one part",
    "merge": "there is no card to merge it with",
    "restore": "it already matches the document",
}
"""Edits of a card, and what to say where one changes nothing."""


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """One line of the preview; `join` is the slug of the concept that it proposes to join."""

    content: Content
    join: str = ""
    card: PlannedCard | None = None  # the card that can be edited on this line
    path: str = ""  # the document


class PreviewScreen(ListDetailScreen[PreviewRow], global_keys=False, wide=ROOM):
    """The preview of an import, line by line, with its cards to edit; then what was made."""

    SCOPE = "Import preview"

    def __init__(self, found: ImportPreview | WholeFile, path: Path) -> None:
        super().__init__()
        self._found = found
        self._path = path
        self._accepted: set[str] = set()  # slugs of concepts to join
        self._made: Content | None = None
        self._new_cards: tuple[str, ...] = ()

    @property
    def _preview(self) -> ImportPreview | None:
        """The preview of documents; None for a file that is taken as it is."""
        from studyattn.exchange.documents.preview import ImportPreview

        return self._found if isinstance(self._found, ImportPreview) else None

    @property
    def _plan(self) -> ImportPlan | None:
        return None if self._preview is None or self._made is not None else self._preview.plan

    def body(self) -> Iterable[Widget]:
        yield from super().body()
        yield Static(id="said", markup=False)

    async def load(self) -> None:
        await self.painted()  # then the rows have their width
        self._fill_rows()

    def _fill_rows(self) -> None:
        plan, rows = self._plan, list[PreviewRow]()
        if plan is not None:
            width = self.width_in(self.options)
            for source in plan.sources:
                found = _source(source, self._accepted, width)
                rows += [replace(row, path=source.path) for row in found]
            rows += [_row(str(each), width, ("✗ ", "$wrong bold")) for each in plan.problems]
            told = "says the same as another document"
            rows += [_row(f"{each} {told}", width, "= ") for each in plan.copies]
        self.show({str(place): row for place, row in enumerate(rows)})
        self.show_hints()

    def on_resize(self) -> None:
        if self.is_loaded:
            self.call_after_refresh(self._fill_rows)

    # What is seen.

    def heading(self) -> tuple[str, str]:
        if self._made is not None:
            return "Import", ""
        is_new = self._has_something_new
        return "Import", "preview only, nothing imported yet" if is_new else "nothing to import"

    def draw(self) -> None:
        super().draw()
        said = self.query_one("#said", Static)
        said.display = self._plan is not None
        if self._plan is not None:
            made = self._plan.made(len(self._accepted))
            total = ";  ".join(f"{told}: {number}" for told, number in made)
            nothing = "Nothing new here. Importing it again changes nothing."
            said.update(Content(nothing if self._plan.changes_nothing else total))

    def empty(self) -> Content | str:
        """Return what was made, or what taking the file in would change."""
        if self._made is not None or self._preview is not None:
            return self._made or ""
        file, lines = self._file, [*map(Content, self._file.lines)]
        head = Content.styled(file.kind[:1].upper() + file.kind[1:], "bold")
        place = Content.styled(shown_path(self._path), "$quiet")
        last = "Nothing new here." if file.changes_nothing else ""
        return join_lines([head, place, Content(), *lines, Content(last)])

    def draw_rows(self, _width: int) -> Iterable[Content]:
        return (row.content for row in self.rows.values())

    def draw_detail(self, _item: PreviewRow, width: int) -> Content:
        card = self._edited
        if card is not None:
            rule = Content.styled("─" * width, "$rule")
            front, back = (lines_of(face(text, width)) for text in (card.front, card.back))
            return join_lines([*front, rule, *back])
        page = Lines(width)
        page.add(("What the signs mean", "bold"))
        page.add()
        for sign, (name, told) in _EXPLAINED.items():
            page.add((sign, _SIGNS[sign]), f" {name}  ", (told, "$quiet"))
        page.add()
        page.wrap("Go to a line with a card to see both of its faces here.", "$quiet")
        return page.content

    def hints(self) -> Offers:
        if self._made is not None:
            return (bool(self._new_cards) and "study", "review import back")
        plan, is_card = self._plan, self.chosen is not None and self.chosen.card is not None
        joins = plan is not None and bool(plan.joins) and "select"
        return (
            self._has_something_new and "apply",
            self._source_here is not None and "take1",
            "remove split join edit move" if is_card else joins,
            ("back", "another file"),
        )

    # Editing.

    @property
    def _file(self) -> WholeFile:
        from studyattn.tui.import_service import WholeFile

        assert isinstance(self._found, WholeFile)  # noqa: S101 - it is no preview then
        return self._found

    @property
    def _edited(self) -> PlannedCard | None:
        """The card on the line under the cursor, if it would be made."""
        card = self.chosen.card if self.chosen else None
        return None if card is None or card.change == "skipped" else card

    @property
    def _source_here(self) -> PlannedSource | None:
        """The document that the line under the cursor is about; else the first with offers."""
        path = self.chosen.path if self.chosen else ""
        sources = self._plan.sources if self._plan else ()
        with_offers = [each for each in sources if each.understood.offers]
        return min(with_offers, key=lambda each: each.path != path, default=None)

    async def action_edit(self, name: str) -> None:
        await self._edit(name, otherwise=_EDITS[name])

    async def _edit(self, name: str, *given: str, otherwise: str = "") -> None:
        """Edit the card under the cursor, and show the new plan. `otherwise`: why it cannot be."""
        row = need(self.chosen, "there is no card on this line")
        card = need(row.card, "there is no card on this line")
        edit = getattr(self._preview, name)
        need(await self.database.run(edit, row.path, card, *given), otherwise)
        self._fill_rows()

    async def action_take(self, number: int) -> None:
        """Read the document under the cursor in an offered way, too, or no longer."""
        source, preview = self._source_here, need(self._preview)
        offers = source.understood.offers if source is not None else ()
        offer = next(iter(offers[number - 1 : number]), None)
        if source is None or offer is None:
            raise NothingToDoError("there is no offer with this number")
        await self.database.run(preview.choose, source.path, offer.name)
        self._fill_rows()

    def action_open(self) -> None:
        if self.chosen is not None and self.chosen.card is not None:
            self.action_reword()
        else:
            self.action_join()

    def action_reword(self) -> None:
        card = need(self._edited, "nothing to edit on this line")

        async def save(written: Written) -> None:
            await self._edit("reword", written["front"], written["back"])

        self.ask(faces_editor(card.front, card.back), save)

    def action_concept(self) -> None:
        need(self._edited, "no card from the document on this line")
        choose = partial(self._edit, "choose_concept")
        self.ask(PickScreen("The card belongs to", need(self._preview).concepts), choose)

    def action_join(self) -> None:
        self.action_review()
        if self._made is not None:
            return
        slug = "" if self.chosen is None else self.chosen.join
        self._accepted ^= {need(slug, "nothing to merge on this line")}
        self._fill_rows()

    # Importing.

    @property
    def _has_something_new(self) -> bool:
        return not (self._plan or self._file).changes_nothing

    async def action_apply(self) -> None:
        if self._made is not None:
            return
        need(self._has_something_new, "nothing new to import")
        if self._plan is not None:
            plan, joins = self._plan, tuple(sorted(self._accepted))
            # It was imported with the reading, in the database's thread.
            from studyattn.tui.import_service import apply_import

            await self.study(apply_import, plan, joins)
            self._new_cards = plan.new_cards
            told = [
                Content.assemble((f"{told.capitalize():<24}", "$quiet"), made)
                for told, made in plan.made(len(joins))
            ]
        else:
            lines, self._new_cards = await self.study(self._file.take)
            told = [*map(Content, lines)]
        head = Content.assemble(("✓ ", "$right bold"), ("Imported", "bold"))
        self._made = join_lines([head, Content(), *told])
        self._fill_rows()

    def action_study(self) -> None:
        if self._made is not None:
            self.go("study", only=need(self._new_cards, "the import added no new cards"))

    def action_review(self) -> None:
        if self._made is not None:
            self.services.back()
            self.go("review")

    def action_again(self) -> None:
        self.services.back()

    def action_back(self) -> None:
        if self._made is None:
            self.services.back()
        else:
            self.go("today")


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


_SIGNS = {
    "+": "$right bold",
    "~": "$accent bold",
    " ": "",
    "-": "$quiet",
    "·": "$quiet",
    "?": "$accent",
    "!": "$wrong bold",
}
"""The styles of what is in front of a line."""
_KIND = 15
_LONGEST = 240  # columns of a card's first line that are shown, on as many lines as they take
_INDENT = 10  # columns before what is told of a line, below it
_RIGHT_WIDTH = 72


def _source(source: PlannedSource, accepted: Collection[str], width: int) -> Iterator[PreviewRow]:
    # Late: the screen is there before a document is read.
    from studyattn.exchange.documents.plan import PlannedChange

    about = (f"  {source.kind}, {source.change.value}", "$quiet")
    sign = Content.assemble((source.change.sign, _SIGNS[source.change.sign]), " ")
    yield _row(Content.assemble((source.title, "bold"), about), width, sign)
    yield _row(Content.styled(shown_path(source.path), "$quiet"), width, "  ")
    if source.change is not PlannedChange.UNCHANGED:
        yield from _understood(source, width)
        for entry in source.entries():
            yield _entry(entry, width, chosen=entry.join in accepted)
            if entry.right:
                room = min(width, _INDENT + _RIGHT_WIDTH)
                yield from _wrapped(entry.right, room, " " * _INDENT, "$quiet")
    yield PreviewRow(Content())


def _entry(entry: Entry, width: int, *, chosen: bool) -> PreviewRow:
    sign = entry.sign if not entry.join else "[x]" if chosen else "[ ]"
    style = "$accent bold" if chosen else _SIGNS[entry.sign]
    kind = entry.kind.replace("-", " ")
    mark = Content.assemble(
        (f"{entry.line or '–':>6}  ", "$quiet"),
        (f"{sign} ", style),
        pad(Content.styled(kind, "$quiet"), _KIND) if kind else "",
    )
    card = entry.card if entry.card and entry.card.key else None
    return replace(_row(clip(entry.text, _LONGEST), width, mark), join=entry.join, card=card)


def _row(text: Content | str, width: int, mark: Part) -> PreviewRow:
    return PreviewRow(join_lines(row.content for row in _wrapped(text, width, mark)))


def _wrapped(text: Content | str, width: int, mark: Part, style: str = "") -> list[PreviewRow]:
    page = Lines(max(2 * _INDENT, width))
    page.wrap(text, style, mark)
    return [PreviewRow(row) for row in page.lines]


def _understood(source: PlannedSource, width: int) -> Iterator[PreviewRow]:
    """Say how the document was read, and how it could be."""
    from studyattn.exchange.documents.plan import offered, understanding  # late, as above

    for told in understanding(source.understood):
        yield from _wrapped(told, width, "  ")
    taken = source.understood.name.split("+")
    for number, offer in enumerate(source.understood.offers, start=1):
        box = ("[x] ", "$accent bold") if offer.name in taken else ("[ ] ", "$accent")
        told, *examples = offered(offer)
        mark = Content.assemble((f"{number:>4}", "$accent bold"), "  ", box)
        yield from _wrapped(told, width, mark)
        for each in examples:
            shown = clip(each, max(_INDENT, width - _INDENT)).stylize("$quiet")
            yield PreviewRow(Content.assemble(" " * _INDENT, shown))


_EXPLAINED = {
    "+": ("new", "a new one is added"),
    "~": ("edited", "its text changes, its schedule stays"),
    "-": ("gone", "no longer in the document; your answers stay"),
    "·": ("skipped", "left out by you"),
}
