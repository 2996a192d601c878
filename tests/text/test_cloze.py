"""Deletions: where they are, where they are not, and the two faces."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.text import cloze


@pytest.mark.parametrize(
    ("markdown", "answers"),
    [
        ("divided by ==√d_k==", ["√d_k"]),
        (r"divided by ==$\sqrt{d_k}$==", [r"$\sqrt{d_k}$"]),
        ("==one== and ==two==", ["one", "two"]),
        ("==2|one== and ==two==", ["one", "two"]),
        ("a == b and c == d", []),
        ("if a==b: c==d", []),
        ("`==x==` is code", []),
        ("```\n==x==\n```", []),
        ("$a ==b== c$", []),
        (r"\(a ==b== c\)", []),
        (r"the set $\{a\}$ and {{c1::x}}", []),
        ("==`a==b`==", ["`a==b`"]),
        ("==not closed", []),
        ("====", []),
        ("\\==x==", []),
        ("> quoted ==a\n> b== end", ["a\nb"]),
        ("- item ==x==", ["x"]),
        ("`==x==` then ==x==", ["x"]),
    ],
)
def test_what_is_a_deletion(markdown: str, answers: list[str]) -> None:
    found = cloze.deletions(markdown)
    assert [each.text for each in found] == answers
    for each in found:
        assert markdown[each.start : each.start + 2] == "=="
        assert markdown[each.end - 2 : each.end] == "=="


def test_the_place_of_a_deletion_is_not_that_of_the_same_code() -> None:
    (deletion,) = cloze.deletions("`==x==` then ==x==")
    assert deletion.start == len("`==x==` then ")


def test_many_that_are_never_closed_and_many_that_are_alike_are_read_in_time() -> None:
    assert cloze.deletions("==a " * 16_000) == ()
    assert len(cloze.deletions("==a== " * 16_000)) == 16_000


def test_groups() -> None:
    assert cloze.groups("==a== ==2|b== ==2|c== ==7|d==") == (1, 2, 7)
    assert cloze.groups("nothing") == ()


def test_faces() -> None:
    text = "The ==query== meets the ==2|key== in ==2|a product==."
    assert cloze.front(text, 1) == "The ==[…]== meets the key in a product."
    assert cloze.front(text, 2) == "The query meets the ==[…]== in ==[…]==."
    assert cloze.back(text, 2) == "The query meets the ==key== in ==a product==."
    assert cloze.answers(text, 2) == ("key", "a product")


@given(st.text(alphabet=list("ab=|2 `$\\\n>-*[]()")), st.integers(min_value=1, max_value=3))
def test_faces_of_any_text(markdown: str, group: int) -> None:
    found = cloze.deletions(markdown)
    assert all(one.end <= other.start for one, other in pairwise(found))
    if not found:
        assert cloze.front(markdown, group) == markdown
    for each in cloze.answers(markdown, group):
        assert each in cloze.back(markdown, group)


def test_titles_give_nothing_away_and_other_readers_see_no_groups() -> None:
    text = "The ==2|`a == b`== and ==$x$==; a == b"
    assert cloze.gapped(text) == "The […] and […]; a == b"
    assert cloze.ungrouped(text) == "The ==`a == b`== and ==$x$==; a == b"
    assert cloze.gapped("plain") == cloze.ungrouped("plain") == "plain"
