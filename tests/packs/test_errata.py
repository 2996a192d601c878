"""Errata: a document is recognised by its figures and words, wherever they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.errors import PackError
from studyattn.packs import errata as errata_of
from studyattn.packs.errata import MatchedErratum, heading_lines, read_errata
from studyattn.packs.model import Erratum
from studyattn.packs.read import load_pack
from studyattn.text.document import read_document

ENTRY = """\
---
title: Errata
---

## A wrong sum {#sum concept=logits figures="1,960 0.5"}

**Source:** a book

**Says:** that it is 0.5.

**Right:** it is 0.25.
"""
FILE = Path("errata.md")


def recognise(text: str, errata: tuple[Erratum, ...]) -> tuple[MatchedErratum, ...]:
    headings = heading_lines(read_document(text, "document"))
    return errata_of.recognise(text, errata, headings)


def entries(text: str) -> tuple[Erratum, ...]:
    found, problems = read_errata(text, FILE)
    assert problems == []
    return found


def test_an_entry_reads() -> None:
    (erratum,) = entries(ENTRY)
    assert (erratum.id, erratum.title, erratum.concept) == ("sum", "A wrong sum", "logits")
    assert erratum.figures == (1960.0, 0.5)
    assert (erratum.source, erratum.says, erratum.right) == (
        "a book",
        "that it is 0.5.",
        "it is 0.25.",
    )
    assert erratum.place.line == 5


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("{#sum ", "{", "with an id"),
        (' figures="1,960 0.5"', "", "cannot be recognized"),
        ("1,960", "many", "is not a number"),
        ("**Right:**", "Right:", "three paragraphs"),
        ("concept=logits ", "", "concept is missing"),
        ("concept=logits ", "concept=logits place=4 ", "nothing here is called 'place'"),
    ],
)
def test_an_entry_that_is_not_whole_is_told(old: str, new: str, said: str) -> None:
    assert old in ENTRY
    found, (problem,) = read_errata(ENTRY.replace(old, new), FILE)
    assert found == ()
    assert isinstance(problem, PackError)
    assert said in str(problem)
    assert problem.where == "errata.md:5"


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ("The sum is 0.5.\n\nOf 1960 terms.", 3),
        ("# One\n\n| a | 1,960 |\n|---|---|\n| b | 0.50 |\n", 3),
        ("# One\n\n1960\n\n## Two\n\n0.5\n", None),  # not in one section
        ("It is 10.5 of 1960.1 or 21960.", None),
        ("x1960 and v0.5", None),
        ("", None),
    ],
)
def test_figures_stand_in_one_section_and_count_by_value(document: str, line: int | None) -> None:
    found = recognise(document, entries(ENTRY))
    assert [each.line for each in found] == ([] if line is None else [line])


@pytest.mark.parametrize(
    ("document", "line"),
    [
        ("Intro.\n\nParameters grow\nwith the Square of the context.", 3),
        ("Parameters grow.\n\nThe square of the context.", None),
        ("Parameters grow.", None),
        ("- Parameters grow\n- with the square of the context", None),
        ("- Of\n- the parameters: the square of the context", 2),
        ("| [Parameters](#a) | The square? |\n|---|---|\n| The context | x |", None),
        ("Hyperparameters: the square of the context.", None),
        ("Are the parameters the square of the context?", None),
        ("The parameters are not the square of the context.", None),
    ],
)
def test_terms_stand_in_one_statement_that_makes_the_claim(document: str, line: int | None) -> None:
    text = ENTRY.replace('figures="1,960 0.5"', 'terms="parameter square context"')
    found = recognise(document, entries(text))
    assert [each.line for each in found] == ([] if line is None else [line])


def test_with_figures_and_terms_both_are_needed() -> None:
    text = ENTRY.replace('0.5"}', '0.5" terms="sum"}')
    both = "## A\n\nNothing.\n\n## B\n\nThe sum is 0.5\n\n1960\n"
    assert [each.line for each in recognise(both, entries(text))] == [7]
    assert recognise("0.5 and 1960", entries(text)) == ()
    assert recognise("the sum", entries(text)) == ()
    assert recognise("# A\n\n0.5, 1960\n\n# B\n\nthe sum\n", entries(text)) == ()


def test_a_document_about_something_else_is_told_nothing() -> None:
    text = ENTRY.replace('figures="1,960 0.5"', 'terms="parameter square context"')
    limited = text.replace("title:", "subject: attention transformer\ntitle:", 1)
    claim = "The parameters are the square of the context."
    assert recognise(claim, entries(limited)) == ()
    assert recognise(f"# Transformers\n\n{claim}", entries(limited)) != ()


def test_the_built_in_errata_know_a_rephrased_claim() -> None:
    errata = load_pack(content_dir() / "attention").errata
    rephrased = "GPT-3 has 96 layers of 96 heads, so millions of weights."
    assert "video-millions" in {each.erratum.id for each in recognise(rephrased, errata)}
    corrected = "GPT-3 has 96 layers of 96 heads, so billions of weights."
    assert recognise(corrected, errata) == ()


def test_a_statement_with_an_excepted_word_is_not_the_claim_of_figures() -> None:
    (erratum,) = entries(ENTRY)
    excepting = (erratum._replace(unless=("corrected",)),)
    assert recognise("The sum of 1,960 is 0.5.", excepting) != ()
    assert recognise("The corrected sum of 1,960 is not 0.5.", excepting) == ()
