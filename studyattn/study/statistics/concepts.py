"""Concepts: what of each is held, what is fading, and how much of it is known by estimate. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from studyattn.store.queries.items_now import ItemNow
from studyattn.study.rules.evidence import HELD_DAYS
from studyattn.study.statistics.memory_now import Present, recall_now
from studyattn.text.counting import count
from studyattn.text.figure import Figure, Series, Shape, Unit

_FADING = 0.02
"""An item is fading if its chance of recall is this far below what is desired, or further."""


@dataclass(frozen=True, slots=True)
class ConceptMemory:
    """The items of one concept that are not suspended."""

    title: str
    items: int
    begun: int
    held: int  # hold for HELD_DAYS or more, and are not fading
    fading: int  # begun ones whose chance of recall is below what is desired
    known: float  # the items that would be recalled now, by estimate

    @property
    def knowledge(self) -> float:
        """The estimated share of the concept's items that would be recalled now."""
        return self.known / self.items


def concept_memories(
    items: Iterable[ItemNow], titles: Mapping[str, str], present: Present, desired: float
) -> list[ConceptMemory]:
    """Return the memory of each concept of which something was begun, the most fading first."""
    by_concept: defaultdict[str, list[float | None]] = defaultdict(list)
    held: defaultdict[str, int] = defaultdict(int)
    for item in items:
        if not item.suspended:
            chance = recall_now(item, present)
            by_concept[item.concept].append(chance)
            stable = item.stability is not None and item.stability >= HELD_DAYS
            held[item.concept] += stable and chance is not None and chance >= desired - _FADING
    found = []
    for slug, chances in by_concept.items():
        begun = [each for each in chances if each is not None]
        if begun:
            fading = sum(each < desired - _FADING for each in begun)
            found.append(
                ConceptMemory(
                    *(titles.get(slug, slug), len(chances), len(begun)),
                    *(held[slug], fading, sum(begun)),
                )
            )
    return sorted(found, key=lambda each: (-each.fading, each.knowledge, each.title))


def knowledge(concepts: Sequence[ConceptMemory], items: int) -> Figure:
    """Estimated knowledge of all concepts begun; `items` are those of all concepts."""
    known = sum(each.known for each in concepts)
    meaning = (
        f"Of {items:,} items, you would recall about {known:,.0f} today, in "
        f"{count(len(concepts), 'concept')} started."
        if concepts
        else "No concept started yet."
    )
    shown = sorted(concepts, key=lambda each: (-each.knowledge, each.title))
    return Figure(
        "knowledge",
        "Estimated knowledge",
        meaning,
        tuple(each.title for each in shown),
        (Series("knowledge", tuple(each.knowledge for each in shown), Unit.SHARE),),
    )


def holding(concepts: Sequence[ConceptMemory]) -> Figure:
    """What is held and what is fading, the most fading first."""
    fading = [each for each in concepts if each.fading]
    meaning = "Nothing you have started is fading."
    if fading:
        meaning = (
            f"Of {count(len(concepts), 'concept')} begun, {len(fading)}"
            f" {'has' if len(fading) == 1 else 'have'} fading items. "
            f"“{fading[0].title}” has the most, with {count(fading[0].fading, 'item')} below the "
            "desired retention: start there."
        )
    elif not concepts:
        meaning = "No concept started yet."
    return Figure(
        "concepts",
        "Held and fading",
        meaning,
        tuple(each.title for each in concepts),
        (
            Series("items", tuple(float(each.items) for each in concepts)),
            Series("begun", tuple(float(each.begun) for each in concepts)),
            Series("held", tuple(float(each.held) for each in concepts)),
            Series("fading", tuple(float(each.fading) for each in concepts)),
        ),
        Shape.TABLE,
    )
