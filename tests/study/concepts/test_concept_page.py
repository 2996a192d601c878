"""One concept in full: its graph, its items' memory, the evidence, its notes; and undoing moves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from studyattn.errors import NotFoundError
from studyattn.memory import Rating
from studyattn.store.models import ConceptRequiresRow, ConceptRow, ItemRow
from studyattn.store.queries.concept_changes import ConceptChange
from studyattn.store.vocabulary import LEARNER, UNDO
from studyattn.study.clock import FixedClock
from studyattn.study.concepts import board
from studyattn.study.concepts.concept_page import show_concept
from studyattn.study.concepts.suggestions import suggestions
from studyattn.study.notes import notes
from studyattn.study.profile import Profile
from studyattn.study.review import batch
from studyattn.study.rules.concept_changes import effective_changes
from studyattn.study.rules.evidence import Weight
from studyattn.study.statistics.today import today
from tests.study.concepts.test_board import attempt, hold
from tests.study.conftest import AddItem


def add_concepts(profile: Profile, **requires: str) -> None:
    """Concepts by slug with the slugs that they require, beside `first` and `second`."""
    with profile.database.write() as connection:
        ids = {"first": 1, "second": 2}
        for number, slug in enumerate(requires, start=3):
            ids[slug] = number
            connection.execute(
                insert(ConceptRow).values(id=number, slug=slug, title=slug.title(), position=number)
            )
        edges = [(ids[slug], ids[each]) for slug in requires for each in requires[slug].split()]
        for concept_id, requires_id in edges:
            connection.execute(
                insert(ConceptRequiresRow).values(concept_id=concept_id, requires_id=requires_id)
            )


def test_the_graph_holds_what_is_required_and_unlocked_by_others_too(profile: Profile) -> None:
    add_concepts(profile, third="second first", fourth="third", aside="first", alone="")
    graph = show_concept(profile, "third").graph
    assert set(graph.nodes) == {"first", "second", "third", "fourth"}
    assert graph.requires["third"] == ("second", "first")  # in the order of the path
    assert graph.requires["second"] == ("first",)
    assert graph.unlocks["first"] == ("second", "third")
    assert graph.unlocks["third"] == ("fourth",)
    board.set_state(profile, "second", "known")
    assert show_concept(profile, "third").graph.nodes["second"].state == "known"


def test_a_joined_concept_speaks_in_the_graph_as_what_it_is_joined_into(profile: Profile) -> None:
    add_concepts(profile, third="second", other="")
    board.merge(profile, "second", "other")
    page = show_concept(profile, "third")
    assert page.requires == (("other", "Other"),)
    assert page.graph.requires["other"] == ("first",)
    assert show_concept(profile, "other").unlocks == (("third", "Third"),)


def test_a_circle_of_requirements_ends(profile: Profile) -> None:
    add_concepts(profile, third="second")
    with profile.database.write() as connection:
        connection.execute(insert(ConceptRequiresRow).values(concept_id=1, requires_id=3))
    assert set(show_concept(profile, "first").graph.nodes) == {"first", "second", "third"}


def test_items_say_how_well_they_are_remembered_now(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    asked, new = add(), add()
    drill = add(kind="drill")
    batch.answer(profile, asked, Rating.EASY)
    items = {each.guid: each for each in show_concept(profile, "first").items}
    assert items[asked].retrievability == pytest.approx(1)
    assert items[new].retrievability is None
    assert items[new].drill_state is None
    assert items[drill].drill_state == "new"
    stability = items[asked].stability
    assert stability is not None
    clock.advance(timedelta(days=round(stability)))
    attempt(profile, drill, "wrong")
    items = {each.guid: each for each in show_concept(profile, "first").items}
    assert items[asked].retrievability == pytest.approx(0.9, abs=0.01)
    assert items[drill].drill_state == "tried"


def test_the_evidence_says_what_is_there_and_what_is_missing(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    held, weak = add(), add()
    drill = add(kind="drill")
    hold(profile, held, 30)
    attempt(profile, drill, "passed")
    assert [(each.weight, each.text) for each in show_concept(profile, "first").evidence] == [
        (Weight.MISSING, "1 of 2 cards hold for 21 days or more"),
        (
            Weight.MISSING,
            f"drill {drill.partition('/')[2]} passed without its solution on 1 of 2 days",
        ),
    ]
    hold(profile, weak, 30)
    clock.advance(timedelta(days=1))
    attempt(profile, drill, "passed")
    assert {each.weight for each in show_concept(profile, "first").evidence} == {Weight.FOR}
    clock.advance(timedelta(days=1))
    attempt(profile, drill, "wrong")
    against = show_concept(profile, "first").evidence[-1]
    assert against.weight is Weight.AGAINST
    assert against.text.endswith("No scale")


def test_a_concept_that_left_its_pack_has_no_page(profile: Profile) -> None:
    with profile.database.write() as connection:
        connection.execute(
            update(ConceptRow).where(ConceptRow.slug == "first").values(retired=True)
        )
    with pytest.raises(NotFoundError, match="no longer in its pack"):
        show_concept(profile, "first")


def test_the_page_has_the_notes_of_its_concept(profile: Profile) -> None:
    note = notes.add_note(profile, "# Mine\n\ntext", concept="first")
    assert show_concept(profile, "first").notes == (note,)
    assert show_concept(profile, "second").notes == ()


def test_the_list_says_what_is_held_due_and_new(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    held, due, _, suspended = (add() for _ in range(4))
    drills = [add(kind="drill") for _ in range(3)]
    hold(profile, held, 30)
    batch.answer(profile, due, Rating.EASY)
    with profile.database.write() as connection:
        connection.execute(update(ItemRow).where(ItemRow.guid == suspended).values(suspended=True))
    attempt(profile, drills[0], "wrong")
    attempt(profile, drills[1], "passed")
    clock.advance(timedelta(days=30))
    line = next(each for each in board.list_concepts(profile) if each.slug == "first")
    assert (line.cards, line.held, line.due, line.new) == (4, 1, 1, 2)
    assert (line.drills, line.drills_passed, line.drills_tried) == (3, 1, 1)


def test_a_joined_concepts_cards_count_with_the_whole(profile: Profile, add: AddItem) -> None:
    add("first")
    add("second")
    board.merge(profile, "first", "second")
    cards = {each.slug: each.cards for each in board.list_concepts(profile)}
    assert cards == {"first": 1, "second": 2}


def test_moves_are_taken_back_one_after_another(profile: Profile, clock: FixedClock) -> None:
    assert board.undo_move(profile) is None
    board.set_state(profile, "first", "known-unknown", "read of it")
    clock.advance(timedelta(days=1))
    board.set_state(profile, "second", "known")
    board.set_state(profile, "first", "known")
    undone = [board.undo_move(profile) for _ in range(3)]
    assert [(each.slug, each.to_state) for each in undone if each is not None] == [
        ("first", "known-unknown"),
        ("second", "unseen"),
        ("first", "unseen"),
    ]
    assert board.undo_move(profile) is None
    changes = show_concept(profile, "first").changes
    assert [(each.to_state, each.author) for each in changes] == [
        ("known-unknown", "learner"),
        ("known", "learner"),
        ("known-unknown", "undo"),
        ("unseen", "undo"),
    ]
    board.set_state(profile, "first", "known")
    assert board.undo_move(profile) == board.ConceptMove("first", "First", "known", "unseen")


def test_what_something_else_moved_since_stays(profile: Profile, clock: FixedClock) -> None:
    from studyattn.store.queries.concept_changes import record_change

    board.set_state(profile, "second", "known")
    board.set_state(profile, "first", "known-unknown")
    clock.advance(timedelta(hours=1))
    with profile.database.write() as connection:
        for state in ("known", "unseen", "known-unknown"):  # and back to where the learner put it
            record_change(connection, 1, state, "the document says so", "import", clock.now())
    undone = board.undo_move(profile)
    assert undone is not None
    assert undone.slug == "second"


def test_an_undo_takes_back_the_move_that_it_turned_round(
    profile: Profile, clock: FixedClock
) -> None:
    """Two histories joined: between a move and its undo stands one of the other machine."""
    at = clock.now()
    changes = [
        ("unseen", "known", LEARNER),
        ("known", "known-unknown", LEARNER),  # the other machine's
        ("known", "unseen", UNDO),
        ("known", "known-unknown", UNDO),  # of something that is not here
    ]
    told = [ConceptChange(at, before, after, "", author) for before, after, author in changes]
    assert effective_changes(told) == [1, 3]


def test_a_move_that_was_taken_back_hides_no_evidence(
    profile: Profile, add: AddItem, clock: FixedClock
) -> None:
    drill = add(kind="drill")
    board.set_state(profile, "first", "known")
    clock.advance(timedelta(minutes=1))
    attempt(profile, drill, "wrong")
    assert [each.to_state for each in suggestions(profile)] == ["known-unknown"]
    clock.advance(timedelta(minutes=1))
    board.set_state(profile, "first", "known-unknown")
    board.undo_move(profile)
    assert [each.to_state for each in suggestions(profile)] == ["known-unknown"]


def test_taking_a_move_back_makes_nothing_known_anew(profile: Profile, clock: FixedClock) -> None:
    board.set_state(profile, "first", "known")
    since = today(profile).recently_known
    clock.advance(timedelta(days=1))
    board.set_state(profile, "first", "known-unknown")
    assert today(profile).recently_known == ()
    board.undo_move(profile)
    assert today(profile).recently_known == since
