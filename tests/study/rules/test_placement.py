"""Placement: which questions are asked, when they end, and how right the result is."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from statistics import mean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.bundled import content_dir
from studyattn.packs.read import load_pack
from studyattn.study.rules.placement import QUESTIONS, Prerequisites, next_question, placed

Graph = dict[str, tuple[str, ...]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Up to twenty concepts, each requiring some of those before it."""
    number = draw(st.integers(1, 20))
    return {
        f"c{at}": tuple(f"c{need}" for need in draw(st.sets(st.integers(0, at - 1), max_size=3)))
        if at
        else ()
        for at in range(number)
    }


def ask(graph: Prerequisites, knows: Callable[[str], bool]) -> dict[str, bool]:
    """Return the answers of a learner to all questions."""
    answers: dict[str, bool] = {}
    while (slug := next_question(graph, answers, graph.slugs)) is not None:
        assert slug not in answers
        answers[slug] = knows(slug)
    return answers


def closed(requires: Graph, some: set[str]) -> set[str]:
    """Return the concepts with all that they require."""
    for slug in reversed(list(requires)):
        if slug in some:
            some |= set(requires[slug])
    return some


@given(graphs(), st.randoms(use_true_random=False))
def test_questions_are_few_and_end_and_the_answers_are_kept(
    requires: Graph, draw: random.Random
) -> None:
    known = closed(requires, {slug for slug in requires if draw.random() < 0.5})
    graph = Prerequisites(requires)
    answers = ask(graph, known.__contains__)
    result = placed(graph, answers)
    assert len(answers) <= QUESTIONS
    assert all((slug in result) == right for slug, right in answers.items())
    assert result == closed(requires, set(result))
    if len(requires) <= QUESTIONS:  # each answer decides a concept at least
        assert result == known


@given(graphs(), st.dictionaries(st.sampled_from([f"c{at}" for at in range(20)]), st.booleans()))
def test_whatever_is_answered_the_result_has_what_it_requires(
    requires: Graph, answers: dict[str, bool]
) -> None:
    result = placed(Prerequisites(requires), answers)
    assert result == closed(requires, set(result))


def test_only_what_can_be_asked_is_asked_and_a_circle_ends() -> None:
    circle = Prerequisites({"a": ("b",), "b": ("a",), "c": ("b", "elsewhere")})
    assert next_question(circle, {}, {"c"}) == "c"
    assert next_question(circle, {}, ()) is None
    assert placed(circle, {"a": True, "c": False}) == {"a", "b"}
    assert placed(circle, {}) == frozenset()


def test_a_question_splits_what_is_undecided() -> None:
    chain = Prerequisites({f"c{at}": (f"c{at - 1}",) if at else () for at in range(7)})
    assert next_question(chain, {}, chain.slugs) == "c3"
    assert next_question(chain, {"c3": True}, chain.slugs) == "c5"
    assert next_question(chain, {"c3": False}, chain.slugs) == "c1"


def test_the_order_of_hashes_changes_nothing() -> None:
    code = (
        "from tests.study.rules.test_placement import *\n"
        "g = Prerequisites(attention())\n"
        "a = ask(g, lambda slug: len(slug) % 2 == 0)\n"
        "print(a, sorted(placed(g, a)))\n"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1


def attention() -> Graph:
    """Return the concepts of the built-in pack with what they require."""
    pack = load_pack(content_dir() / "attention")
    return {slug: concept.requires for slug, concept in pack.concepts.items()}


def in_some_order(requires: Graph, draw: random.Random, half: int) -> set[str]:
    """Return what a learner knows who came half way in a random order that fits `requires`."""
    learnt: dict[str, None] = {}
    while len(learnt) < half:
        free = [s for s in requires if s not in learnt and set(requires[s]) <= learnt.keys()]
        learnt[draw.choice(free)] = None
    return set(learnt)


def some_with_what_they_require(requires: Graph, draw: random.Random, half: int) -> set[str]:
    """Return random concepts and all that these require, half of the graph or a little more."""
    known: set[str] = set()
    while len(known) < half:
        known = closed(requires, known | {draw.choice(list(requires))})
    return known


@pytest.mark.parametrize("learner", [in_some_order, some_with_what_they_require])
def test_a_learner_who_knows_half_is_placed_right(
    learner: Callable[[Graph, random.Random, int], set[str]],
) -> None:
    """Twelve answers leave more undecided the more concepts there are: with 51 it was 90 %."""
    requires = attention()
    graph = Prerequisites(requires)
    right = []
    for seed in range(200):
        known = learner(requires, random.Random(seed), len(requires) // 2)
        result = placed(graph, ask(graph, known.__contains__))
        right.append(mean((slug in result) == (slug in known) for slug in requires))
    assert mean(right) >= 0.87
