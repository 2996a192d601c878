"""One concept in full: its graph, its items' memory, the evidence, its notes; and undoing moves."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import insert, update

from studyattn.errors import NotFoundError
from studyattn.memory import Rating
from studyattn.store.models import Concept, ConceptRequires, Item
from studyattn.study import answers, concepts, notes
from studyattn.study.clock import FixedClock
from studyattn.study.conceptpage import show_concept
from studyattn.study.conceptrows import LEARNER, UNDO, Change, places_that_stand
from studyattn.study.learner import Learner
from studyattn.study.suggestions import Weight, suggestions
from studyattn.study.today import today
from tests.study.conftest import AddItem
from tests.study.test_concepts import attempt, hold


def add_concepts(learner: Learner, **requires: str) -> None:
    """Concepts by slug with the slugs that they require, beside `first` and `second`."""
    with learner.database.write() as connection:
        ids = {"first": 1, "second": 2}
        for number, slug in enumerate(requires, start=3):
            ids[slug] = number
            connection.execute(
                insert(Concept).values(id=number, slug=slug, title=slug.title(), position=number)
            )
        edges = [(ids[slug], ids[each]) for slug in requires for each in requires[slug].split()]
        for concept_id, requires_id in edges:
            connection.execute(
                insert(ConceptRequires).values(concept_id=concept_id, requires_id=requires_id)
            )


def test_the_graph_holds_what_is_required_and_unlocked_by_others_too(learner: Learner) -> None:
    add_concepts(learner, third="second first", fourth="third", aside="first", alone="")
    graph = show_concept(learner, "third").graph
    assert set(graph.nodes) == {"first", "second", "third", "fourth"}
    assert graph.requires["third"] == ("second", "first")  # in the order of the path
    assert graph.requires["second"] == ("first",)
    assert graph.unlocks["first"] == ("second", "third")
    assert graph.unlocks["third"] == ("fourth",)
    concepts.set_state(learner, "second", "known")
    assert show_concept(learner, "third").graph.nodes["second"].state == "known"


def test_a_joined_concept_speaks_in_the_graph_as_what_it_is_joined_into(learner: Learner) -> None:
    add_concepts(learner, third="second", other="")
    concepts.merge(learner, "second", "other")
    page = show_concept(learner, "third")
    assert page.requires == (("other", "Other"),)
    assert page.graph.requires["other"] == ("first",)
    assert show_concept(learner, "other").unlocks == (("third", "Third"),)


def test_a_circle_of_requirements_ends(learner: Learner) -> None:
    add_concepts(learner, third="second")
    with learner.database.write() as connection:
        connection.execute(insert(ConceptRequires).values(concept_id=1, requires_id=3))
    assert set(show_concept(learner, "first").graph.nodes) == {"first", "second", "third"}


def test_items_say_how_well_they_are_remembered_now(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    asked, new = add(), add()
    drill = add(kind="drill")
    answers.answer(learner, asked, Rating.EASY)
    items = {each.guid: each for each in show_concept(learner, "first").items}
    assert items[asked].retrievability == pytest.approx(1)
    assert items[new].retrievability is None
    assert items[new].drill_state is None
    assert items[drill].drill_state == "new"
    stability = items[asked].stability
    assert stability is not None
    clock.advance(timedelta(days=round(stability)))
    attempt(learner, drill, "wrong")
    items = {each.guid: each for each in show_concept(learner, "first").items}
    assert items[asked].retrievability == pytest.approx(0.9, abs=0.01)
    assert items[drill].drill_state == "tried"


def test_the_evidence_says_what_is_there_and_what_is_missing(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    held, weak = add(), add()
    drill = add(kind="drill")
    hold(learner, held, 30)
    attempt(learner, drill, "passed")
    assert [(each.weight, each.text) for each in show_concept(learner, "first").evidence] == [
        (Weight.MISSING, "1 of 2 cards hold for 21 days or more"),
        (
            Weight.MISSING,
            f"drill {drill.partition('/')[2]} passed without its solution on 1 of 2 days",
        ),
    ]
    hold(learner, weak, 30)
    clock.advance(timedelta(days=1))
    attempt(learner, drill, "passed")
    assert {each.weight for each in show_concept(learner, "first").evidence} == {Weight.FOR}
    clock.advance(timedelta(days=1))
    attempt(learner, drill, "wrong")
    against = show_concept(learner, "first").evidence[-1]
    assert against.weight is Weight.AGAINST
    assert against.text.endswith("No scale")


def test_a_concept_that_left_its_pack_has_no_page(learner: Learner) -> None:
    with learner.database.write() as connection:
        connection.execute(update(Concept).where(Concept.slug == "first").values(retired=True))
    with pytest.raises(NotFoundError, match="no longer in its pack"):
        show_concept(learner, "first")


def test_the_page_has_the_notes_of_its_concept(learner: Learner) -> None:
    note = notes.add_note(learner, "# Mine\n\ntext", concept="first")
    assert show_concept(learner, "first").notes == (note,)
    assert show_concept(learner, "second").notes == ()


def test_the_list_says_what_is_held_due_and_new(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    held, due, _, suspended = (add() for _ in range(4))
    drills = [add(kind="drill") for _ in range(3)]
    hold(learner, held, 30)
    answers.answer(learner, due, Rating.EASY)
    with learner.database.write() as connection:
        connection.execute(update(Item).where(Item.guid == suspended).values(suspended=True))
    attempt(learner, drills[0], "wrong")
    attempt(learner, drills[1], "passed")
    clock.advance(timedelta(days=30))
    line = next(each for each in concepts.list_concepts(learner) if each.slug == "first")
    assert (line.cards, line.held, line.due, line.new) == (4, 1, 1, 2)
    assert (line.drills, line.drills_passed, line.drills_tried) == (3, 1, 1)


def test_a_joined_concepts_cards_count_with_the_whole(learner: Learner, add: AddItem) -> None:
    add("first")
    add("second")
    concepts.merge(learner, "first", "second")
    cards = {each.slug: each.cards for each in concepts.list_concepts(learner)}
    assert cards == {"first": 1, "second": 2}


def test_moves_are_taken_back_one_after_another(learner: Learner, clock: FixedClock) -> None:
    assert concepts.undo_move(learner) is None
    concepts.set_state(learner, "first", "known-unknown", "read of it")
    clock.advance(timedelta(days=1))
    concepts.set_state(learner, "second", "known")
    concepts.set_state(learner, "first", "known")
    undone = [concepts.undo_move(learner) for _ in range(3)]
    assert [(each.slug, each.to_state) for each in undone if each is not None] == [
        ("first", "known-unknown"),
        ("second", "unseen"),
        ("first", "unseen"),
    ]
    assert concepts.undo_move(learner) is None
    changes = show_concept(learner, "first").changes
    assert [(each.to_state, each.author) for each in changes] == [
        ("known-unknown", "learner"),
        ("known", "learner"),
        ("known-unknown", "undo"),
        ("unseen", "undo"),
    ]
    concepts.set_state(learner, "first", "known")
    assert concepts.undo_move(learner) == concepts.Move("first", "First", "known", "unseen")


def test_what_something_else_moved_since_stays(learner: Learner, clock: FixedClock) -> None:
    from studyattn.store.concepts import record_change

    concepts.set_state(learner, "second", "known")
    concepts.set_state(learner, "first", "known-unknown")
    clock.advance(timedelta(hours=1))
    with learner.database.write() as connection:
        for state in ("known", "unseen", "known-unknown"):  # and back to where the learner put it
            record_change(connection, 1, state, "the document says so", "import", clock.now())
    undone = concepts.undo_move(learner)
    assert undone is not None
    assert undone.slug == "second"


def test_an_undo_takes_back_the_move_that_it_turned_round(
    learner: Learner, clock: FixedClock
) -> None:
    """Two histories joined: between a move and its undo stands one of the other machine."""
    at = clock.now()
    changes = [
        ("unseen", "known", LEARNER),
        ("known", "known-unknown", LEARNER),  # the other machine's
        ("known", "unseen", UNDO),
        ("known", "known-unknown", UNDO),  # of something that is not here
    ]
    told = [Change(at, before, after, "", author) for before, after, author in changes]
    assert places_that_stand(told) == [1, 3]


def test_a_move_that_was_taken_back_hides_no_evidence(
    learner: Learner, add: AddItem, clock: FixedClock
) -> None:
    drill = add(kind="drill")
    concepts.set_state(learner, "first", "known")
    clock.advance(timedelta(minutes=1))
    attempt(learner, drill, "wrong")
    assert [each.to_state for each in suggestions(learner)] == ["known-unknown"]
    clock.advance(timedelta(minutes=1))
    concepts.set_state(learner, "first", "known-unknown")
    concepts.undo_move(learner)
    assert [each.to_state for each in suggestions(learner)] == ["known-unknown"]


def test_taking_a_move_back_makes_nothing_known_anew(learner: Learner, clock: FixedClock) -> None:
    concepts.set_state(learner, "first", "known")
    since = today(learner).recently_known
    clock.advance(timedelta(days=1))
    concepts.set_state(learner, "first", "known-unknown")
    assert today(learner).recently_known == ()
    concepts.undo_move(learner)
    assert today(learner).recently_known == since
