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
from studyattn.store.snapshot import (
    CardRecord,
    ConceptRecord,
    DecisionRecord,
    ItemRecord,
    Snapshot,
    WordingRecord,
)
from tests.exchange.generated import FIRST, decisions, snapshot


@st.composite
def machines(draw: st.DrawFn) -> list[Snapshot]:
    """Return three machines of one learner, each with a version of the pack and its own edits."""
    base = draw(snapshot())
    items = tuple(
        each if each.card is None else replace(each, card=replace(each.card, edited_at=None))
        for each in base.items
    )
    return [_machine(draw, replace(base, items=items), version) for version in range(3)]


def _machine(draw: st.DrawFn, base: Snapshot, version: int) -> Snapshot:
    items: list[ItemRecord] = []
    wordings = list(base.wordings)
    rewordings: list[DecisionRecord] = []
    for item in (_item(each, version) for each in base.items):
        done = draw(st.sampled_from(("nothing", "reworded", "taken back")))
        if item.card is None or done == "nothing":
            items.append(item)
            continue
        at = FIRST + timedelta(days=400, hours=draw(st.integers(0, 9)), seconds=version)
        wordings.append(WordingRecord(item.guid, None, item.card.front, item.card.back))
        mine = replace(item.card, front=f"Mine {version}?", back="Mine.", edited_at=at)
        if done == "reworded":
            items.append(replace(item, card=mine))
        else:
            wordings.append(WordingRecord(item.guid, at, mine.front, mine.back))
            items.append(item)
            at += timedelta(minutes=30)
        value = done == "reworded"
        rewordings.append(DecisionRecord("item", item.guid, "reworded", value, at, str(version)))
    held = replace(
        base,
        concepts=tuple(_concept(each, version) for each in base.concepts),
        items=tuple(items),
        wordings=tuple(wordings),
        reviews=tuple(
            replace(
                each,
                uuid=f"{version}-{each.uuid}",
                withdraws=each.withdraws and f"{version}-{each.withdraws}",
            )
            for each in base.reviews
        ),
    )
    decided = (*draw(decisions(settled(held, {each.guid for each in held.items}))), *rewordings)
    keys = {(each.kind, each.name, each.field): each for each in decided}
    return replace(held, decisions=tuple(keys.values())).ordered()


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
    of_pack = {each.guid for each in held.items if each.pack is not None}
    return replace(
        held,
        settings=(),
        wordings=tuple(
            each for each in held.wordings if each.at is not None or each.guid not in of_pack
        ),
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
