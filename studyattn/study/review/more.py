"""Study more: what may be chosen for a session of its own, whatever the day's limits say.

Every choice is a search of `browse` with an order and a number, so that a learner can look at its
cards as well. Answers are ordinary reviews: one before its time counts by the days that really
passed, so the schedule is not bent.
"""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple

from studyattn.store.queries.item_search import ItemOrder
from studyattn.study.concepts.suggestions import mistakes_seen
from studyattn.study.profile import Profile
from studyattn.study.review import browse
from studyattn.text.counting import count

A_FEW = 10
"""Cards of a choice that is not all of something."""

MOST = 200
"""Cards of a choice at most."""

_MISTAKES = 3  # the latest ones are offered
_MISTAKE_DAYS = 30  # after which a mistake is offered no more


class StudyOffer(NamedTuple):
    """Cards that the learner may study now."""

    title: str
    guids: tuple[str, ...]

    @property
    def words(self) -> str:
        """The title and the number of cards."""
        return f"{self.title}: {count(len(self.guids), 'card')}"


def offers(profile: Profile, among: str = "") -> list[StudyOffer]:
    """Return the choices, without empty ones.

    `among` is a search (see `browse.search`) that says whose cards they are: `concept:softmax`;
    without one the choices are of all cards.
    """
    choices = [
        ("Forgotten today", "is:forgotten", ItemOrder.PATH, MOST),
        ("Marked", "is:marked", ItemOrder.PATH, MOST),
        ("The hardest", "is:begun", ItemOrder.HARDEST, A_FEW),
        ("New ones", "is:new", ItemOrder.PATH, A_FEW),
        ("Ahead of time, soonest due first", "is:review", ItemOrder.SOONEST, A_FEW),
    ]
    if among:
        choices = [("All of these", "", ItemOrder.PATH, MOST), _MORE, *choices]
    else:
        choices += _mistakes(profile)
    found: dict[tuple[str, ...], StudyOffer] = {}
    for title, words, order, limit in choices:
        wanted = f"{among} {words} is:card -is:suspended"
        cards = browse.search(profile, wanted, limit=limit, order=order)
        offer = StudyOffer(title, tuple(card.guid for card in cards))
        if offer.guids:  # two choices with the same cards are one
            found.setdefault(offer.guids, offer)
    return list(found.values())


_WHOLE = (ItemOrder.PATH, MOST)
_MORE = ("Ten of these, not reviewed today", "-is:today", ItemOrder.SOONEST, A_FEW)


def _mistakes(profile: Profile) -> list[tuple[str, str, ItemOrder, int]]:
    """Return choices of the cards that explain the learner's latest mistakes in code."""
    since = profile.clock.now() - timedelta(days=_MISTAKE_DAYS)
    with profile.database.read() as connection:
        concepts = mistakes_seen(connection)
    seen = (each for found in concepts.values() for each in found if each.last >= since)
    latest = sorted(seen, key=lambda each: each.last)
    return [
        (
            f"Your mistake: {each.title.rstrip('.')}",
            f"is:begun mistake:{each.misconception}",
            *_WHOLE,
        )
        for each in reversed(latest[-_MISTAKES:])
    ]
