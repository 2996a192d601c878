"""When two texts are the same thing said again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.exchange.documents.matching import (
    SAME_IDEA,
    TitledText,
    likeness,
    match,
    normalised,
    same_idea,
    slug_of,
)


def test_normalised_keeps_the_words() -> None:
    assert normalised("  What is **√d_k**? ") == normalised("what is √d k")
    assert normalised("???") == "???"


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Multi-headed attention", "multi-headed-attention"),
        ("Größe der Köpfe", "groe-der-kopfe"),
        ("a" * 100, "a" * 60),
        ("Softmax", "softmax-3"),
    ],
)
def test_slugs(title: str, slug: str) -> None:
    assert slug_of(title, {"softmax", "softmax-2"}) == slug


def test_a_title_without_latin_letters_has_a_slug() -> None:
    assert slug_of("注意力").startswith("concept-")


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Multi-headed attention", "multi-head-attention", True),
        ("Cross attention", "Cross-attention", True),
        ("Self attention", "Cross-attention", False),
        ("Multi-query attention", "Multi-head attention", False),
        ("Masking before softmax is needed to avoid the sum is not 1", "Masking", False),
    ],
)
def test_the_same_idea(one: str, other: str, same: bool) -> None:
    assert (same_idea(one, other) >= SAME_IDEA) is same


def test_matching_prefers_words_then_the_rest_then_likeness() -> None:
    old = {
        "kept": TitledText("What is d?", "the width"),
        "reworded": TitledText("How come the root?", "because of the variance"),
        "alike": TitledText("Why are the scores scaled by the root of d?", "old answer"),
        "gone": TitledText("Who wrote it?", "nobody"),
    }
    new = [
        TitledText("Why are the scores divided by the root of d?", "new answer"),
        TitledText("For what reason a square root?", "because of the variance"),
        TitledText("What is d", "another answer"),
        TitledText("Where does position come from?", "from outside"),
    ]
    matches = match(old, new)
    assert matches.old_of == {0: "alike", 1: "reworded", 2: "kept"}
    assert matches.gone == ("gone",)


TEXTS = st.lists(
    st.builds(TitledText, st.text("abc ", max_size=8), st.text("xy", max_size=3)), max_size=8
)


@given(TEXTS, TEXTS)
def test_each_is_matched_at_most_once_and_none_vanishes(
    old: list[TitledText], new: list[TitledText]
) -> None:
    matches = match(dict(enumerate(old)), new)
    used = list(matches.old_of.values())
    assert len(set(used)) == len(used)
    assert sorted([*used, *matches.gone]) == list(range(len(old)))


@given(TEXTS)
def test_the_same_texts_all_match(texts: list[TitledText]) -> None:
    unique = {normalised(text.words): text for text in texts if normalised(text.words)}
    matches = match(dict(enumerate(unique.values())), list(unique.values()))
    assert matches.old_of == {index: index for index in range(len(unique))}


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_a_share(one: str, other: str) -> None:
    assert 0 <= likeness(one, other) <= 1
