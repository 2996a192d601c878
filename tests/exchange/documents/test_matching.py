"""When two texts are the same thing said again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.exchange.documents.matching import SAME_IDEA, likeness, match, same_idea
from studyattn.exchange.words import normalised, slug_of


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
    old = [
        ("What is d?", "the width"),
        ("How come the root?", "because of the variance"),
        ("Why are the scores scaled by the root of d?", "old answer"),
        ("Who wrote it?", "nobody"),
    ]
    new = [
        ("Why are the scores divided by the root of d?", "new answer"),
        ("For what reason a square root?", "because of the variance"),
        ("What is d", "another answer"),
        ("Where does position come from?", "from outside"),
    ]
    kept, reworded, alike, gone = old
    assert match(old, new, itself) == ([alike, reworded, kept, None], [gone])


def itself(texts: tuple[str, str]) -> tuple[str, str]:
    return texts


TEXTS = st.lists(st.tuples(st.text("abc ", max_size=8), st.text("xy", max_size=3)), max_size=8)


@given(TEXTS, TEXTS)
def test_each_is_matched_at_most_once_and_none_vanishes(
    old: list[tuple[str, str]], new: list[tuple[str, str]]
) -> None:
    matches, gone = match(old, new, itself)
    assert len(matches) == len(new)
    used = [each for each in matches if each is not None]
    assert sorted([*used, *gone]) == sorted(old)


@given(TEXTS)
def test_the_same_texts_all_match(texts: list[tuple[str, str]]) -> None:
    by_words = {normalised(words): (words, rest) for words, rest in texts if normalised(words)}
    unique = [*by_words.values()]
    assert match(unique, unique, itself) == (unique, [])


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_a_share(one: str, other: str) -> None:
    assert 0 <= likeness(one, other) <= 1
