"""Merging: any order, any groups, as often as one likes."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from studyattn.exchange.holdings import HeldConcept, HeldNote, HeldWording, Holdings
from studyattn.exchange.union import unite
from tests.exchange.generated import FIRST, holdings

own = holdings(pack=None)  # what a pack says is left to the pack of each machine


def plain(held: Holdings) -> Holdings:
    """What has to be the same everywhere: settings are each machine's own."""
    return replace(held, settings=())


def one_log(*held: Holdings) -> list[Holdings]:
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
            concepts=tuple(replace(one, joined_into=None) for one in each.concepts),
            sources=tuple(replace(one, imported_at=FIRST) for one in each.sources),
            items=tuple(item for item in each.items if item.kind == "card"),
        )
        for side, each in enumerate(held)
    ]


def united(ours: Holdings, theirs: Holdings) -> Holdings:
    return plain(unite(ours, theirs).holdings)


@settings(max_examples=60, deadline=None)
@given(own, own)
def test_merging_does_not_ask_who_came_first(first: Holdings, second: Holdings) -> None:
    first, second = one_log(first, second)
    assert united(first, second) == united(second, first)


@settings(max_examples=60, deadline=None)
@given(own)
def test_merging_the_same_changes_nothing(held: Holdings) -> None:
    assert unite(held, held).holdings == held
    assert unite(Holdings(), held).holdings == held
    assert unite(held, Holdings()).holdings == held


@settings(max_examples=60, deadline=None)
@given(own, own, own)
def test_merging_does_not_ask_for_groups(a: Holdings, b: Holdings, c: Holdings) -> None:
    a, b, c = one_log(a, b, c)
    assert united(united(a, b), c) == united(a, united(b, c))


@given(st.permutations(["x", "y", "z"]))
def test_joined_concepts_get_one_name_whatever_way_they_were_joined(order: list[str]) -> None:
    one, two, three = order
    whole = {one: three, two: three, three: None}
    joined = unite(_joined(one, two), _joined(two, three)).holdings
    assert {each.slug: each.joined_into for each in joined.concepts} == whole
    circle = unite(_joined(one, two), _joined(two, one)).holdings
    first, other = sorted([one, two])
    assert {each.slug: each.joined_into for each in circle.concepts} == {first: None, other: first}


def _joined(slug: str, into: str) -> Holdings:
    return Holdings(
        concepts=tuple(
            HeldConcept(each, each, "unseen", "", None, None, to, 0, False, False, ())
            for each, to in ((slug, into), (into, None))
        )
    )


def _note(body: str, at: datetime) -> HeldNote:
    return HeldNote("n", "title", body, None, None, None, FIRST, at)


def test_what_two_sides_reworded_apart_is_shown_and_kept() -> None:
    later = FIRST + timedelta(days=1)
    first = HeldWording("n", FIRST, "title", "old")
    ours = Holdings(notes=(_note("mine", later),), wordings=(first,))
    theirs = Holdings(notes=(_note("theirs", later + timedelta(hours=1)),), wordings=(first,))
    for union in (unite(ours, theirs), unite(theirs, ours)):
        assert union.holdings.notes[0].body == "theirs"
        (conflict,) = union.conflicts
        assert (conflict.kept.body, conflict.other.body) == ("theirs", "mine")
        assert [each.body for each in union.holdings.wordings] == ["old", "mine"]


def test_what_only_one_side_reworded_is_no_conflict() -> None:
    later = FIRST + timedelta(days=1)
    ours = Holdings(notes=(_note("old", FIRST),))
    theirs = Holdings(
        notes=(_note("new", later),), wordings=(HeldWording("n", FIRST, "title", "old"),)
    )
    assert unite(ours, theirs).conflicts == ()
    assert unite(ours, theirs).holdings == theirs
