"""A review session: choosing the next item, recording the answer, undo and redo.

The queue is read once, when the session opens; the log is written through on every answer, so a
session that is killed has lost nothing and the next one starts where it stopped. Undo goes back
through this session first and then, through the log, as far as the log reaches.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple, Self

from studyattn.memory import Phase, Rating, Remembered
from studyattn.memory.order import LEARN_AHEAD, Interleaving
from studyattn.memory.state import drill_id, is_due
from studyattn.packs.locate import drill_titles
from studyattn.store.queries.items import ItemField, Value
from studyattn.study import lessons
from studyattn.study.concepts.suggestions import suggestions
from studyattn.study.lessons import Lesson, LessonBook
from studyattn.study.practice import mistakes
from studyattn.study.profile import Profile
from studyattn.study.review import item_actions, queue, recorder
from studyattn.study.review.card_loader import CardLoader
from studyattn.study.review.recorder import RecordedReview, ReviewRecorder
from studyattn.study.review.views import (
    LeechOffer,
    QueuePart,
    RatingChoice,
    RenderedCard,
    SessionProgress,
    SessionSummary,
    choices_of,
)
from studyattn.study.rules.pace import counted_seconds
from studyattn.study.statistics.today import done_on, plan_of


class Undone(NamedTuple):
    """A step that was taken back or done again, for a line on the screen."""

    what: str  # a rating's name, "bury", "suspend", "let go", "mark", "unmark", "edit"
    guid: str


class _Step(NamedTuple):
    """One thing the learner did in this session, and how it is taken back and done again."""

    what: str
    guid: str
    again: Callable[[], object]
    back: Callable[[], object]
    answered: RecordedReview | None = None
    concept: str = ""


class ItemQueue:
    """The items that a session has still to ask: guids in their order, counted by part.

    The counts are kept rather than taken, as they are read after every answer and a queue may hold
    ten thousand items.
    """

    def __init__(self, items: Iterable[tuple[str, QueuePart]]) -> None:
        self._parts = OrderedDict(items)
        self.left = Counter(self._parts.values())

    def __len__(self) -> int:
        return len(self._parts)

    def __contains__(self, guid: str) -> bool:
        return guid in self._parts

    @property
    def first(self) -> str | None:
        """The item that is asked next; None in an empty queue."""
        return next(iter(self._parts), None)

    def put_first(self, guid: str, part: QueuePart) -> None:
        """Ask this item before all others. It may not be in the queue yet."""
        self._parts[guid] = part
        self._parts.move_to_end(guid, last=False)
        self.left[part] += 1

    def take_first(self) -> str:
        """Remove and return the item that is asked next. Raises KeyError for an empty queue."""
        guid, part = self._parts.popitem(last=False)
        self.left[part] -= 1
        return guid

    def discard(self, guid: str) -> None:
        """Remove an item, if it is there."""
        part = self._parts.pop(guid, None)
        if part is not None:
            self.left[part] -= 1


class ReviewSession:
    """The learner's session of one day. Close it, or use it in a `with`.

    At its end it looks once more what the day has room for: a drill that waited for its cards.
    `interleaving` overrides the setting for this session; `only` makes it a session of the items
    with these guids, which the day's limits do not hold back (see `queue.read_day`); with `ahead`
    those of them that are not due are asked too. With `teaches` it stops for the pages of lessons
    (`lesson`), where the setting has them.
    """

    def __init__(
        self,
        profile: Profile,
        *,
        interleaving: Interleaving | None = None,
        only: tuple[str, ...] | None = None,
        teaches: bool = False,
        ahead: bool = False,
    ) -> None:
        self._profile = profile
        self._book = LessonBook(profile) if teaches and profile.settings.lessons else None
        self._lesson: Lesson | None = None  # with a page to read now
        self._running: Lesson | None = None  # whose cards are asked now
        self._missed: set[str] = set()  # its cards that come back at its end
        self._recorder = ReviewRecorder(profile)
        self._cards = CardLoader(self._recorder.driver, profile)
        day = queue.read_day(profile, interleaving=interleaving, only=only, ahead=ahead)
        self._interleaving, self._is_chosen = interleaving, only is not None
        self._looked_after = 0  # steps after which the day was looked at again
        self._queue = ItemQueue((item.guid, QueuePart.of(item.phase)) for item in day.items)
        self._opened = profile.clock.now()
        self._early = {item.guid for item in day.items} if ahead else frozenset[str]()
        self._waiting = list(day.later)  # learning steps still to end
        self._done: list[_Step] = []
        self._stepped: dict[str, str] = {}  # drills that go on another day, with the next step
        self._undone: list[_Step] = []
        self._shown: RenderedCard | None = None
        self._share = 0.0  # the greatest share done so far: it falls by undo alone

    def close(self) -> None:
        """Give the database connection back. Nothing is left to save."""
        self._recorder.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def current(self) -> RenderedCard | None:
        """The item that is asked now; None when the session is over or waits for a step.

        None also while a page of a lesson is to be read first.
        """
        if self._shown is None and self._lesson is None:
            self._shown = self._next()
        return self._shown

    @property
    def lesson(self) -> Lesson | None:
        """The lesson with a page to read before anything is asked; None when there is none."""
        return None if self.current is not None else self._lesson

    def page_read(self) -> None:
        """Go on after the lesson's page: to the cards that it prepares for, or the next page."""
        if self._lesson is not None and self._lesson.page is not None:
            lessons.page_read(self._profile, self._lesson, self._lesson.page)
            self._running, self._lesson = self._lesson, None

    def skip_lesson(self) -> None:
        """Ask the concept's cards without the rest of its lesson, which is over."""
        if self._lesson is not None:
            lessons.skip(self._profile, self._lesson)
            self._lesson = None

    @property
    def next_due(self) -> datetime | None:
        """The instant at which the next learning step ends; None when none is waited for."""
        return min((due for due, _ in self._waiting), default=None)

    @property
    def progress(self) -> SessionProgress:
        """The session's progress. Steps that end later than it would wait do not count."""
        horizon = self._profile.clock.now() + LEARN_AHEAD
        left = Counter(self._queue.left)
        left[QueuePart.LEARNING] += sum(due <= horizon for due, _ in self._waiting)
        if self._shown is not None:
            left[_part_of(self._shown)] += 1
        done = len(self._answers())
        self._share = max(self._share, done / max(1, done + left.total()))
        return SessionProgress(done, {part: left[part] for part in QueuePart}, self._share)

    def choices(self) -> tuple[RatingChoice, ...]:
        """Return the four ratings of the current item with what each will lead to; () for none."""
        shown = self.current
        if shown is None:
            return ()
        scheduler, moment = self._profile.scheduler, self._profile.moment()
        seeds = self._recorder.load_ahead.seeds(shown.guid, shown.memory, moment)
        return choices_of(scheduler, shown.guid, shown.memory, moment, seeds)

    def answer(self, rating: Rating, seconds: float = 0.0) -> RecordedReview:
        """Rate the current item. When this returns, the answer survives a power cut.

        Raises LookupError when nothing is asked, StoreError when it cannot be written.
        """
        shown = self._asked()
        moment = self._profile.moment()
        answered = self._recorder.take(shown.guid, rating, moment, max(0.0, seconds))
        if self._running is not None and rating is Rating.AGAIN:
            self._missed.add(shown.guid)
        self._take_in(answered, shown.concept_title)
        return answered

    def answered_elsewhere(self, answered: RecordedReview) -> None:
        """Count an answer that was given outside: a drill is rated by its `PracticeSession`.

        It becomes a step of this session, which its `undo` takes back.
        """
        card = self._cards.read(answered.review.item_guid)
        self._forget(answered.review.item_guid)
        self._take_in(answered, "" if card is None else card.concept_title)

    def pass_on(self) -> bool:
        """Go on after a drill of which a step has passed since it was asked: the rest comes later.

        False where nothing has.
        """
        shown = self._shown
        now = self._cards.read(shown.guid) if shown and shown.drill_id else None
        if shown is None or now is None or now.front == shown.front:
            return False
        self._stepped[shown.guid] = now.front.partition(", step ")[2]
        self._forget(shown.guid)
        return True

    def refresh(self) -> int:
        """Ask first the cards that a mistake in code has brought back since. Return how many."""
        day = queue.read_day(self._profile, interleaving=Interleaving.CARDS_ONLY)
        there = {guid for _, guid in self._waiting}
        if self._shown is not None:
            there.add(self._shown.guid)
        back = [
            each
            for each in day.items
            if each.brought_back and each.guid not in there and each.guid not in self._queue
        ]
        for item in reversed(back):
            self._queue.put_first(item.guid, QueuePart.of(item.phase))
        return len(back)

    def leech(self, answered: RecordedReview) -> LeechOffer | None:
        """Return what to offer when this answer made its item a leech; None when it did not."""
        return recorder.leech_offer(self._profile, answered)

    def bury(self) -> None:
        """Put the current item off until the next learner day."""
        until = self._profile.today() + timedelta(days=1)
        self._change("bury", ItemField.BURIED, until, None)
        self._shown = None

    def suspend(self) -> None:
        """Take the current item out of every queue until the learner brings it back."""
        self._change("suspend", ItemField.SUSPENDED, True, False)
        self._shown = None

    def let_go(self) -> bool:
        """Ask the current card on its own day again, not for the mistake that brought it back.

        False when no mistake did.
        """
        shown, profile = self._asked(), self._profile
        if not shown.brought_back:
            return False
        held = mistakes.let_go(profile, shown.guid)
        step = _Step(
            "let go",
            shown.guid,
            lambda: mistakes.let_go(profile, shown.guid),
            lambda: mistakes.hold_again(profile, held),
        )
        self._did(step)
        self._shown = None
        if is_due(shown.memory, profile.clock.now()):
            self._queue.put_first(shown.guid, _part_of(shown))
        return True

    def mark(self) -> bool:
        """Mark the current item, or unmark it. Return whether it is marked now."""
        shown = self._asked()
        marked = not shown.marked
        self._change("mark" if marked else "unmark", ItemField.MARKED, marked, not marked)
        self._shown = shown._replace(marked=marked)
        return marked

    def tag(self, tags: tuple[str, ...]) -> None:
        """Give the current item these tags and no others."""
        shown = self._asked()
        self._change("tags", ItemField.TAGS, tags, shown.tags)
        self._shown = shown._replace(tags=tags)

    def edit(self, front: str, back: str) -> RenderedCard:
        """Give the current card the learner's wording (see `RenderedCard.written`).

        Raises InputError for an empty question or a drill.
        """
        shown, profile = self._asked(), self._profile
        before = item_actions.edit(profile, shown.guid, front, back)
        step = _Step(
            "edit",
            shown.guid,
            lambda: item_actions.edit(profile, shown.guid, front, back),
            lambda: item_actions.restore_text(profile, shown.guid, before),
        )
        self._did(step)
        return self._show(shown.guid)

    def undo(self) -> Undone | None:
        """Take back the last thing done here, or the last review in the log; None for nothing.

        The item concerned is the current one again.
        """
        self._share = 0.0
        if self._done:
            step = self._done.pop()
            step.back()
            self._undone.append(step)
            self._bring_back(step.guid)
            return Undone(step.what, step.guid)
        withdrawn = recorder.undo(self._profile)
        if withdrawn is None:
            return None
        step = self._answer_step(withdrawn._replace(before=withdrawn.after, after=withdrawn.before))
        self._undone.append(step)
        self._bring_back(step.guid)
        return Undone(step.what, step.guid)

    def redo(self) -> Undone | None:
        """Do again what was taken back last; None when nothing was, or something new was done."""
        if not self._undone:
            return None
        step = self._undone.pop()
        step.again()
        self._done.append(step)
        if step.answered is not None or step.what in {"bury", "suspend", "let go"}:
            self._forget(step.guid)
            if step.answered is not None:
                self._come_back(step.guid, step.answered)
        else:
            self._bring_back(step.guid)
        return Undone(step.what, step.guid)

    def summary(self) -> SessionSummary:
        """Return the session's figures, for its last screen."""
        answers, today = self._answers(), self._profile.today()
        concepts = Counter(step.concept for step in self._done if step.concept)
        proposed = suggestions(self._profile, most=1)
        titles = drill_titles(self._profile.home) if self._stepped else {}
        return SessionSummary(
            answered=len(answers),
            steps=tuple((titles[drill_id(guid)], step) for guid, step in self._stepped.items()),
            by_rating=Counter(each.review.rating for each in answers if each.review.rating),
            new=sum(each.of_new_card for each in answers),
            seconds=self._seconds(),
            concepts=tuple(title for title, _ in concepts.most_common()),
            next_due=self.next_due,
            tomorrow=plan_of(self._profile, today + timedelta(days=1)),
            done=done_on(self._profile, today),
            suggestion=proposed[0] if proposed else None,
            leeches=tuple(self._leeches()),
        )

    def _leeches(self) -> Iterator[LeechOffer]:
        for answered in self._answers():
            offer = self.leech(answered)
            if offer is not None:
                yield offer

    def _take_in(self, answered: RecordedReview, concept: str) -> None:
        self._did(self._answer_step(answered, concept))
        self._stepped.pop(answered.review.item_guid, None)
        self._shown = None
        self._come_back(answered.review.item_guid, answered)

    def _answer_step(self, answered: RecordedReview, concept: str = "") -> _Step:
        review, profile = answered.review, self._profile
        return _Step(
            "" if review.rating is None else review.rating.name.lower(),
            review.item_guid,
            lambda: recorder.restore(profile, review.uuid),
            lambda: recorder.withdraw(profile, review.uuid),
            answered,
            concept,
        )

    def _answers(self) -> list[RecordedReview]:
        return [step.answered for step in self._done if step.answered is not None]

    def _seconds(self) -> float:
        reviews = (each.review for each in self._answers())
        return sum(counted_seconds(each.item_guid, each.seconds) for each in reviews)

    def _asked(self) -> RenderedCard:
        shown = self.current
        if shown is None:
            raise LookupError("nothing is being asked")
        return shown

    def _change(self, what: str, field: ItemField, value: Value, before: Value) -> None:
        """Give the current item a value of a field, which had another one before."""
        guid = self._asked().guid
        put = partial(item_actions.change, self._profile, guid, field)
        put(value)
        self._did(_Step(what, guid, partial(put, value), partial(put, before)))

    def _did(self, step: _Step) -> None:
        self._done.append(step)
        self._undone.clear()

    def _next(self) -> RenderedCard | None:
        found = self._next_of_queue()
        if found is None and self._lesson is None and self._looks_again():
            return self._next_of_queue()
        return found

    def _looks_again(self) -> bool:
        """Queue what the day has room for by now: drills behind cards that were asked, new cards.

        A session of chosen items ends with these. After nothing was done, nothing has changed.
        """
        if self._is_chosen or self._looked_after == len(self._done):
            return False
        self._looked_after = len(self._done)
        day = queue.read_day(self._profile, interleaving=self._interleaving)
        there = {guid for _, guid in self._waiting}
        found = [(each.guid, QueuePart.of(each.phase)) for each in day.items]
        self._queue = ItemQueue(each for each in found if each[0] not in there)
        return len(self._queue) > 0

    def _next_of_queue(self) -> RenderedCard | None:
        now = self._profile.clock.now()
        while (guid := self._next_guid(now)) is not None:
            card = self._cards.read(guid)
            if card is None or not card.may_be_asked:
                continue
            # Another process may have answered it since the queue was read.
            memory = card.memory
            early = isinstance(memory, Remembered) and memory.due > now + LEARN_AHEAD
            if early and not (card.brought_back or self._is_asked_early(card)):
                continue
            if self._book is not None and (lesson := self._book.before(card)) is not None:
                self._queue.put_first(guid, QueuePart.NEW)
                self._lesson = lesson
                return None
            return card
        return None

    def _is_asked_early(self, card: RenderedCard) -> bool:
        """Return whether this session asks the item ahead of its time, and nobody has since."""
        memory = card.memory
        answered = isinstance(memory, Remembered) and memory.last_review > self._opened
        return card.guid in self._early and not answered

    def _next_guid(self, now: datetime) -> str | None:
        """Take learning steps that have ended, then the queue, then steps that soon end.

        The cards of a lesson are not interrupted. Those that were missed come at its end.
        """
        if self._goes_on_with_lesson():
            return self._queue.take_first()
        soon = [step for step in self._waiting if step[0] <= now + LEARN_AHEAD]
        step = min(soon, key=lambda each: (each[1] not in self._missed, each), default=None)
        has_time = step is None or (step[1] not in self._missed and step[0] > now)
        if self._queue and has_time:
            return self._queue.take_first()
        if step is None:
            return None
        self._missed.discard(step[1])
        self._waiting.remove(step)
        return step[1]

    def _goes_on_with_lesson(self) -> bool:
        """Return whether a card of the running lesson is next; where none is, it runs no more."""
        first = self._queue.first
        if self._running is None or first is None or not self._running.prepares(first):
            self._running = None
        return self._running is not None

    def _come_back(self, guid: str, answered: RecordedReview) -> None:
        """Let the item wait in this session if its next step is one of minutes."""
        after = answered.after
        if isinstance(after, Remembered) and after.phase is not Phase.REVIEW:
            self._waiting.append((after.due, guid))

    def _forget(self, guid: str) -> None:
        """Take an item out of everything that is still to be asked."""
        if self._shown is not None and self._shown.guid == guid:
            self._shown = None
        self._queue.discard(guid)
        self._waiting = [step for step in self._waiting if step[1] != guid]

    def _bring_back(self, guid: str) -> None:
        """Make an item the current one; what was asked comes right after it."""
        interrupted = self._shown
        self._forget(guid)
        if interrupted is not None and interrupted.guid != guid:
            self._queue.put_first(interrupted.guid, _part_of(interrupted))
        self._show(guid)

    def _show(self, guid: str) -> RenderedCard:
        card = self._cards.read(guid)
        if card is None:
            raise recorder.no_such_item(guid)
        self._shown = card
        return self._shown


def _part_of(shown: RenderedCard) -> QueuePart:
    return QueuePart.of(shown.memory.phase)
