"""Cards that are easy to guess or ask for too much are found, and good ones are left alone."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from studyattn.packs.card_kinds import BASIC, CLOZE, NUMERIC, TYPED, CardKind
from studyattn.packs.check import contradictions, prompts
from studyattn.packs.check.prompts import weaknesses
from studyattn.packs.model import Card, SourceLocation
from studyattn.packs.read import read_pack
from tests.packs.conftest import change

LOGITS = "concepts/logits.md"


def card(
    front: str,
    kind: CardKind = BASIC,
    answer: str | None = None,
    extra: Mapping[str, Any] | None = None,
) -> Card:
    return Card("one", kind, front, "Because.", SourceLocation("one.md", 1), answer, extra or {})


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Is $W_O$ the same as the output of attention?", "yes or no"),
        ("The values are small. Can the output be large?", "yes or no"),
        ("In a causal model, can *apple* be moved by “phones”?", "yes or no"),
        ("The rank of the scores bounds that of the weights: true or false?", "true and false"),
        ("What does flash attention save: operations, memory traffic, or accuracy?", "options"),
        ("Which memory doubles with the users, weights or caches?", "options"),
        ("Which of the maps still gets a gradient?", "options"),
        ("Of flash and sparse attention, which is exact?", "options"),
        ("A path goes left, up or aslant. Which of these is a replacement?", "options"),
        ("There are $Q$, $K$ and $V$. Which one of them asks?", "options"),
        ("Name the three places at which position can enter.", "a list"),
        ("What two things does softmax make true of a row?", "a list"),
        ("Which width must queries and keys share, and why?", "two things"),
        ("What is a query? What is a key?", "two things"),
        ("The formula of attention", "is not a question"),
        ("Why " + 40 * "very " + "long?", "42 words"),
    ],
)
def test_a_question_that_can_be_guessed_or_asks_too_much_is_found(question: str, said: str) -> None:
    assert said in " ".join(weaknesses(card(question)))


@pytest.mark.parametrize(
    "question",
    [
        "Why is the output never larger than the largest value?",
        "When does softmax give every key the same weight?",
        "Two heads see the same tokens. Why does “apple” attend to “love” in one of them?",
        "The context doubles. By what factor does the work grow?",
        "In a causal model, why can *apple* not be moved by “phones”?",
        "Heads come before the tokens, as in `(b, h, n, d)`. Why does the code need no change?",
        "Scores are summed or averaged over a row. What does the softmax see?",
        "What does `is_causal=True, or False?` compare?",
        "Two vectors are orthogonal. Their dot product is …",
        "What makes a token easy to find, and hard to ignore?",
        "Which of them stands for a replacement?",
        "In the table, a cell has three neighbors. Which of them stands for a replacement?",
    ],
)
def test_a_good_question_is_left_alone(question: str) -> None:
    assert list(weaknesses(card(question))) == []


def test_an_answer_that_the_question_holds_is_found() -> None:
    typed = card("Are weights or caches doubled? It is the …", TYPED, "caches|the caches")
    assert "gives its answer away" in " ".join(weaknesses(typed))
    code = card("Along which axis of `(tokens, features)`?", TYPED, "features")
    assert list(weaknesses(code)) == []
    short = card("Keys have width d. How wide is a query?", TYPED, "d")
    assert list(weaknesses(short)) == []
    assert "yes or no" in " ".join(weaknesses(card("Need value and key be equal …", TYPED, "no")))


def test_a_gap_that_the_rest_of_the_text_fills_is_found() -> None:
    given = card("Keys are not queries: a query meets ==keys==.", CLOZE)
    assert "'keys' is in the text around the gap" in " ".join(weaknesses(given))
    assert list(weaknesses(card("A query meets ==keys==, then ==2|values==.", CLOZE))) == []


def test_a_long_number_needs_a_tolerance() -> None:
    question = "How many parameters does GPT-3's attention have?"
    long = card(question, NUMERIC, "57982058496")
    assert "asks for 11 digits" in " ".join(weaknesses(long))
    for tolerance in ("5%", "1000000000"):
        about = card(question, NUMERIC, "57982058496", {"tolerance": tolerance})
        assert list(weaknesses(about)) == []
    assert list(weaknesses(card(question, NUMERIC, "58000000000"))) == []


def test_a_weak_card_is_told_at_its_line(folder: Path) -> None:
    old = "Which class does a linear classifier predict?"
    change(folder / LOGITS, old, "Is the class with the largest logit predicted?")
    (finding,) = prompts.check(read_pack(folder).pack)
    assert (finding.place.file, finding.place.line) == (str(folder / LOGITS), 20)
    assert finding.message.startswith("'logits-predict' can be answered with yes or no")


def test_a_pack_that_teaches_what_its_errata_correct_is_told(folder: Path) -> None:
    change(folder / LOGITS, "looks like", "is a probability, and looks like")
    assert list(contradictions.check(read_pack(folder).pack)) == []
    (folder / "errata.md").write_text(
        "---\ntitle: Common errors in sources\n---\n\n"
        "## A logit may be any number "
        '{#any-number concept=logits terms="logit probability looks"}\n\n'
        "**Source:** a page\n\n**Says:** it is one.\n\n**Right:** it is any number.\n"
    )
    (finding,) = contradictions.check(read_pack(folder).pack)
    assert finding.place.file == str(folder / LOGITS)
    assert "the erratum 'any-number'" in finding.message
