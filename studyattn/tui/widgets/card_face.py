"""An item as it is drawn: question, answer beside what was typed, facts; what stands beside it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import date
from functools import partial

from rich.text import Text
from textual import work
from textual.content import Content

from studyattn.memory.state import Remembered
from studyattn.packs.answers import AnswerComparison
from studyattn.packs.card_kinds import kind_named
from studyattn.store.queries.concepts import NeighbourRow
from studyattn.store.tags import FLAGS
from studyattn.study.review.beside import CardContext
from studyattn.study.review.views import RenderedCard, days_text
from studyattn.study.statistics.one_card import PastReview
from studyattn.text.media import named_media, picture_type
from studyattn.tui.formatting import (
    Days,
    Lines,
    columns,
    count,
    pad,
    progress_bar,
    rating_style,
    short_date,
)
from studyattn.tui.pictures import picture
from studyattn.tui.services import BESIDE, services_of
from studyattn.tui.theme import colours
from studyattn.tui.widgets.concept_state import NAMES, sign
from studyattn.tui.widgets.header_footer import ROOM, SidePanel
from studyattn.tui.widgets.rendered_text import face, palette


def front(shown: RenderedCard, width: int) -> Text:
    """Return the question."""
    text = _with_pictures(shown.front, shown, width)
    if shown.drill_id is None:
        return text
    commands = face(_OUTSIDE.format(id=shown.drill_id), width)
    return Text.assemble(text, "\n\n", commands)


def back(shown: RenderedCard, comparison: AnswerComparison | None, width: int) -> Text:
    """Return the answer under a thin rule, what was typed first.

    An answer that repeats the question, as a cloze's does, has no rule: it takes its place.
    """
    kind = kind_named(shown.card_kind)
    if kind.answer_replaces_question:
        return Text.assemble(
            _because(shown, width),
            _with_pictures(shown.back, shown, width),
            _corrections(shown, width),
        )
    rule = ("─" * width, palette().marker)
    parts: list[Text | str | tuple[str, str]] = ["\n", rule, "\n\n", _because(shown, width)]
    if comparison is not None:
        parts += [_compared(comparison), "\n\n"]
    elif shown.expected is not None and not kind.back_states_answer:
        parts += [("✓ ", colours().right), (shown.expected.shown, "bold"), "\n\n"]
    parts += [_with_pictures(shown.back, shown, width), _corrections(shown, width)]
    if kind.offers_examples:
        for example in shown.extra.get("examples", ()):
            parts += ["\n\n", _offer("run", str(example["title"]), width)]
        if shown.extra.get("lab"):
            what = f"how {shown.extra['lab']} grows"
            parts += ["\n\n", _offer("cost lab", what, width)]
    return Text.assemble(*parts)


def _with_pictures(markdown: str, shown: RenderedCard, width: int) -> Text:
    """Return a text with its pictures below it, where they can be shown."""
    text = face(markdown, width)
    for name in named_media(markdown):
        if picture_type(name) and (drawn := picture(shown.media / name, width)) is not None:
            text = Text.assemble(text, "\n\n", drawn)
    return text


def media_of(shown: RenderedCard, *, revealed: bool) -> tuple[str, ...]:
    """Return the names of the pictures and sounds that are on the screen."""
    return named_media(shown.front, shown.back) if revealed else named_media(shown.front)


def came_back(shown: RenderedCard) -> str:
    """Name the drill that brought the card back, as a prefix of its concept; else nothing."""
    return f"↩ back for {shown.because[0]}   " if shown.brought_back else ""


def _because(shown: RenderedCard, width: int) -> Text:
    """The mistake that brought the card back; not with the question, which it may answer."""
    if not shown.brought_back:
        return Text()
    return Text.assemble(face(f"↩ *{shown.because[1]}*", width), "\n\n")


def _corrections(shown: RenderedCard, width: int) -> Text:
    """Return the corrections of the answer: the claim, its source, and what is right."""
    text = Text()
    for each in shown.corrections:
        text.append("\n\n✗ ", style=colours().wrong)
        text.append_text(face(each.markdown, width))
    return text


def _offer(what: str, title: str, width: int) -> Text:
    """The line that offers to run an example, or to open the cost lab."""
    text = Text.assemble((f"▸ {what}: ", palette().marker), title)
    text.truncate(width - 4, overflow="ellipsis")
    text.append(" " * max(2, width - text.cell_len - 1))
    text.append("x", style="bold")
    return text


def signs(shown: RenderedCard) -> str:
    """Return the signs of a card that is marked or has a flag."""
    flags = [tag.removeprefix("flag:") for tag in shown.tags if tag in FLAGS]
    return ("★ " if shown.marked else "") + "".join(f"⚑ {flag} " for flag in flags)


def both(shown: RenderedCard, width: int) -> Text:
    """Question, answer and tags, for looking at."""
    tags = (f"\n\n# {' '.join(shown.tags)}", palette().marker) if shown.tags else ""
    if kind_named(shown.card_kind).answer_replaces_question:
        return Text.assemble(back(shown, None, width), tags)
    answer = back(shown, None, width) if shown.drill_id is None else ""
    return Text.assemble(front(shown, width), answer, tags)


_OUTSIDE = """\
Or write it in your own editor: `studyattn drill start {id}`, then `studyattn drill watch {id}`.
"""


_LONGEST_GIVEN = 300
"""Columns of a wrong answer that are shown: the right one stays in sight below it."""


def _compared(comparison: AnswerComparison) -> Text:
    """Return what was typed with a sign, and below it the right answer where it differs."""
    right, wrong = colours().right, colours().wrong
    if comparison.correct:
        return Text.assemble(("✓ ", right), (comparison.given, right))
    given = Text()
    for part in comparison.parts:
        given.append(part.text, style="" if part.right else f"{wrong} underline")
    given.truncate(_LONGEST_GIVEN, overflow="ellipsis")
    note = f"   {comparison.note}" if comparison.note else ""
    return Text.assemble(
        ("≠ ", palette().marker) if comparison.correct is None else ("✗ ", wrong),
        given,
        (note, palette().marker),
        ("\n✓ ", right),
        (comparison.expected, "bold"),
    )


def offered_page(shown: RenderedCard) -> tuple[str, object] | None:
    """Return the screen that `x` opens, and its argument: the cost lab, or the first example."""
    if shown.extra.get("lab"):
        return "cost", str(shown.extra["lab"])
    return next((("example", each) for each in shown.extra.get("examples", ())), None)


_LABEL = 13


def about(shown: RenderedCard, days: Days, width: int) -> Content:
    """Return what there is to know about an item: its origin, its memory, where to read more."""
    origin = {
        "Concept": shown.concept_title,
        "Source": shown.source_title,
        "Pack": shown.pack,
        "Tags": " ".join(shown.tags),
    }
    rows = [(label, value) for label, value in origin.items() if value]
    rows += [("Kind", shown.card_kind or shown.kind), ("Guid", shown.guid), ("", "")]
    if shown.brought_back:
        rows += [("Back", shown.brought_back), ("", "")]
    rows += _memory_rows(shown, days)
    page = Lines(width)
    for label, value in rows:
        page.wrap(value or " ", mark=(f"{label:<{_LABEL}}", "$quiet"))
    links = shown.extra.get("links", ())
    if links:
        page.add()
        page.quiet("Read more")
        for link in links:
            page.wrap(link["text"])
            page.wrap(link["address"], "$quiet")
    return page.content


def _memory_rows(shown: RenderedCard, days: Days) -> list[tuple[str, str]]:
    memory = shown.memory
    if not isinstance(memory, Remembered):
        return [("Reviews", "none yet (new card)")]
    return [
        ("Reviews", f"{memory.reps}, of which {count(memory.lapses, 'lapse')}"),
        ("Last review", short_date(memory.last_day, days.today)),
        ("Due", days.when(memory.due)),
        ("Phase", memory.phase.value),
        ("Stability", f"{memory.stability:.1f} days (recall then drops to 90%)"),
        ("Difficulty", f"{memory.difficulty:.1f} of 10"),
    ]


_LISTED = 5
_ANSWERS = 8
_NAME = 20  # columns of the day and the rating of an answer
_BARS = 12
_BAR_LINES = 4


class CardSide(SidePanel):
    """Reads what is beside a card with `read`, after the card is drawn, and draws it."""

    DEFAULT_CSS = "CardSide { width: 46; padding: 1 3 0 3; }"

    def __init__(self, read: Callable[[RenderedCard], Awaitable[CardContext]], today: date) -> None:
        super().__init__()
        self._read = read
        self._today = today
        self._asked: RenderedCard | None = None
        self._read_for: RenderedCard | None = None
        self.context: CardContext | None = None

    def about(self, shown: RenderedCard | None) -> None:
        """Be beside this card: what is known of it is read after the next frame.

        It is read beside the screen's queue, so that no key waits for it. A later card drops it.
        """
        self.display = shown is not None and self.screen.size.width >= ROOM
        if shown is self._asked and not self._is_behind:
            return
        self._asked = shown
        if self.display:
            self.call_after_refresh(self._look_up)

    @work(group=BESIDE, exclusive=True, exit_on_error=False)
    async def _look_up(self) -> None:
        asked = self._asked
        if asked is None or not self._is_behind or not self.is_mounted:
            return
        try:
            found = await self._read(asked)
        except Exception as error:  # noqa: BLE001 - whatever it is, the learner reads a modal
            services_of(self.screen).show_error(error)
            return
        if asked is self._asked and self.is_mounted:
            self._read_for, self.context = asked, found
            self.show(partial(draw_side, found, self._today), anew=True)

    @property
    def _is_behind(self) -> bool:
        """True while something else is drawn than what stands beside the card."""
        return self._asked is not self._read_for


def draw_side(context: CardContext, today: date, width: int) -> Content:
    """Return the side of a card, in `width` columns."""
    concept, page = context.concept, Lines(width)
    page.wrap(concept.title, "bold")
    page.add(sign(concept.state), " ", (NAMES[concept.state], "$quiet"))
    if concept.cards:
        held = f"{concept.held} of {count(concept.cards, 'card')} held"
        page.add(progress_bar(concept.held / concept.cards, 12), "  ", (held, "$quiet"))
    page.lines += _neighbours("Needs", context.requires, width)
    page.lines += _neighbours("Leads to", context.unlocks, width)
    page.add()
    page.lines += _history(context, today, width)
    return page.content


def _neighbours(title: str, rows: Sequence[NeighbourRow], width: int) -> Iterator[Content]:
    if not rows:
        return
    yield Content()
    yield Content.styled(title, "$quiet")
    for row in rows[:_LISTED]:
        yield Content.assemble(sign(row.state), " ", pad(row.title, width - 2).rstrip())
    if len(rows) > _LISTED:
        yield Content.styled(f"  and {len(rows) - _LISTED} more", "$quiet")


def _history(context: CardContext, today: date, width: int) -> Iterator[Content]:
    """The card's answers, the last ones, and how its stability grew."""
    yield Content.styled("This card", "bold")
    answers = context.answers
    if not answers:
        yield Content.styled("is new: this is its first review.", "$quiet")
        return
    recall = "" if context.recall is None else f", {round(100 * context.recall)}% recall now"
    yield Content.styled(f"{count(len(answers), 'answer')}{recall}", "$quiet")
    yield Content()
    yield Content.styled(f"{'':{_NAME}}{'took':>7}{'holds':>{width - _NAME - 7}}", "$quiet")
    for answer in reversed(answers[-_ANSWERS:]):
        then = days_text(answer.stability).rjust(width - _NAME - 7)
        rating = f"{int(answer.rating)} {answer.rating.name.lower():<6}"
        yield Content.assemble(
            (f"{short_date(answer.day, today):<12}", "$quiet"),
            (rating, rating_style(answer.rating)),
            (f"{answer.seconds:.0f} s".rjust(7), "$quiet"),
            then,
        )
    if len(answers) > _ANSWERS:
        yield Content.styled(f"and {len(answers) - _ANSWERS} before", "$quiet")
    if len(answers) > 1:
        yield Content()
        yield from _stability(answers[-_BARS:])


def _stability(answers: Sequence[PastReview]) -> Iterator[Content]:
    """Bars of the stability after each answer, each in the colour of its rating."""
    days = [answer.stability for answer in answers]
    yield Content.styled("Stability after each", "$quiet")
    scaled = [max(1, round(1000 * day / max(days))) if max(days) > 0 else 0 for day in days]
    for line in columns(scaled, _BAR_LINES, width=1, gap=1):
        cells = [
            Content.styled(2 * cell, rating_style(answer.rating))
            for cell, answer in zip(line[::2], answers, strict=True)
        ]
        yield Content(" ").join(cells)
