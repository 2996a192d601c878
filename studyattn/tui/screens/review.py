"""Reviewing: the front, then the answer and a rating, one item after another to a good end.

What is asked, what a rating gives and what can be undone is the session's business (`study`). An
answer counts as taken here only after `ReviewSession.answer` has returned, which is after its
transaction was committed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from studyattn.exchange.learning_note.autosave import autosave_note
from studyattn.home import Home
from studyattn.memory.state import Rating, Remembered
from studyattn.packs.briefs import read_brief
from studyattn.packs.card_kinds import kind_named
from studyattn.packs.locate import installed_packs
from studyattn.study.after_session import after_session
from studyattn.study.lessons import Lesson
from studyattn.study.notes.notes import About
from studyattn.study.practice.drills import checked_backend
from studyattn.study.review.beside import CardContext, read_context
from studyattn.study.review.recorder import RecordedReview
from studyattn.study.review.session import ReviewSession
from studyattn.study.review.views import (
    LeechOffer,
    QueuePart,
    RatingChoice,
    RenderedCard,
    SessionProgress,
    SessionSummary,
)
from studyattn.study.rules.evidence import Suggestion
from studyattn.study.rules.practice_series import SuggestedRating, suggest_for_answer
from studyattn.tui.dialogs.card import CardScreen, HistoryPage
from studyattn.tui.formatting import (
    Lines,
    clickable,
    count,
    minutes,
    progress_bar,
    rating_style,
    time_of_day,
)
from studyattn.tui.screens.asking import AskingScreen
from studyattn.tui.screens.base import NothingToDoError, need, queued
from studyattn.tui.widgets import card_face
from studyattn.tui.widgets.card_face import CardSide
from studyattn.tui.widgets.concept_state import question
from studyattn.tui.widgets.header_footer import Offered, Offers

_SESSION = 52  # columns of the first line for the bar and what is left, in words
_GAPS = 4  # columns of the first line without text: its margins, and between its two ends


_STEP_PASSED = "one step more of the drill; the next one comes with the next session"
_SET_ASIDE = {
    "bury": "buried until tomorrow",
    "suspend": "suspended; unsuspend it in Cards (b)",
    "let_go": "dismissed; back on its normal due date",
}
"""Ways to put an item aside instead of asking it, and what is said then."""


class ReviewScreen(CardScreen, AskingScreen, global_keys=False):
    """One session, from its first item to its ending."""

    SCOPE = "Review"
    _session: ReviewSession
    _seen: SessionSnapshot

    def __init__(self, only: tuple[str, ...] | None = None, *, ahead: bool = False) -> None:
        """`only`: a session of these items; `ahead`: also of those that are not due."""
        super().__init__()
        self._only = only
        self._ahead = ahead
        self._suggested: SuggestedRating | None = None  # by what was typed
        self._shown_at: datetime | None = None

    def below(self) -> Iterable[Widget]:
        yield RatingBar()

    def beside(self) -> CardSide:
        return CardSide(self._read_beside, self.days().today)

    async def _read_beside(self, shown: RenderedCard) -> CardContext:
        return await self.study(read_context, shown.guid, shown.concept_slug)

    # What is asked.

    async def load(self) -> None:
        if not self.is_loaded:
            await self._open()
            self.ends.push_async_callback(self._finish)
        passed = await self.database.run(self._session.pass_on)
        await self._see(keep_stage=True, notice=_STEP_PASSED if passed else "")

    async def _open(self) -> None:
        only, ahead = self._only, self._ahead
        self._session = await self.study(ReviewSession, only=only, ahead=ahead, teaches=True)

    async def _finish(self) -> None:
        if self.database.is_open:
            await self.database.run(self._session.close)
            problem = await self.study(after_session, autosave_note)
            if problem is not None:
                self.notify(str(problem), severity="warning", markup=False)

    async def _see(self, *, keep_stage: bool = False, notice: str = "") -> None:
        """Show what the session asks now; with `keep_stage`, the same item stays turned over."""
        before = self._shown if self.is_loaded else None
        seen = await self.database.run(read_session, self._session, self.services.home)
        if self not in self.app.screen_stack:  # left meanwhile
            raise NothingToDoError
        same = before is not None and seen.shown is not None and before.guid == seen.shown.guid
        if keep_stage and same:
            self._seen = seen
        else:
            self._begin(seen)
        self.redraw(notice)

    def _begin(self, seen: SessionSnapshot) -> None:
        """Begin with what the session asks now: its front, or the ending."""
        self._suggested = None
        # Reading a lesson counts for the card behind it.
        if self._shown_at is None or self._seen.lesson is None:
            self._shown_at = self.services.clock.now()
        self._seen = seen
        if seen.lesson is not None and self.app.screen is self:
            self.go("lesson", seen.lesson, read=self._page_read, skipped=self._skip_lesson)
        self.begin(types=seen.shown is not None and seen.shown.takes_input)

    # How it is drawn.

    def paint(self) -> None:
        if self.is_loaded:
            self.draw()
        else:
            self.headline("Review", self.date_text())
            self.front.update(Content.styled("Looking up what is due …", "$quiet"))

    def draw(self) -> None:
        seen, shown = self._seen, self._shown
        if shown is None:
            self.headline("Review", self.date_text())
        else:
            mark = Content.styled(card_face.signs(shown), "$accent")
            width, came = self.size.width, card_face.came_back(shown)
            if width - len(came) - len(shown.concept_title) < _SESSION:
                came = came[:2]  # the answer says for what
            right = Content.assemble((came, "$accent"), mark, (shown.concept_title, "$quiet"))
            room = width - right.cell_length - _GAPS
            self.headline(draw_progress(seen.progress, width, room), right)
        choices = seen.choices if self.is_revealed else ()
        self.query_one(RatingBar).show(choices, self._accepted)
        self.query_one(CardSide).about(shown)
        self.front.display = True  # a cloze that was turned over has hidden it
        if seen.lesson is not None:
            self.front.update("")
            self.back.update("")
        elif shown is None:
            offset = self.days().utc_offset
            self.front.update(draw_summary(seen.summary, seen.next_due, offset, self.width))
            self.back.update("")
        else:
            self.draw_card(shown)

    @property
    def _accepted(self) -> Rating:
        return Rating.GOOD if self._suggested is None else self._suggested.rating

    @property
    def _shown(self) -> RenderedCard | None:
        return self._seen.shown

    @property
    def _unanswered(self) -> RenderedCard | None:
        """The item whose answer is asked for: it is not turned over, and no lesson comes first."""
        return None if self.is_revealed or self._seen.lesson is not None else self._shown

    @property
    def _is_over(self) -> bool:
        return self._shown is None and self._seen.lesson is None

    def hints(self) -> Offers:
        shown, asks = self._shown, not self.is_revealed
        if self._seen.lesson is not None:
            return ("back",)
        if shown is None:
            accept = self.suggestion is not None and "accept"
            return (accept, ("reveal", "back to today"), "more undo")
        if asks and self.typed.has_focus:
            check = ("reveal", "check", "enter"), ("undo", "", "^_")
            return (*check, ("back", "other keys"))
        is_drill = shown.drill_id is not None
        lab = "cost lab" if shown.extra.get("lab") else ""
        asked: Offered = {
            "write": shown.takes_input,
            ("drill", "explain it"): kind_named(shown.card_kind).explained,
            ("reveal", "open the drill" if is_drill else ""): True,
        }
        always: Offered = {
            ("reveal", self._accepted.name.lower()): not asks,
            "undo": True,
            ("example", lab): card_face.offered_page(shown),
            "media": self.media_of(shown),
            "explain": True,
            "let_go": shown.brought_back,
            "edit": not is_drill,
            "info bury suspend mark tags note": True,
        }
        return (asked if asks else None, always)

    # What the keys do.

    async def action_reveal(self) -> None:
        if self._is_over:
            self.services.back()
        elif self.is_revealed:
            await self._rate(self._accepted)
        elif self._unanswered is not None and self._unanswered.drill_id is not None:
            self.action_drill()
        else:
            await self.submit()

    async def submit(self) -> None:
        shown = self._unanswered
        if shown is None:
            return
        await self.compare_typed(shown)
        if self.comparison is not None:
            usual = kind_named(shown.card_kind).usual_seconds
            self._suggested = suggest_for_answer(
                correct=self.comparison.correct, seconds=self._seconds(), usual=usual
            )
        self.turn_over()
        told = self._suggested
        self.show_hints(
            "" if told is None else f"{told.reason} Suggested: {told.rating.name.lower()}"
        )
        self.call_after_refresh(self._scroll_to_answer)

    def _seconds(self) -> float:
        """Return the seconds since the card was shown."""
        now = self.services.clock.now()
        return (now - (self._shown_at or now)).total_seconds()

    def _scroll_to_answer(self) -> None:
        if self.card.max_scroll_y > 0:
            back = self.query_one("#back")
            # The question's last lines stay in sight above the answer.
            self.card.scroll_to(y=max(0, back.virtual_region.y - 3), animate=False)

    async def action_rate(self, rating: int) -> None:
        await self._rate(Rating(rating))

    async def _rate(self, rating: Rating) -> None:
        if not self.is_revealed:
            return
        session, seconds = self._session, self._seconds()

        def answer() -> tuple[LeechOffer | None, SessionSnapshot]:
            answered = session.answer(rating, seconds)
            return session.leech(answered), read_session(session, self.services.home)

        shown = self._shown
        leech, seen = await self.database.run(answer)
        self._begin(seen)
        self.redraw()
        if leech is not None and shown is not None:
            self._write_note(shown, f"{leech.reason} What makes it hard? Write a note.")

    def action_drill(self) -> None:
        shown = self._shown
        if shown is not None and shown.drill_id is not None:
            self.go("drill", shown.drill_id, rated=self._answered_elsewhere)
        elif shown is not None and kind_named(shown.card_kind).explained:
            self.go("explain", shown.concept_slug, rated=self._answered_elsewhere)

    @queued
    async def _answered_elsewhere(self, answered: RecordedReview) -> None:
        await self._go_on(partial(self._session.answered_elsewhere, answered))

    @queued
    async def _page_read(self) -> None:
        await self._go_on(self._session.page_read)

    async def _go_on(self, done: Callable[[], object]) -> None:
        """Have the session count what was done elsewhere, and say which cards came back for it."""
        await self.database.run(done)
        cards = await self.database.run(self._session.refresh)
        await self._see(notice=f"{count(cards, 'card')} came back for it" if cards else "")

    @queued
    async def _skip_lesson(self) -> None:
        await self.database.run(self._session.skip_lesson)
        await self._see(notice="skipped; g opens the explanation")

    async def action_step(self, way: str) -> None:
        done = need(await self.database.run(getattr(self._session, way)), f"nothing to {way}")
        await self._see(notice=f"{'undone' if way == 'undo' else 'done again'}: {done.what}")

    async def action_set_aside(self, how: str) -> None:
        is_held = need(self._shown).brought_back or how != "let_go"
        need(is_held, "this card was not re-queued by a mistake")
        await self.database.run(getattr(self._session, how))
        await self._see(notice=_SET_ASIDE[how])

    async def action_mark(self) -> None:
        notice = "unmarked" if need(self._shown).marked else "marked"
        await self.database.run(self._session.mark)
        await self._see(keep_stage=True, notice=notice)

    async def shown_card(self) -> RenderedCard | None:
        return self._shown

    def media_of(self, shown: RenderedCard) -> tuple[str, ...]:
        return card_face.media_of(shown, revealed=self.is_revealed)

    async def save_tags(self, _shown: RenderedCard, tags: tuple[str, ...]) -> None:
        await self.database.run(self._session.tag, tags)
        await self._see(keep_stage=True, notice="tags saved")

    async def save_faces(self, _shown: RenderedCard, front: str, back: str) -> None:
        await self.database.run(self._session.edit, front, back)
        await self._see(keep_stage=True, notice="saved; its schedule is unchanged")

    async def action_info(self) -> None:
        shown = need(self._shown)
        about = partial(card_face.about, shown, self.days())
        self.app.push_screen(HistoryPage("About this card", shown.guid, about))

    async def action_note(self) -> None:
        self._write_note(need(self._shown))

    def _write_note(self, shown: RenderedCard, explanation: str = "") -> None:
        about = About(concept=shown.concept_slug, item=shown.guid)
        self.go("note", about=about, explanation=explanation)

    # The ending.

    @property
    def suggestion(self) -> Suggestion | None:
        summary = self._seen.summary
        return summary.suggestion if summary else None

    async def reload(self, notice: str) -> None:
        await self._see(keep_stage=True, notice=notice)

    def studied(self) -> str | None:
        """Return a search for all cards, once the session has ended."""
        return "" if self._is_over else None

    async def study_more(self, guids: tuple[str, ...]) -> None:
        """Begin another session, in place of the one that has ended."""
        await self.database.run(self._session.close)
        self._only, self._ahead = guids, True
        await self._open()
        await self.load()


_COLOURS: Mapping[QueuePart, str] = {
    QueuePart.NEW: "$accent",
    QueuePart.LEARNING: "$wrong",
    QueuePart.DUE: "$right",
}
_WIDEST_BAR = 21
_SHORTEST_BAR = 6
_BESIDE_BAR = 68
"""Columns that a terminal keeps for what stands beside the bar, once that has its shortest."""


def draw_progress(progress: SessionProgress, width: int, room: int) -> Content:
    """Return a bar and what is left by kind, in `room` columns of a terminal of `width`.

    The bar gives way first, then words become letters. Its length depends on the terminal alone, so
    that it never runs backwards.
    """
    bar = progress_bar(progress.share, max(_SHORTEST_BAR, min(_WIDEST_BAR, width - _BESIDE_BAR)))
    for gap, words in (("   ", True), ("  ", True), ("  ", False)):
        left = [
            Content.styled(
                f"{number} {part.value}" if words else f"{number}{part.value[0]}",
                _COLOURS[part] if number else "$quiet",
            )
            for part, number in progress.left.items()
        ]
        text = Content(gap).join(left)
        if bar.cell_length + len(gap) + text.cell_length <= room:
            return Content.assemble(bar, gap, text)
        if text.cell_length <= room:
            break
    return text


def draw_summary(
    summary: SessionSummary | None, next_due: datetime | None, utc_offset: int, width: int
) -> Content:
    """Return the ending, or, where nothing was asked, when the next card comes."""
    page = Lines(width)
    if summary is None or not (summary.answered or summary.steps):
        page.add(("Nothing is due", "bold"))
        page.add()
        page.wrap(_what_follows(summary, next_due, utc_offset))
        return page.content
    page.add(("✓ ", "$right bold"), ("Done for now", "bold"))
    page.add()
    _what_changed(summary, page)
    page.add()
    if summary.next_due is not None:
        at = time_of_day(summary.next_due, utc_offset)
        page.wrap(f"next card at {at}", mark=_label("Later today"))
    page.wrap(summary.tomorrow.words(), mark=_label("Tomorrow"))
    if (suggestion := summary.suggestion) is not None:
        page.add()
        page.wrap(Content.assemble((suggestion.title, "bold"), f". {question(suggestion)}"))
    for leech in summary.leeches:
        page.add()
        page.wrap(Content.assemble(("● ", "$wrong"), f"{leech.concept_title}: {leech.reason}"))
    return page.content


def _what_follows(
    summary: SessionSummary | None, next_due: datetime | None, utc_offset: int
) -> str:
    due = next_due or (summary.next_due if summary else None)
    if due is not None:
        return f"The next card is due at {time_of_day(due, utc_offset)}."
    if summary is not None and summary.tomorrow.minutes:
        return f"Tomorrow: {summary.tomorrow.words()}."
    return "Import your own notes, or raise the daily limit of new cards."


def _what_changed(summary: SessionSummary, page: Lines) -> None:
    rated = [
        Content.styled(f"{summary.by_rating[rating]} {rating.name.lower()}", rating_style(rating))
        for rating in Rating
        if summary.by_rating.get(rating)
    ]
    if summary.answered:
        answers = f"{count(summary.answered, 'answer')}, {minutes(summary.seconds)}"
        page.add(_label("Answered"), answers)
        page.add(_label(""), Content("   ").join(rated))
    for title, step in summary.steps:
        place, _, name = step.partition(" ")
        passed = int(place.partition("/")[0] or 0) - 1
        goes_on = f"{count(passed, 'step')} passed; next: {name}" if step else "passed; rate it"
        page.wrap(f"{title}: {goes_on}", mark=_label("Written"))
    if summary.new:
        page.add(_label("New"), f"{count(summary.new, 'card')} seen for the first time")
    if (done := summary.done) is not None and done.passed:
        page.add(_label("Written"), f"{count(done.passed, 'drill')} passed today")
    if done is not None and done.held:
        page.add(_label("Holds"), f"{count(done.held, 'card')} of today for a week or more")
    if summary.concepts:
        *shown, rest = *summary.concepts[:_NAMED], len(summary.concepts) - _NAMED
        more = f" and {rest} more" if rest > 0 else ""
        page.wrap(f"{' · '.join(map(str, shown))}{more}", mark=_label("Concepts"))


_LABEL = 14
_NAMED = 4  # concepts, the most studied ones


def _label(label: str) -> tuple[str, str]:
    return (f"{label:<{_LABEL}}", "$quiet")


@dataclass(frozen=True, slots=True)
class SessionSnapshot:
    """The item that a session asks now, or its ending."""

    shown: RenderedCard | None
    choices: tuple[RatingChoice, ...]
    progress: SessionProgress
    next_due: datetime | None
    summary: SessionSummary | None
    lesson: Lesson | None = None  # the lesson with a page to read before anything is asked


def read_session(session: ReviewSession, home: Home) -> SessionSnapshot:
    """Read a session."""
    shown = session.current
    if shown is not None and shown.drill_id is not None:
        shown = _with_brief(shown, shown.drill_id, home)
    return SessionSnapshot(
        shown=shown,
        choices=session.choices() if shown else (),
        progress=session.progress,
        next_due=session.next_due,
        summary=None if shown or session.lesson else session.summary(),
        lesson=session.lesson,
    )


def _with_brief(shown: RenderedCard, drill: str, home: Home) -> RenderedCard:
    """Give a drill its brief as its front, where a pack still has the brief."""
    packs = (folder for folder in installed_packs(home) if folder.name == shown.pack)
    briefs = (folder / "drills" / drill / "brief.md" for folder in packs)
    path = next((each for each in briefs if each.is_file()), None)
    if path is None:
        return shown
    brief, _ = read_brief(path.read_text(encoding="utf-8"), path)
    if isinstance(shown.memory, Remembered):
        brief = brief.with_formula_as_hint()
    text = brief.text_in(checked_backend(brief, None))
    step = shown.front.partition(", step ")[2]
    title = f"{brief.title}, step {step}" if step else brief.title
    return shown._replace(front=f"## {title}\n\n{text}")


class RatingBar(Widget):
    """The four ratings below an answer: a coloured key each, its name, the interval that it gives.

    Each can be clicked. The rating that space gives is underlined. The bar keeps its place while
    there are no choices, so that nothing else moves.
    """

    DEFAULT_CSS = """
    RatingBar { height: 2; width: 100%; border-top: solid $rule; }
    """

    auto_links = reactive(False)  # a rating can be clicked and keeps its colours
    choices: reactive[tuple[RatingChoice, ...]] = reactive(())
    accepted: reactive[Rating] = reactive(Rating.GOOD)  # the rating that space gives

    def show(self, choices: tuple[RatingChoice, ...], accepted: Rating) -> None:
        """Show these, `accepted` as the one that space gives."""
        self.accepted = accepted
        self.choices = choices

    def render(self) -> Content:
        """Return the four in a row, in the middle of wide terminals."""
        width = self.content_size.width
        row = Content()
        # Where there is no room: closer together, then narrow keys, then no intervals.
        for gap, edge, interval in (2, " ", True), (1, " ", True), (1, "", True), (1, " ", False):
            rated = (self._rating(each, edge, interval) for each in self.choices)
            row = Content(" " * gap).join(rated)
            if row.cell_length <= width - 2:
                break
        return Content.assemble(" " * max(1, (width - row.cell_length) // 2), row)

    def _rating(self, choice: RatingChoice, edge: str, interval: bool) -> Content:
        colour = rating_style(choice.rating)
        underline = "underline" if choice.rating is self.accepted else ""
        text = Content.assemble(
            (f"{edge}{int(choice.rating)}{edge}", f"reverse bold {colour}"),
            " ",
            (choice.rating.name.lower(), f"bold {underline} {colour}"),
            (f" {choice.interval}" if interval else "", "$quiet"),
        )
        return clickable(text, f"screen.rate({int(choice.rating)})")
