"""Mistakes that grading recognised: reading them from reports, and the cards they bring back. Pure.

Cards written for a mistake come back. Where there are none, the weakest cards of its concept do,
unless the mistake showed in what happened and not in the answers. Of a group of siblings one card
is enough: it contains what the others ask.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from studyattn.memory.state import drill_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from studyattn.store.queries.practice import CuringCard, DiagnosedAttempts

OF_THE_CONCEPT = 3
"""Cards of its concept that a mistake brings back when none was written for it."""


class RecognisedMistake(NamedTuple):
    """One misconception that a report names."""

    id: str
    title: str  # a sentence to the learner
    concept: str  # the pack's slug
    in_values: bool  # the answers are those of the mistake; else it showed in what happened


class MistakeSeen(NamedTuple):
    """A misconception that grading recognised in the learner's code."""

    misconception: str
    title: str
    drill: str
    times: int
    last: datetime
    mended: bool = False  # its drill passed on a later day


def diagnosed(report: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the ids of the misconceptions that a report names first; () if it names none."""
    diagnosis = report.get("diagnosis") or ()
    return tuple(diagnosis[0].get("misconceptions", ())) if diagnosis else ()


def recognised(report: Mapping[str, Any]) -> tuple[RecognisedMistake, ...]:
    """Return the mistakes that `Report.to_json` names first: one, several made at once, or none."""
    return _named(report["diagnosis"][0]) if diagnosed(report) else ()


def mistakes_by_concept(
    attempts: Iterable[DiagnosedAttempts],
) -> dict[str, tuple[MistakeSeen, ...]]:
    """Group the mistakes of attempts, oldest first, by the slug of their concept; latest first."""
    seen: dict[str, dict[str, MistakeSeen]] = defaultdict(dict)
    for same in attempts:
        for mistake in _named(same.diagnosis):
            before = seen[mistake.concept].get(mistake.id)
            seen[mistake.concept][mistake.id] = MistakeSeen(
                misconception=mistake.id,
                title=mistake.title,
                drill=drill_id(same.guid),
                times=same.times + (0 if before is None else before.times),
                last=same.last,
                mended=bool(same.mended) and (before is None or before.mended),
            )
    return {
        concept: tuple(sorted(found.values(), key=lambda each: each.last, reverse=True))
        for concept, found in seen.items()
    }


def cards_written_for(mistake: RecognisedMistake, cards: Iterable[CuringCard]) -> list[str]:
    """Return the guids of the cards that were written for a mistake, one of each sibling group."""
    return list(_one_of_each_group(card for card in cards if mistake.id in card.misconceptions))


def cards_instead(weakest: Iterable[CuringCard]) -> list[str]:
    """Return the guids of the concept's cards that come back if none was written for a mistake."""
    return list(islice(_one_of_each_group(weakest), OF_THE_CONCEPT))


def _one_of_each_group(cards: Iterable[CuringCard]) -> Iterator[str]:
    groups = set()
    for card in cards:
        if card.group is None or card.group not in groups:
            yield card.guid
        groups.add(card.group)


def _named(diagnosis: Mapping[str, Any]) -> tuple[RecognisedMistake, ...]:
    """Return the mistakes of one diagnosis. Those of old reports share its title and concept."""
    explained, _, _ = str(diagnosis.get("cases", "")).partition("/")
    some = explained not in {"", "0"}
    each = diagnosis.get("mistakes")
    if each is None:
        title, concept = str(diagnosis.get("title", "")), str(diagnosis.get("concept", ""))
        return tuple(
            RecognisedMistake(name, title, concept, some) for name in diagnosis["misconceptions"]
        )
    return tuple(
        RecognisedMistake(
            entry["id"],
            entry["title"],
            entry["concept"],
            in_values=some and entry.get("in_values", True),
        )
        for entry in each
    )
