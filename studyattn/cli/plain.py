"""The app in lines, for a terminal that cannot draw a screen, and for none: Today, and a review.

`TERM=dumb` (a shell in an editor) has lessons, questions and answers one below the other. Where
nobody can answer, because input or output is a file or a pipe, Today is all there is.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import opened, rendered, say
from studyattn.cli.path import compared, heading
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.memory.order import Interleaving
from studyattn.study import statistics
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.packs.model import Example
    from studyattn.study.lessons import Lesson
    from studyattn.study.profile import Profile
    from studyattn.study.review.session import ReviewSession
    from studyattn.study.review.views import RenderedCard

_RATINGS = {str(rating.value): rating for rating in Rating}


def run(home: Home, hindrance: str) -> int:
    """Print Today, and review in lines where somebody can answer. Return the exit status.

    `hindrance` says why the app cannot draw its screens.
    """
    with opened(Invocation(home)) as profile:
        waiting = _print_today(profile)
        say(f"The app cannot draw its screens: {hindrance}.")
        say("`studyattn --help` lists the commands: path, lesson, drill, note, stats …")
        if waiting and sys.stdin.isatty() and sys.stdout.isatty():
            say("Here is a line-by-line session.")
            _review(profile)
    return 0


def _print_today(profile: Profile) -> int:
    """Print the day's numbers. Return how many cards are asked now."""
    day = statistics.today.today(profile)
    say(f"studyattn · {day.day:%A} {day.day.day} {day.day:%B}")
    cards, drills = count(day.cards_now, "card"), count(day.drills_now, "drill")
    now = _those({cards: day.cards_now, drills: day.drills_now, f"{day.new} new": day.new})
    if now:
        say(f"Now: {now}, about {day.minutes} min.")
    else:
        say("Nothing is waiting for you.")
    if day.long_drill:
        say(f"{day.long_drill.capitalize()}.")
    if day.later:
        say(f"Later today: {count(day.later, 'card')}.")
    if day.answered:
        say(f"Answered today: {day.answered}.")
    for each in day.waiting:
        amounts = {f"{each.due} due": each.due, f"{each.new} new": each.new}
        say(f"  {each.title}: {_those(amounts)}")
    if day.drills_now:
        say("`studyattn drill list` lists the drills, `studyattn drill start ID` starts one.")
    return day.cards_now + day.new


def _those(numbers: Mapping[str, int]) -> str:
    """Join what is told of numbers, without those that are 0."""
    return ", ".join(told for told, number in numbers.items() if number)


def _review(profile: Profile) -> None:
    """Teach and ask what is due, cards alone, until nothing is left or the learner leaves."""
    from studyattn.study.review.session import ReviewSession  # late: Today does without it

    order = Interleaving.CARDS_ONLY
    with ReviewSession(profile, interleaving=order, teaches=True) as session:
        begun = time.monotonic()
        try:
            while True:
                if (lesson := session.lesson) is not None:
                    # Its time counts for the card behind it.
                    stays = _teach(profile, session, lesson)
                elif (card := session.current) is not None:
                    stays = _ask(session, card, begun)
                    begun = time.monotonic()
                else:
                    break
                if not stays:
                    break
        except (click.Abort, KeyboardInterrupt):  # ^c or ^d: every answer is kept already
            say("")
        done = session.progress.done
    say(f"\n{count(done, 'answer')} kept.")


def _teach(profile: Profile, session: ReviewSession, lesson: Lesson) -> bool:
    """Show a page of a lesson; outputs are asked first. Return False where the learner leaves."""
    at = lesson.page or 0
    page = lesson.pages[at]
    say(f"\n{heading(lesson)}   {at + 1} of {len(lesson.pages)}")
    for part in page.parts:
        if part.text:
            say(f"\n{rendered(part.text)}")
        if part.asks is not None:
            _predict(profile, lesson, part.asks)
    said = _asked("\nEnter goes on, k skips the lesson, q leaves")
    if said in {"k", "s"}:
        session.skip_lesson()
    elif said != "q":
        session.page_read()
        session.refresh()
    return said != "q"


def _predict(profile: Profile, lesson: Lesson, example: Example) -> None:
    """Ask what an example prints, then show its output and why a wrong answer is wrong."""
    # Late, as above.
    from studyattn.study.lessons import choices_of, is_predicted, mended_by, why_wrong
    from studyattn.study.practice.mistakes import bring_back_for_prediction

    choices = choices_of(example)
    say("\nWhat will it print?")
    for number, choice in enumerate(choices, start=1):
        say(f"  {number}  {choice}")
    prompt = f"1–{len(choices)}, or Enter" if choices else "Your answer, or Enter"
    said: str = click.prompt(prompt, default="", show_default=False).strip()
    picked = {str(number): choice for number, choice in enumerate(choices, start=1)}
    given = picked.get(said, said)
    sign = (
        "✓ " if is_predicted(example, given) else f"✗ you said {given}: it prints " if given else ""
    )
    say(f"\n{sign}{example.output.rstrip()}")
    if reason := why_wrong(example, given):
        say(rendered(reason))
        name = mended_by(example, given)
        for card in bring_back_for_prediction(profile, lesson.name, name, reason) if name else ():
            say(f"{'→ Asked next' if card.is_new else '↩ Asked again'}: {rendered(card.title)}")


def _ask(session: ReviewSession, card: RenderedCard, begun: float) -> bool:
    """Ask one card and take its rating, or undo. Return False where the learner leaves.

    `begun` is when its time began: reading the lesson before it counts too.
    """
    left = sum(session.progress.left.values())
    say(f"\n{card.concept_title} · {left} to go\n")
    say(rendered(card.front))
    if card.takes_input:
        compared(card, "Answer")
    elif _asked("Enter shows the answer, q leaves") == "q":
        return False
    say("")
    say(rendered(card.back))
    for each in card.corrections:
        say("")
        say(rendered(each.markdown))
    return _rate(session, begun)


def _rate(session: ReviewSession, begun: float) -> bool:
    """Take the rating of the card that is shown, or undo. Return False where the learner leaves."""
    choices = ", ".join(
        f"{each.rating.value} {each.rating.name.lower()} ({each.interval})"
        for each in session.choices()
    )
    while True:
        said = _asked(f"{choices}, u undo, q leave [3]") or str(Rating.GOOD.value)
        if said == "q":
            return False
        if said == "u":
            undone = session.undo()
            say("nothing to undo" if undone is None else f"undone: {undone.what}")
            return True
        if said in _RATINGS:
            session.answer(_RATINGS[said], time.monotonic() - begun)
            return True
        say("Type 1, 2, 3, 4, u or q.")


def _asked(question: str) -> str:
    """Return what is typed after a question, in lower case."""
    given: str = click.prompt(question, default="", show_default=False)
    return given.strip().lower()
