"""A search's result as it is drawn: formulas set, marks where the words are."""

from __future__ import annotations

import pytest

from studyattn.store.search import MarkedText
from studyattn.store.search_schema import SearchKind
from studyattn.study.notes.excerpt import with_formulas
from studyattn.study.notes.search import SearchResult
from studyattn.tui.screens.search import marked, row


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("the $d_k$ of a key", "key", "the dₖ of a key"),
        ("key: $a$ and $x^2$ and key", "key", "key: a and x² and key"),
        ("the $d_k$ and key $d_v$", "key", "the dₖ and key dᵥ"),
        ("costs $5 and key $6", "key", "costs $5 and key $6"),
        ("no maths, key", "key", "no maths, key"),
        ("$\\frac{a", "a", "$\\frac{a"),
        ("…d$, $P = \\mathrm{softmax}(S)$, O = PV", "softmax", "…, P = softmax(S), O = PV"),
        ("…_k}$, the key $$\\frac{e^{x}}{\\sum_j…", "key", "…, the key …"),
        ("…x = key(q)$ and…", "key", "…x = key(q)$ and…"),
        ("## Why\n**Why:** a **key** of $x$", "key", "Why\nWhy: a key of x"),
        ("so $$\\text{key} = \\frac{e^{x}}{\\sum_j…", "key", "so key = e^x_j…"),
        ("the *key* of ==the gap==, `key` == 1", "key", "the key of the gap, key == 1"),
        ("…a_i + b_i$ of a key", "key", "…aᵢ + bᵢ of a key"),
        ("…for $5 and $6 a key…", "key", "…for $5 and $6 a key…"),
    ],
)
def test_formulas_are_set_and_marks_stay_on_their_words(
    text: str, word: str, expected: str
) -> None:
    start = text.rindex(word)
    line = with_formulas(MarkedText(text, ((start, start + len(word)),)))
    assert line.text == expected
    assert [line.text[slice(*mark)] for mark in line.marks] == [word]


@pytest.mark.parametrize(
    ("text", "word", "expected"),
    [
        ("Divide by $\\sqrt{d}$ once", "sqrt", "Divide by √d once"),
        ("…a) \\frac{1 + \\cos x}{2}, \\qquad x = \\frac{t…", "frac", "…"),
    ],
)
def test_a_word_of_latex_does_not_keep_its_formula_raw(text: str, word: str, expected: str) -> None:
    start = text.index(word)
    line = with_formulas(MarkedText(text, ((start, start + len(word)),)))
    assert (line.text, line.marks) == (expected, ())


def test_what_was_found_is_in_view_on_a_narrow_terminal() -> None:
    excerpt = MarkedText("word " * 40 + "needle" + " word" * 40, ((200, 206),))
    for width in (30, 80, 200):
        found = SearchResult(SearchKind.NOTE, "1", MarkedText("T"), excerpt, "About")
        lines = row(found, width).plain.splitlines()
        assert any("needle" in line for line in lines)
        assert max(map(len, lines)) <= width


def test_a_long_title_and_what_it_belongs_to_are_whole() -> None:
    excerpt = MarkedText("word " * 40 + "needle" + " word" * 40, ((200, 206),))
    title, about = "A softmax of small and of large scores", "Numerical stability of softmax"
    found = SearchResult(SearchKind.CARD, "1", MarkedText(title), excerpt, about)
    lines = row(found, 44).plain.splitlines()
    assert " ".join(" ".join(line.split()) for line in lines[:2]) == f"card {title}"
    assert lines[2].strip() == about
    assert "…word" in lines[3]  # cut between words


def test_nothing_found_drives_the_terminal() -> None:
    assert marked(MarkedText("a\x1b[2J", ((0, 1),))).plain == "a�[2J"
