"""Merging machines with different versions of a pack: each keeps its own pack's texts, and of all
that is the learner's the outcome is the same, in any order and in any groups.
"""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from studyattn.exchange.merge.decided import settled
from studyattn.exchange.merge.merge import merge
from studyattn.store.snapshot import CardRecord, ConceptRecord, DecisionRecord, ItemRecord, Snapshot
from tests.exchange.generated import FIRST, decisions, snapshot


@st.composite
def machines(draw: st.DrawFn) -> list[Snapshot]:
    """Return three machines of one learner, each with a version of the pack and its own edits."""
    base = draw(snapshot())
    return [_machine(draw, base, version) for version in range(3)]


def _machine(draw: st.DrawFn, base: Snapshot, version: int) -> Snapshot:
    items = tuple(
        _reworded(each, version, draw(st.integers(0, 9))) if draw(st.booleans()) else each
        for each in base.items
    )
    held = replace(
        base,
        concepts=tuple(_concept(each, version) for each in base.concepts),
        items=tuple(_item(each, version) for each in items),
        reviews=tuple(
            replace(
                each,
                uuid=f"{version}-{each.uuid}",
                withdraws=each.withdraws and f"{version}-{each.withdraws}",
            )
            for each in base.reviews
        ),
    )
    decided = draw(decisions(settled(held)))
    edited = [each.guid for each in held.items if each.card and each.card.edited_at]
    for guid in edited:
        if draw(st.booleans()):  # the wording was taken back, before or after others wrote theirs
            at = FIRST + timedelta(days=400, hours=draw(st.integers(0, 9)))
            decided.append(DecisionRecord("item", guid, "reworded", False, at, str(version)))
    return replace(held, decisions=tuple(decided)).ordered()


def _reworded(item: ItemRecord, machine: int, hours: int) -> ItemRecord:
    """Return an item after the learner reworded it on one machine."""
    if item.card is None:
        return item
    at = FIRST + timedelta(days=400, hours=hours, seconds=machine)
    card = replace(item.card, front=f"Mine {machine}?", back="Mine.", edited_at=at)
    return replace(item, card=card)


def _item(item: ItemRecord, version: int) -> ItemRecord:
    """Return an item as a version of the pack has it; what is not of the pack stays as it is."""
    if item.pack is None:
        return item
    card = item.card
    if card is not None:
        card = replace(card, answer=f"v{version}", extra={"version": version})
        if card.edited_at is None:
            card = replace(card, front=f"Question, v{version}?", back=f"v{version}.")
    return replace(item, card=card, position=version)


def _concept(concept: ConceptRecord, version: int) -> ConceptRecord:
    if concept.pack is None:
        return concept
    return replace(concept, title=f"Title, v{version}", body=f"v{version}", position=version)


def learners(held: Snapshot) -> Snapshot:
    """Return what is the learner's: without the texts and the order of the pack."""
    return replace(
        held,
        settings=(),
        items=tuple(map(_learners_item, held.items)),
        concepts=tuple(
            each if each.pack is None else replace(each, title="", body="", position=0)
            for each in held.concepts
        ),
    )


def _learners_item(item: ItemRecord) -> ItemRecord:
    if item.pack is None:
        return item
    card = item.card
    if card is not None:
        card = replace(card, answer=None, extra={})
        if card.edited_at is None:
            card = replace(card, front="", back="")
    return replace(item, card=card, position=0)


def united(ours: Snapshot, theirs: Snapshot) -> Snapshot:
    return merge(ours, theirs).snapshot


@settings(max_examples=60)
@given(machines())
def test_what_is_the_learners_is_the_same_in_any_order_and_groups(three: list[Snapshot]) -> None:
    a, b, c = three
    whole = learners(united(united(a, b), c))
    for other in (
        united(a, united(b, c)),
        united(united(c, a), b),
        united(b, united(c, a)),
        united(c, united(b, a)),
    ):
        assert learners(other) == whole


@settings(max_examples=60)
@given(machines())
def test_each_machine_keeps_the_texts_of_its_own_version(three: list[Snapshot]) -> None:
    a, b, _ = three
    for version, (ours, theirs) in enumerate(((a, b), (b, a))):
        both = united(ours, theirs)
        for item in both.items:
            if item.pack is not None:
                assert item.position == version
                assert item.card is None or is_of(item.card, version)
        of_pack = [each for each in both.concepts if each.pack is not None]
        assert {each.title for each in of_pack} <= {f"Title, v{version}"}
        assert united(both, theirs) == both


def is_of(card: CardRecord, version: int) -> bool:
    """Return whether a card is that of a version, or the learner's own wording of it."""
    asked = card.edited_at is not None or card.front == f"Question, v{version}?"
    return asked and (card.answer, card.extra) == (f"v{version}", {"version": version})
