"""One concept: its page, the keys that lead through it and on to what it is tied to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from textual import events
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from studyattn.errors import PackError
from studyattn.memory.state import drill_id
from studyattn.packs.fences import find_examples
from studyattn.packs.model import LessonPage, SourceLocation
from studyattn.study.concepts.board import part, undo_move
from studyattn.study.concepts.concept_page import ConceptPage, show_concept
from studyattn.study.lessons import LessonBook
from studyattn.study.notes.notes import About
from studyattn.study.profile import Profile
from studyattn.study.review.browse import show_item
from studyattn.study.rules.evidence import Suggestion
from studyattn.tui.attention_view.example import Opening, opening_of
from studyattn.tui.dialogs.card import CardPage
from studyattn.tui.dialogs.dialog import PickScreen
from studyattn.tui.formatting import READING_WIDTH
from studyattn.tui.screens.base import StudyScreen, need
from studyattn.tui.widgets import concept_page
from studyattn.tui.widgets.concept_page import ConceptView, DrawnColumn, LinkKind, PageLink
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.header_footer import Offers

_TWO_SIDES = 158  # two columns of the reading width
"""Columns from which the explanation has the facts beside it."""

_LEVELS = 3
_ALL_LEVELS = 99


class ConceptScreen(StudyScreen, global_keys=False):
    """The page of the concept `slug`, or of the one that it is joined into. Escape leads back."""

    SCOPE = "A concept's page"
    OPENING = "Concept"
    _page: ConceptPage

    def __init__(self, slug: str, *, explains: bool = False, item: str = "") -> None:
        """`explains`: open at the explanation, at the page before the item with the guid `item`."""
        super().__init__()
        self._explains = explains
        self._item = item
        self.slug = slug
        self._columns: list[DrawnColumn] = []
        self._chosen: int | None = None
        self._examples: tuple[Mapping[str, str], ...] = ()  # in its text
        self._levels = _LEVELS

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            for name in ("reading", "facts"):
                with VerticalScroll(id=name):
                    yield Static(markup=False)

    async def load(self) -> None:
        def read(profile: Profile) -> tuple[ConceptPage, LessonPage | None]:
            page = show_concept(profile, self.slug)
            whole = page.line.joined_into
            explaining = LessonBook(profile).explaining(self._item) if self._item else None
            return (page if whole is None else show_concept(profile, whole)), explaining

        page, explaining = await self.study(read)
        self._page, self.slug = page, page.line.slug
        self._examples = await self.database.run(_examples, page.body, self.slug)
        if self.focused is None:
            self._sides[0].focus()
        if self._explains:
            title = explaining.title if explaining is not None else ""
            self.call_after_refresh(self._go_to_explanation, title)
        self._explains = False  # coming back to this page keeps its place

    def _go_to_explanation(self, title: str) -> None:
        """Scroll to the heading `title` of the explanation, or to its beginning."""
        for side, column in zip(self._sides, self._columns, strict=False):
            begin = dict(column.sections).get(concept_page.EXPLANATION)
            if begin is not None:
                heading = column.line_of(title, begin) if title else None
                side.focus()
                side.scroll_to(y=begin if heading is None else heading, animate=False)

    # What is shown.

    @property
    def _sides(self) -> list[VerticalScroll]:
        """The columns that the terminal has room for; a concept without a text needs one alone."""
        page = self._page
        reads = bool(page.body.strip() or page.errata)
        names = ("reading", "facts") if reads and self.size.width >= _TWO_SIDES else ("facts",)
        return [self.query_one(f"#{name}", VerticalScroll) for name in names]

    @property
    def _links(self) -> list[tuple[PageLink, VerticalScroll, int]]:
        """The links, each with its side and its line."""
        pairs = zip(self._sides, self._columns, strict=False)
        return [(link, side, at) for side, column in pairs for link, at in column.links]

    def draw(self) -> None:
        page, sides = self._page, self._sides
        for side in self.query(VerticalScroll):
            side.display = side in sides
        self.set_class(len(sides) == 1, "-one-side")
        state = page.line.state
        self.headline(page.line.title, Content.assemble(sign(state), " ", NAMES[state]))
        self._columns = self._drawn(page, len(sides))
        if self._chosen is not None and self._chosen >= len(self._links):
            self._chosen = None  # what it led to is gone
            self._columns = self._drawn(page, len(sides))
        for side, column in zip(sides, self._columns, strict=True):
            side.query_one(Static).update(column.content)

    def _drawn(self, page: ConceptPage, sides: int) -> list[DrawnColumn]:
        room = self.size.width // sides - 7  # padding, scroll bar, the rule between
        view = ConceptView(days=self.days(), levels=self._levels, chosen=self._chosen)
        return concept_page.draw(page, [min(READING_WIDTH, room)] * sides, view)

    def hints(self) -> Offers:
        page = self._page
        sections = sum(len(column.sections) for column in self._columns)
        is_taught = page.line.pack is not None and bool(page.body)
        return (
            {
                "accept later": page.suggestion is not None,
                "follow": self._chosen is not None,
                "next": True,
                ("section", "", f"1–{sections}"): sections > 1,
                "lesson": is_taught,
                "move": True,
                "in_words": is_taught,
                "note": True,
                "more": page.line.cards,
                "example": self._examples,
                "pattern": self._opening,
                "back": True,
            },
        )

    # Getting about on the page.

    def on_key(self, event: events.Key) -> None:
        if event.key in "23456789":  # 1 is in the registry, for all of them
            event.stop()
            self.action_section(int(event.key))

    def action_section(self, number: int) -> None:
        pairs = zip(self._sides, self._columns, strict=False)
        places = [(side, at) for side, column in pairs for _, at in column.sections]
        if number <= len(places):
            side, at = places[number - 1]
            side.focus()
            side.scroll_to(y=at, animate=False)

    def action_link(self, by: int) -> None:
        links = self._links
        if not links:
            return
        seen = [self._is_in_view(side, at) for _, side, at in links]
        if self._chosen is not None and seen[self._chosen]:
            self._chosen = (self._chosen + by) % len(links)
        elif any(seen):  # begin with what the learner looks at
            self._chosen = seen.index(True) if by > 0 else len(seen) - 1 - seen[::-1].index(True)
        else:
            self._chosen = ((-1 if by > 0 else 0) if self._chosen is None else self._chosen) + by
            self._chosen %= len(links)
        self.redraw()
        _, side, at = links[self._chosen]
        if not self._is_in_view(side, at):
            side.scroll_to(y=max(0, at - side.size.height // 2), animate=False)

    def _is_in_view(self, side: VerticalScroll, line: int) -> bool:
        top = side.scroll_offset.y
        return top <= line < top + side.scrollable_content_region.height

    def action_side(self) -> None:
        sides = self._sides
        if len(sides) == 2:
            sides[0 if sides[1].has_focus else 1].focus()

    def action_graph(self) -> None:
        self._levels = _LEVELS if self._levels == _ALL_LEVELS else _ALL_LEVELS
        self._chosen = None
        self.draw()

    # Following.

    async def action_follow(self, index: int | None = None) -> None:
        index = self._chosen if index is None else index
        if index is not None and index < len(self._links):
            self._chosen = index
            self.draw()
            link = self._links[index][0]
            if link.kind is LinkKind.CARD:
                self.app.push_screen(CardPage(await self.study(show_item, guid=link.target)))
            else:
                self.go(link.kind.value, link.target)

    # Changing.

    def action_move(self) -> None:
        self.move_concept(self._page.line)

    async def action_undo(self) -> None:
        undone = await self.study(undo_move)
        told = f"undone: {undone.title} is {NAMES[undone.to_state]} again" if undone else ""
        await self.reload(told or "no move to undo")

    @property
    def suggestion(self) -> Suggestion | None:
        return self._page.suggestion

    def action_lesson(self) -> None:
        if self._page.line.pack is None or not self._page.body:
            self.show_hints("this concept has no lesson")
        else:
            self.go("lesson", self.slug)

    def action_in_words(self) -> None:
        self.go("explain", self.slug)

    def action_example(self) -> None:
        self.go("example", need(self._examples, "there is no example in its text")[0])

    @property
    def _opening(self) -> Opening | None:
        """The attention view's example for the concept: that of one of its drills."""
        drills = (item for item in self._page.items if item.kind == "drill")
        openings = (opening_of(drill_id(item.guid)) for item in drills)
        return next((each for each in openings if each is not None), None)

    def action_pattern(self) -> None:
        self.go("pattern", need(self._opening, "none of its drills has an attention pattern"))

    def action_note(self) -> None:
        self.go("note", about=About(concept=self.slug))

    def studied(self) -> str:
        return f"concept:{self.slug}"

    def action_part(self) -> None:
        joined = need(dict(self._page.joined), "nothing is merged into it")
        if len(joined) == 1:
            self.do(partial(self._part, *joined))
        else:
            self.ask(PickScreen("Unmerge from it", joined), self._part)

    async def _part(self, slug: str) -> None:
        await self.study(part, slug)
        await self.reload("unmerged: they are two concepts again")


def _examples(body: str, slug: str) -> tuple[Mapping[str, str], ...]:
    """The runnable examples of a concept's text; none where one of them is not well formed."""
    try:
        found = find_examples(body, slug, SourceLocation(slug, 1)).examples
    except PackError:
        return ()
    return tuple(each._asdict() for each in found)
