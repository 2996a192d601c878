"""Corrections: which statements the errata contradict, and which only share their words."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.bundled import content_dir
from studyattn.packs.corrections import Correction, correct_answer, correct_statement
from studyattn.packs.errata import read_errata
from studyattn.packs.model import Erratum
from studyattn.packs.read import load_pack

FILE = Path("errata.md")
ERRATUM = """\
## Parameters do not grow {{#growth concept=cost {signs}}}

**Source:** a talk

**Says:** there are as many as the square of the context.

**Right:** the *pattern* grows.
"""
TERMS = 'terms="parameter square context"'


def errata(signs: str = TERMS) -> tuple[Erratum, ...]:
    found, problems = read_errata(ERRATUM.format(signs=signs), FILE)
    assert problems == []
    return found


@pytest.mark.parametrize(
    ("title", "body", "says"),
    [
        ("Parameters are the square of the context", "", None),
        (
            "Size",
            "Size: parameters grow with the\nSquare of the context",
            "Size: parameters grow with the Square of the context",
        ),
        (
            "Parameters",
            "the square of the context.\n\nMore.",
            "Parameters: the square of the context.",
        ),
        ("Parameters are not free: they are the square of the context", "", None),
    ],
)
def test_a_statement_is_quoted_in_its_own_words(title: str, body: str, says: str | None) -> None:
    expected = Correction(
        "growth", "Parameters do not grow", says or title, "My notes", "the *pattern* grows."
    )
    found = correct_statement(title, body, "My notes", errata())
    if "not free" in title:  # a negation beside the claim makes it doubtful, so it is left alone
        assert found == ()
    else:
        assert found == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        "The parameters do not grow with the square of the context.",
        "Parameters don't depend on the context; the pattern has the square of it.",
        "The square of the context never enters the number of parameters.",
        "The number of parameters is independent of the context, whose square the pattern has.",
        "Is the number of parameters the square of the context?",
        "Parameters are many.\n\nThe pattern has the square of the context.",
        "",
    ],
)
def test_what_denies_or_asks_is_not_contradicted(text: str) -> None:
    assert correct_statement(text, "", "", errata()) == ()
    assert correct_answer(text, "", errata()) == ()


def test_a_negation_elsewhere_or_in_the_claim_itself_denies_nothing() -> None:
    answer = "This is not hard. The parameters are the square of the context."
    assert len(correct_answer(answer, "", errata())) == 1
    own = errata('terms="masking sum not 1"')
    assert len(correct_statement("Without masking the sum is not 1", "", "", own)) == 1
    assert correct_statement("Masking is no reason for a sum that is not 1", "", "", own) == ()


def test_figures_count_by_value_and_with_terms_both_are_needed() -> None:
    only, both = errata("figures=1960"), errata('figures=1960 terms="parameter"')
    assert [each.says for each in correct_statement("1,960 of them", "", "", only)] == [
        "1,960 of them"
    ]
    assert correct_statement("1,961 of them", "", "", only) == ()
    assert len(correct_statement("1960 parameters", "", "", both)) == 1
    assert correct_statement("1960 of them", "", "", both) == ()
    assert correct_statement("parameters", "", "", both) == ()


def test_an_answer_is_quoted_as_the_errata_say_it() -> None:
    (found,) = correct_answer("Long.\n\nparameters: square of context", "A talk", errata())
    assert found.says == "there are as many as the square of the context."
    assert "(“A talk”)" in found.markdown
    (without,) = correct_answer("parameters: square of context", "", errata())
    assert "“" not in without.markdown


def test_a_word_that_the_claim_does_not_have_saves_a_statement() -> None:
    unless = errata(f'{TERMS} unless="Pattern"')
    assert len(correct_statement("Parameters: square of the context", "", "", unless)) == 1
    assert correct_statement("A pattern, with parameters, is context square", "", "", unless) == ()
    figures = errata('figures=1960 unless="bytes"')
    assert correct_statement("1960 Bytes", "", "", figures) == ()


def test_that_attention_refines_a_word_by_later_ones_is_corrected_for_one_kind_of_model() -> None:
    """The erratum is about a model that looks back. In one that reads both ways the claim holds."""
    known = load_pack(content_dir() / "attention").errata
    claim = (
        "The word mole has many meanings: “one mole of carbon dioxide”, “a biopsy of the mole”."
        " Attention refines the embedding by the context around it"
    )
    assert [each.erratum for each in correct_statement(f"{claim}.", "", "", known)] == [
        "video-mole"
    ]
    assert correct_statement(f"{claim} in a model that reads both ways.", "", "", known) == ()
