"""The app in lines, for a terminal that cannot draw a screen, and for none: Today, and a review.

`TERM=dumb` (a shell in an editor) has questions and answers one below the other. Where nobody can
answer, because input or output is a file or a pipe, Today is all there is.
"""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import click

from studyattn.cli.app import Invocation
from studyattn.cli.common import opened, rendered, say
from studyattn.home import Home
from studyattn.memory import Rating
from studyattn.study import statistics
from studyattn.study.rules.interleaving import Interleaving
from studyattn.text.counting import count

if TYPE_CHECKING:
    from studyattn.study.profile import Profile
    from studyattn.study.review.session import ReviewSession
    from studyattn.study.review.views import RenderedCard

_RATINGS = {str(rating.value): rating for rating in Rating}


def run(home: Home) -> int:
    """Print Today, and review in lines where somebody can answer. Return the exit status."""
    with opened(Invocation(home)) as profile:
        waiting = _print_today(profile)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            say("`studyattn --help` lists the commands. The app with screens needs a terminal.")
            return 0
        say("This terminal cannot draw the app's screens, so here is a line-by-line session.")
        say("`studyattn --help` lists the commands: path, lesson, drill, note, stats …")
        if waiting:
            _review(profile)
    return 0


def _print_today(profile: Profile) -> int:
    """Print the day's numbers. Return how many cards are asked now."""
    day = statistics.today.today(profile)
    say(f"studyattn · {day.day:%A} {day.day.day} {day.day:%B}")
    parts = [count(day.cards_now, "card")] if day.cards_now else []
    parts += [count(day.drills_now, "drill")] if day.drills_now else []
    parts += [f"{day.new} new"] if day.new else []
    if parts:
        say(f"Now: {', '.join(parts)}, about {day.minutes} min.")
    else:
        say("Nothing is waiting for you.")
    if day.later:
        say(f"Later today: {count(day.later, 'card')}.")
    if day.answered:
        say(f"Answered today: {day.answered}.")
    for each in day.waiting:
        amounts = [f"{each.due} due"] if each.due else []
        amounts += [f"{each.new} new"] if each.new else []
        say(f"  {each.title}: {', '.join(amounts)}")
    if day.drills_now:
        say("`studyattn drill list` lists the drills, `studyattn drill start ID` starts one.")
    return day.cards_now + day.new


def _review(profile: Profile) -> None:
    """Ask what is due, cards alone, until there is nothing left or the learner leaves."""
    from studyattn.study.review.session import ReviewSession  # late: Today does without it

    with ReviewSession(profile, interleaving=Interleaving.CARDS_ONLY) as session:
        try:
            while (card := session.current) is not None:
                if not _ask(session, card):
                    break
        except (click.Abort, KeyboardInterrupt):  # ^c or ^d: every answer is kept already
            say("")
        done = session.progress.done
    say(f"\n{count(done, 'answer')} kept.")


def _ask(session: ReviewSession, card: RenderedCard) -> bool:
    """Ask one card and take its rating, or undo. Return False where the learner leaves."""
    left = sum(session.progress.left.values())
    say(f"\n{card.concept_title} · {left} to go\n")
    say(rendered(card.front))
    begun = time.monotonic()
    if card.takes_input:
        _compare(card, click.prompt("Answer", default="", show_default=False))
    elif _asked("Enter shows the answer, q quits") == "q":
        return False
    say("")
    say(rendered(card.back))
    for each in card.corrections:
        say("")
        say(rendered(each.markdown))
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


def _compare(card: RenderedCard, given: str) -> None:
    from studyattn.study.review.card_loader import compare  # late, as above

    if given.strip():
        comparison = compare(card, given.strip())
        if comparison is not None:
            say("✓ right" if comparison.correct else f"✗ {comparison.expected}")
