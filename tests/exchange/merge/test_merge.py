"""Merging: any order, any groups, as often as one likes."""

from __future__ import annotations

from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from studyattn.exchange.merge.decided import settled
from studyattn.exchange.merge.merge import merge
from studyattn.store.snapshot import (
    ConceptChangeRecord,
    ConceptRecord,
    DecisionRecord,
    ItemRecord,
    NoteRecord,
    Snapshot,
    WordingRecord,
)
from studyattn.store.vocabulary import State
from tests.exchange.generated import FIRST, snapshot

own = snapshot(pack=None)  # what a pack says is left to the pack of each machine


def plain(held: Snapshot) -> Snapshot:
    """What has to be the same everywhere: settings are each machine's own."""
    return replace(held, settings=())


def one_log(*held: Snapshot) -> list[Snapshot]:
    """The same as of machines of one learner.

    UUIDs are named apart, and a document was imported once. (Of three machines that each imported
    another version of a document, the text that an unedited card ends with depends on the order.)
    """
    return [
        replace(
            each,
            reviews=tuple(
                replace(
                    review,
                    uuid=f"{side}-{review.uuid}",
                    withdraws=review.withdraws and f"{side}-{review.withdraws}",
                )
                for review in each.reviews
            ),
            attempts=tuple(replace(one, uuid=f"{side}-{one.uuid}") for one in each.attempts),
            notes=tuple(replace(one, created_at=FIRST) for one in each.notes),
            sources=tuple(replace(one, imported_at=FIRST) for one in each.sources),
            items=tuple(item for item in each.items if item.kind == "card"),
        )
        for side, each in enumerate(held)
    ]


def united(ours: Snapshot, theirs: Snapshot) -> Snapshot:
    return plain(merge(ours, theirs).snapshot)


@settings(max_examples=60, deadline=None)
@given(own, own)
def test_merging_does_not_ask_who_came_first(first: Snapshot, second: Snapshot) -> None:
    first, second = one_log(first, second)
    assert united(first, second) == united(second, first)


@settings(max_examples=60, deadline=None)
@given(own, own)
def test_a_choice_without_a_decision_is_decided_before_all_others(
    first: Snapshot, second: Snapshot
) -> None:
    first, second = one_log(first, second)
    undecided = replace(first, decisions=())
    for ours, theirs in (
        (undecided, second),
        (undecided, replace(second, decisions=())),
        (undecided, replace(second, items=())),
    ):
        guids = {each.guid for each in (*ours.items, *theirs.items)}
        told = merge(settled(ours, guids), settled(theirs, guids)).snapshot.items
        assert merge(ours, theirs).snapshot.items == told
        assert merge(theirs, ours).snapshot.items == told


@settings(max_examples=60, deadline=None)
@given(own)
def test_merging_the_same_changes_nothing(held: Snapshot) -> None:
    assert merge(held, held).snapshot == held
    assert merge(Snapshot(), held).snapshot == held
    assert merge(held, Snapshot()).snapshot == held


@settings(max_examples=60, deadline=None)
@given(own, own, own)
def test_merging_does_not_ask_for_groups(a: Snapshot, b: Snapshot, c: Snapshot) -> None:
    a, b, c = one_log(a, b, c)
    assert united(united(a, b), c) == united(a, united(b, c))


@given(st.permutations(["x", "y", "z"]))
def test_joined_concepts_get_one_name_whatever_way_they_were_joined(order: list[str]) -> None:
    one, two, three = order
    whole = {one: three, two: three, three: None}
    joined = merge(_joined(one, two), _joined(two, three)).snapshot
    assert {each.slug: each.joined_into for each in joined.concepts} == whole
    circle = merge(_joined(one, two), _joined(two, one)).snapshot
    first, other = sorted([one, two])
    assert {each.slug: each.joined_into for each in circle.concepts} == {first: None, other: first}


def test_the_last_move_of_a_concept_counts_from_a_side_that_has_only_its_moves() -> None:
    known = ConceptRecord("x", "x", "known", "", None, None, None, 0, False, False, ())
    theirs = Snapshot(changes=(_move(1, "known"), _move(2, "known-unknown")))
    for ours, state in (
        (Snapshot(concepts=(known,)), "known-unknown"),
        (Snapshot(concepts=(known,), changes=(_move(3, "known"),)), "known"),
    ):
        for both in (merge(ours, theirs), merge(theirs, ours)):
            assert [each.state for each in both.snapshot.concepts] == [state]


def _move(day: int, state: State) -> ConceptChangeRecord:
    at = FIRST + timedelta(days=day)
    return ConceptChangeRecord("x", at, "unseen", state, "", "learner")


def _joined(slug: str, into: str) -> Snapshot:
    return Snapshot(
        concepts=tuple(
            ConceptRecord(each, each, "unseen", "", None, None, to, 0, False, False, ())
            for each, to in ((slug, into), (into, None))
        )
    )


def test_a_card_stays_moved_and_deleted_wherever_that_was_decided() -> None:
    concepts = tuple(
        ConceptRecord(each, each, "unseen", "", None, None, None, 0, False, False, ())
        for each in ("x", "y")
    )
    card = ItemRecord(
        guid="own:1",
        kind="card",
        concept="x",
        source=None,
        pack=None,
        position=1,
        created_at=FIRST,
        suspended=False,
        marked=False,
        retired=False,
        buried_until=None,
        card=None,
    )
    before = Snapshot(concepts=concepts, items=(card,))
    decided = replace(
        before,
        items=(replace(card, concept="y", retired=True),),
        decisions=(
            DecisionRecord("item", "own:1", "concept", "y", FIRST, "a"),
            DecisionRecord("item", "own:1", "removed", True, FIRST, "a"),
        ),
    )
    for merged in (united(before, decided), united(decided, before)):
        assert [(each.concept, each.retired) for each in merged.items] == [("y", True)]
    later = FIRST + timedelta(days=1)
    back = (DecisionRecord("item", "own:1", "removed", False, later, "b"),)
    (item,) = united(decided, replace(before, decisions=back)).items
    assert (item.concept, item.retired) == ("y", False)


def _note(body: str, at: datetime) -> NoteRecord:
    return NoteRecord("n", "title", body, None, None, None, FIRST, at)


def test_what_two_sides_reworded_apart_is_shown_and_kept() -> None:
    later = FIRST + timedelta(days=1)
    first = WordingRecord("n", FIRST, "title", "old")
    ours = Snapshot(notes=(_note("mine", later),), wordings=(first,))
    theirs = Snapshot(notes=(_note("theirs", later + timedelta(hours=1)),), wordings=(first,))
    for union in (merge(ours, theirs), merge(theirs, ours)):
        assert union.snapshot.notes[0].body == "theirs"
        (conflict,) = union.conflicts
        assert (conflict.kept.body, conflict.other.body) == ("theirs", "mine")
        assert [each.body for each in union.snapshot.wordings] == ["old", "mine"]


def test_what_only_one_side_reworded_is_no_conflict() -> None:
    later = FIRST + timedelta(days=1)
    ours = Snapshot(notes=(_note("old", FIRST),))
    theirs = Snapshot(
        notes=(_note("new", later),), wordings=(WordingRecord("n", FIRST, "title", "old"),)
    )
    assert merge(ours, theirs).conflicts == ()
    assert merge(ours, theirs).snapshot == theirs
