"""A lesson: its pages one after another, with the outputs that are asked before they are shown.

In a session the page is the one before the cards that it prepares for, and the session hears when
it was read or the lesson skipped. Opened by its concept it shows all pages. How far the learner is
in it, the study room keeps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from textwrap import indent

from rich.text import Text
from textual.content import Content

from studyattn.packs.fences import find_examples
from studyattn.packs.model import Example, LessonPage
from studyattn.study import lessons
from studyattn.study.concepts.concept_page import ConceptPage, show_concept
from studyattn.study.lessons import (
    Lesson,
    LessonBook,
    choices_of,
    is_predicted,
    mended_by,
    why_wrong,
)
from studyattn.study.practice.mistakes import MendingCard, bring_back_for_prediction
from studyattn.text.counting import come_before
from studyattn.text.render import CODE_INDENT
from studyattn.tui.formatting import Lines, count, join_lines, paragraph
from studyattn.tui.screens.asking import AskingScreen
from studyattn.tui.screens.base import need
from studyattn.tui.theme import colours
from studyattn.tui.widgets.concept_page import MAP, ConceptView, draw_beside
from studyattn.tui.widgets.header_footer import ROOM, Offers
from studyattn.tui.widgets.rendered_text import face, line, palette

_BLANK = 1  # lines without text at the end of a page


class LessonScreen(AskingScreen, global_keys=False, wide=ROOM):
    """One page at a time; a page goes on after each output that is asked."""

    SCOPE = "Lesson"
    OPENING = "Lesson"
    _lesson: Lesson
    PLACEHOLDER = "what it prints"

    def __init__(
        self,
        lesson: Lesson | str,
        *,
        read: Callable[[], None] | None = None,
        skipped: Callable[[], None] | None = None,
    ) -> None:
        """Open a lesson of a session, or with a slug that of a concept.

        `read` and `skipped` tell the session; without them the lesson is read outside of one.
        """
        super().__init__()
        self._of = lesson
        self._read, self._skipped = read, skipped
        self._at = 0
        self._laid_out = False  # whether the screen shows the page as it was drawn last
        self._given: dict[tuple[int, int], str] = {}  # answers by page and part; "" for none
        self._mended: dict[int, list[MendingCard]] = {}  # cards that mend wrong answers, by page
        self._concept: ConceptPage | None = None  # read once the lesson is on the screen

    async def load(self) -> None:
        if self.is_loaded:
            return
        of = self._of
        self._lesson = (await self.study(LessonBook)).of(of) if isinstance(of, str) else of
        pages = self._lesson.pages[: self._lesson.page]  # read before: nothing is asked in them
        for at, page in enumerate(pages):
            self._given |= dict.fromkeys(((at, part) for part in range(len(page.parts))), "")
        self._turn_to(self._lesson.page or 0)
        self.do(self._read_concept)

    async def _read_concept(self) -> None:
        """Read where the concept stands among the others."""
        if self.size.width >= ROOM:
            slug = self._lesson.name.partition(":")[2]
            self._concept = await self.study(show_concept, slug=slug)
            self.draw()

    # What is shown.

    @property
    def _page(self) -> LessonPage:
        return self._lesson.pages[self._at]

    @property
    def _asked(self) -> tuple[int, Example] | None:
        """The number of the part whose output is asked now, with its example."""
        for number, part in enumerate(self._page.parts):
            if part.asks is not None and (self._at, number) not in self._given:
                return number, part.asks
        return None

    @property
    def _types(self) -> bool:
        """Tell whether the output that is asked now is typed."""
        return self._asked is not None and not choices_of(self._asked[1])

    def draw(self) -> None:
        lesson, page = self._lesson, self._page
        title = f"Lesson {lesson.number} of {lesson.of} · {lesson.title}"
        pages = f"{self._at + 1} of {len(lesson.pages)}"
        takes = f"about {max(1, round(lesson.seconds / 60))} min   "
        if len(title) + len(takes) + len(pages) > self.size.width - 4:
            takes = ""  # the page's number is never cut
        self.headline(title, Content.assemble((takes, "$quiet"), pages))
        given = {part: text for (at, part), text in self._given.items() if at == self._at}
        needed = lesson.needed_for if self._asked is None else ()
        drawn = draw_page(page, given, needed, self.width, self._mended.get(self._at, ()))
        if self._at == 0 and lesson.before:
            quiet = palette().marker
            drawn = Text.assemble((come_before(lesson.before), quiet), "\n\n", drawn)
        self.front.update(drawn)
        self.side.show(self._draw_side)

    def _draw_side(self, width: int) -> Content:
        """Return the lesson's pages, and the concept among those that it is tied to."""
        lesson, contents = self._lesson, Lines(width)
        contents.add(("This lesson", "$accent bold"))
        read = len(lesson.pages) if lesson.page is None else lesson.page
        for number, page in enumerate(lesson.pages):
            mark = ("✓ ", "$right") if number < max(read, self._at) else ("  ", "")
            style = "" if number < read else "$quiet"
            if number == self._at:
                mark, style = ("▸ ", "$accent bold"), "bold"
            contents.wrap(line(page.title), style, mark)
            if number == self._at and page.cards:
                contents.quiet(f"  then {count(len(page.cards), 'card')} on it")
        if self._concept is not None:
            view = ConceptView(days=self.days(), levels=1)
            contents.lines += [Content(), draw_beside(self._concept, width, view, MAP)]
        return contents.content

    def hints(self) -> Offers:
        lesson = self._lesson
        if self.typed.has_focus:
            return (("next", "check", "enter"), ("back", "other keys"))
        if self._below:
            keys: tuple[tuple[str, ...] | str, ...] = (("next", "read on"),)
        elif self._asked is not None:
            choices = choices_of(self._asked[1])
            asked = ("pick1", "", f"1–{len(choices)}") if choices else "write"
            keys = (asked, ("next", "show the output"))
        else:
            keys = (("next", self._what_follows),)
        run, skip = self._example is not None and "run", lesson.page is not None and "skip"
        turn = len(lesson.pages) > 1 and ("before", "", "← →")
        return (*keys, run, skip, turn, "back")

    @property
    def _what_follows(self) -> str:
        """Say what comes after this page: in a session its cards when it is read first."""
        lesson, page = self._lesson, self._page
        if self._read is not None and self._at == lesson.page and page.cards:
            return f"answer {count(len(page.cards), 'card')}"
        goes_on = self._read is not None or self._at + 1 < len(lesson.pages)
        return "next" if goes_on else "done"

    @property
    def _example(self) -> Mapping[str, str] | None:
        page = self._page
        found = find_examples(page.body, page.id, page.place).examples
        return found[0]._asdict() if found else None

    def on_mount(self) -> None:
        self.watch(self.card, "scroll_y", self.refresh_hints, init=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self.refresh_hints)

    # What the keys do.

    def _turn_to(self, page: int) -> None:
        self._at = page
        self.card.scroll_home(animate=False)
        self._show()

    def _show(self) -> None:
        """Draw the page, with a line to type in where an output is asked that is typed."""
        self.typed.value = ""
        self.typed.display = self._types
        self._laid_out = False
        self.paint()
        self.card.focus()
        self.call_after_refresh(self._reached)

    @property
    def _below(self) -> bool:
        """Tell whether the page has more text, or choices, below what the screen shows."""
        return self.card.max_scroll_y - self.card.scroll_offset.y > _BLANK

    def _reached(self) -> None:
        """Type where the question is in sight, and say what the keys do here."""
        self._laid_out = True
        if self._types and not self._below:
            self.typed.focus()
        self.show_hints()

    def action_back(self) -> None:
        leaves = not self.typed.has_focus
        super().action_back()
        if leaves and self._read is not None:
            self.services.back()

    async def submit(self) -> None:
        self._answer(self.typed.value.strip())

    def action_pick(self, number: int) -> None:
        choices = choices_of(self._asked[1]) if self._asked is not None else ()
        if number > len(choices):
            return
        if self._laid_out and not self._below:
            self._answer(choices[number - 1])
        else:
            self.show_hints("read on to the choices first")

    def _answer(self, given: str) -> None:
        if self._asked is None:
            return
        self.do(partial(self._bring_back, self._at, self._asked[1], given))
        seen = self.front.virtual_region.bottom
        self._given[self._at, self._asked[0]] = given
        self._show()

        def show_output() -> None:
            # The question's last lines stay in sight above the output.
            above = self.card.size.height // 2
            self.card.scroll_to(y=max(0, seen - above), animate=False)
            self.call_after_refresh(self._reached)

        self.call_after_refresh(show_output)

    async def _bring_back(self, page: int, example: Example, given: str) -> None:
        """Make the cards due that mend a wrong answer."""
        name = mended_by(example, given)
        if name and not is_predicted(example, given):
            found = await self.study(
                bring_back_for_prediction, self._lesson.name, name, why_wrong(example, given)
            )
            self._mended.setdefault(page, []).extend(found)
            if found and page == self._at:
                self.draw()

    async def action_next(self) -> None:
        lesson = self._lesson
        if self._below:
            self.card.scroll_page_down(animate=False)
            self.call_after_refresh(self._reached)
            return
        if self._asked is not None:
            self._answer("")
            return
        if self._read is not None and self._at == lesson.page:
            self._read()
            self.services.back()
            return
        if self._read is None and lesson.page is not None and self._at >= lesson.page:
            page = self._at
            await self.study(lessons.page_read, lesson=lesson, page=page)
        if self._at + 1 < len(lesson.pages):
            self._turn_to(self._at + 1)
        else:
            self.services.back()

    def action_turn(self, by: int) -> None:
        lesson = self._lesson
        last = len(lesson.pages) - 1
        if self._read is not None and lesson.page is not None:
            last = lesson.page
        page = min(max(0, self._at + by), last)
        if page != self._at:
            self._turn_to(page)

    async def action_skip(self) -> None:
        if self._lesson.page is None:
            return
        if self._skipped is not None:
            self._skipped()
        else:
            await self.study(lessons.skip, lesson=self._lesson)
        self.services.back()

    def action_follow(self, _place: int) -> None:
        """Stay: the lines of the map beside a lesson are no way out of it."""

    def action_run(self) -> None:
        self.go("example", need(self._example, "there is no example on this page"))


_MOST_NEEDED = 4  # titles of concepts that the last line of a page names


def draw_page(
    page: LessonPage,
    given: Mapping[int, str],
    needed_for: Sequence[str],
    width: int,
    mended: Sequence[MendingCard] = (),
) -> Text:
    """Return the page up to the first output that is asked and was not answered.

    `given` are the answers by part, "" where the output was shown without one. `mended` are the
    cards that mend wrong ones.
    """
    drawn: list[Text] = []
    for number, part in enumerate(page.parts):
        if part.text:
            drawn.append(face(part.text, width))
        if part.asks is not None:
            if number not in given:
                asked = Text("What will it print?", style="bold")
                for place, choice in enumerate(choices_of(part.asks), start=1):
                    asked.append_text(Text.assemble("\n", (f"  {place}  ", "bold"), choice))
                return Text("\n\n").join([*drawn, asked])
            drawn.append(_answered(part.asks, given[number]))
            if reason := why_wrong(part.asks, given[number]):
                drawn.append(face(reason, width))
                for card in mended:
                    again = "→ *Asked next:*" if card.is_new else "↩ *Asked again:*"
                    drawn.append(face(f"{again} {card.title}", width))
    if needed_for:
        drawn.append(_needed(needed_for, width))
    return Text("\n\n").join(drawn)


def _answered(example: Example, given: str) -> Text:
    """Return the output, below what was given: with a sign, right or wrong."""
    right, wrong = colours().right, colours().wrong
    printed = indent(example.output.rstrip(), " " * CODE_INDENT)
    if not given:
        return Text(printed, style="bold")
    if is_predicted(example, given):
        return Text.assemble((printed, "bold"), ("   ✓ as you predicted", right))
    return Text.assemble((printed, "bold"), ("   ✗ ", wrong), (f"you said {given}", wrong))


def _needed(titles: Sequence[str], width: int) -> Text:
    named = ", ".join(titles[:_MOST_NEEDED])
    more = f" and {len(titles) - _MOST_NEEDED} more" if len(titles) > _MOST_NEEDED else ""
    wrapped = join_lines(paragraph(f"needed for: {named}{more}", width)).plain
    lines = [line.strip().rjust(width) for line in wrapped.splitlines()]
    return Text("\n".join(lines), style=palette().marker)
