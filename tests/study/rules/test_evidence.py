"""The state that the evidence suggests, and the evidence in words."""

from __future__ import annotations

from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from studyattn.store.vocabulary import KNOWN, KNOWN_UNKNOWN, STATES, UNSEEN
from studyattn.study.rules.evidence import (
    DRILL_DAYS,
    HELD_DAYS,
    ConceptFacts,
    Evidence,
    FailedDrill,
    Weight,
    list_evidence,
    suggest_state,
)

SINCE = datetime(2026, 3, 2, 12, tzinfo=UTC)
HELD = (float(HELD_DAYS), 40.0)
PASSED = {"kv-cache": DRILL_DAYS}
facts = st.builds(
    ConceptFacts,
    state=st.sampled_from(STATES),
    stabilities=st.lists(st.none() | st.floats(0, 2 * HELD_DAYS), max_size=3).map(tuple),
    drill_days=st.dictionaries(st.sampled_from("abc"), st.integers(0, 3), max_size=2),
    mistake=st.none() | st.just("No scale."),
    since=st.just(SINCE),
    lapses=st.integers(0, 2),
    failed=st.none() | st.just(FailedDrill("a", SINCE)),
)


def test_known_needs_every_card_and_every_drill() -> None:
    proved = ConceptFacts(KNOWN_UNKNOWN, HELD, PASSED)
    assert suggest_state(proved) == (
        KNOWN,
        "Every card is stable for 21 days or more and the drill was passed on two days.",
    )
    assert suggest_state(proved._replace(stabilities=(*HELD, 20.9))) is None
    assert suggest_state(proved._replace(stabilities=(*HELD, None))) is None
    assert suggest_state(proved._replace(drill_days={**PASSED, "mask": 1})) is None


def test_a_drill_alone_or_a_card_alone_can_prove_it() -> None:
    assert suggest_state(ConceptFacts(UNSEEN, drill_days=PASSED)) == (
        KNOWN,
        "The drill was passed on two days.",
    )
    assert suggest_state(ConceptFacts(UNSEEN, HELD[:1])) == (
        KNOWN,
        "The card is stable for 21 days or more.",
    )


def test_a_concept_without_items_is_left_alone() -> None:
    assert suggest_state(ConceptFacts(UNSEEN, mistake="No scale.")) is None


def test_a_mistake_moves_unseen_and_known_concepts() -> None:
    reason = "Your code made a mistake from this topic: No scale."
    for state in (UNSEEN, KNOWN):
        mistaken = ConceptFacts(state, (1.0,), mistake="No scale.")
        assert suggest_state(mistaken) == (KNOWN_UNKNOWN, reason)
    # One known to be unknown is there already: it can only become known.
    assert suggest_state(ConceptFacts(KNOWN_UNKNOWN, HELD, mistake="No scale.")) == (
        KNOWN,
        "Every card is stable for 21 days or more.",
    )


def test_known_is_doubted_for_a_lapse_before_a_failed_drill() -> None:
    known = ConceptFacts(KNOWN, HELD, PASSED, since=SINCE)
    assert suggest_state(known) is None
    failed = known._replace(failed=FailedDrill("kv-cache", SINCE))
    assert suggest_state(failed) == (
        KNOWN_UNKNOWN,
        "Its drill kv-cache was not passed on 02 Mar.",
    )
    lapsed = failed._replace(lapses=2)
    assert suggest_state(lapsed) == (
        KNOWN_UNKNOWN,
        "One of its cards was forgotten 2 times since 02 Mar 2026.",
    )


def test_evidence_says_what_is_missing_and_what_speaks_against() -> None:
    found = list_evidence(ConceptFacts(KNOWN, (1.0, 30.0), {"mask": 1}, since=SINCE, lapses=1))
    assert found == (
        Evidence(Weight.MISSING, "1 of 2 cards hold for 21 days or more"),
        Evidence(Weight.MISSING, "drill mask passed without its solution on 1 of 2 days"),
        Evidence(Weight.AGAINST, "One of its cards was forgotten since 02 Mar 2026"),
    )


@given(facts)
def test_a_suggestion_is_a_move_and_agrees_with_the_evidence(some: ConceptFacts) -> None:
    suggested = suggest_state(some)
    if suggested is None:
        return
    to_state, reason = suggested
    assert to_state != some.state
    assert reason.endswith(".")
    weights = {each.weight for each in list_evidence(some)}
    if to_state == KNOWN:
        assert Weight.MISSING not in weights
        assert Weight.FOR in weights
    else:
        assert Weight.AGAINST in weights
