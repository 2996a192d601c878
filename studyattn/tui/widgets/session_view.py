"""A review session at one moment, and as it is drawn: how far it is, and its last page.

`read_session` and `finish_session` run in the database's thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from studyattn.errors import StudyattnError
from studyattn.exchange.learning_note.autosave import autosave_note
from studyattn.home import Home
from studyattn.memory.state import Rating, Remembered
from studyattn.packs.briefs import read_brief
from studyattn.packs.locate import installed_packs
from studyattn.study.after_session import after_session
from studyattn.study.lessons import Lesson
from studyattn.study.practice.drills import checked_backend
from studyattn.study.profile import Profile
from studyattn.study.review.session import ReviewSession
from studyattn.study.review.views import (
    QueuePart,
    RatingChoice,
    RenderedCard,
    SessionProgress,
    SessionSummary,
)
from studyattn.tui.formatting import Lines, count, minutes, progress_bar, time_of_day
from studyattn.tui.widgets.concept_state import question
from studyattn.tui.widgets.rating_bar import RATING_COLOURS

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
        Content.styled(f"{summary.by_rating[rating]} {rating.name.lower()}", RATING_COLOURS[rating])
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


def finish_session(profile: Profile) -> StudyattnError | None:
    """Write the learning note where the setting asks for it. Return why it could not be written."""
    return after_session(profile, autosave_note)
