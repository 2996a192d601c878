"""What a document holds: questions in every form, claims, notes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.errors import DocumentError
from studyattn.exchange.documents.draft import SourceLink
from studyattn.exchange.documents.extract import extract

QA = """\
# A talk

## Your Current Understanding

- Softmax sums to one
- Q(x): the query
  - of a token

## Questions & Answers

### 1. Low rank - why may it be dropped?

Because of **this**.

### A detail is no question

**Learn more:**
- [A [nested] page](https://a.b/c_(d))
- https://e.f/

---

### 2) Output matrix

### Q3: Third?

Third answer.

## Next

- nothing
"""


SPELT_OUT = """\
# Notes

Question: What is d?
Answer: The width.
Question: And
n?
Answer: The length,
in tokens.
"""


def test_a_question_and_answer_document() -> None:
    draft = extract(QA, "a.md")
    assert draft.kind == "qa"
    assert draft.title == "A talk"
    assert [(each.text, each.line) for each in draft.questions] == [
        ("Low rank - why may it be dropped?", 11),
        ("A detail is no question", 15),
        ("Output matrix", 23),
        ("Third?", 25),
    ]
    low_rank, detail, output, third = draft.questions
    assert (low_rank.concept, low_rank.remark) == ("Low rank", "why may it be dropped?")
    assert low_rank.answer == "Because of **this**."
    assert detail.answer == ""
    assert detail.links == (
        SourceLink("A [nested] page", "https://a.b/c_(d)"),
        SourceLink("https://e.f/", "https://e.f/"),
    )
    assert output.answer == ""
    assert third.answer == "Third answer."
    assert [(each.concept, each.state, each.line) for each in draft.claims] == [
        ("Softmax sums to one", "known", 5),
        ("Q(x)", "known", 6),
    ]
    assert draft.claims[1].body == "Q(x): the query\n  - of a token"
    assert draft.notes == ()


def test_a_title_that_says_questions_is_not_the_heading_of_them() -> None:
    draft = extract("# Questions\n\n## Questions\n\n### One?\n\na\n\n### Two?\n\nb\n", "a.md")
    assert [each.text for each in draft.questions] == ["One?", "Two?"]


@pytest.mark.parametrize(
    "text",
    [
        "Q: What is d?\nA: The width.\n\nQ: And n?\nA: The length,\nin tokens.\n",
        "Q1: What is d?\n\nA1: The width.\n\nQ2: And n?\n\nA2: The length,\nin tokens.\n",
        "**Q:** What is d?\n**A:** The width.\n\n**Q: And n?**\n**A:** The length,\nin tokens.\n",
        "**Q1.** What is d?\n\n**A1.** The width.\n\nQ2) And n?\n\nA2) The length,\nin tokens.\n",
        "Q: What is d? A: The width.\n\n**Q: And n?** **A:** The length,\nin tokens.\n",
        "- Q: What is d?\n- A: The width.\n- Q: And n?\n- A: The length,\nin tokens.\n",
        SPELT_OUT,
    ],
)
def test_pairs(text: str) -> None:
    draft = extract(text, "a.md")
    assert [(each.text, each.answer) for each in draft.questions] == [
        ("What is d?", "The width."),
        ("And n?", "The length,\nin tokens."),
    ]


def test_an_answer_may_speak_of_questions_and_answers() -> None:
    (question,) = extract("Q: How?\nA: Ask: why? A: because.\nAnd how? A: so.\n", "a.md").questions
    assert question.answer == "Ask: why? A: because.\nAnd how? A: so."


def test_a_heading_over_questions_is_none_itself() -> None:
    text = "# Interview questions\n\n## Questions\n\n1. What is d?\n\n## Q&A\n\nText.\n"
    draft = extract(text, "a.md")
    assert draft.questions == ()
    assert [note.title for note in draft.notes] == ["Questions", "Q&A"]
    asked = extract("# Q&A\n\n## What does a query question?\n\nx\n", "a.md").questions
    assert [each.text for each in asked] == ["What does a query question?"]


def test_marks_inside_code_are_code() -> None:
    text = "Q: What is printed?\nA: This:\n\n```\nQ: x\nA: y\n```\n"
    (question,) = extract(text, "a.md").questions
    assert question.answer == "This:\n\n```\nQ: x\nA: y\n```"


def test_prose_that_begins_with_a_letter_is_no_pair() -> None:
    assert extract("A. Smith wrote this.\n\nQuite: so.\n", "a.md").questions == ()


def test_a_learning_note() -> None:
    text = """\
# Learning note

## Known

- [x] Softmax

### Scaling

by the root

## Known Unknown

1. Rotary embeddings
2. KV cache: how large?

## Sources

a book
"""
    draft = extract(text, "note.md")
    assert draft.kind == "note"
    assert [(each.concept, each.state, each.body) for each in draft.claims] == [
        ("Softmax", "known", "Softmax"),
        ("Scaling", "known", "by the root"),
        ("Rotary embeddings", "known-unknown", "Rotary embeddings"),
        ("KV cache", "known-unknown", "KV cache: how large?"),
    ]
    assert [(each.title, each.line) for each in draft.notes] == [("Sources", 16)]


@pytest.mark.parametrize(
    ("text", "kind", "title", "notes"),
    [
        ("---\ntitle: A post\n---\n\nbefore\n\n## One\n\na\n", "post", "A post", ["A post", "One"]),
        ("# Summary of it\n\n## One\n\na\n", "summary", "Summary of it", ["One"]),
        ("First line\n\ntext\n", "note", "First line", ["First line"]),
        ("\n\n".join(["Slide", *["some words"] * 12]), "slides", "Slide", ["Slide"]),
        ("x" * 200 + "\n", "note", "a", ["a"]),
    ],
)
def test_documents_without_questions(text: str, kind: str, title: str, notes: list[str]) -> None:
    draft = extract(text, "folder/a.md")
    assert (draft.kind, draft.title) == (kind, title)
    assert [note.title for note in draft.notes] == notes


@given(st.text(alphabet=list("#ab \n-`>Q:A?1.*[]()"), max_size=80))
def test_no_text_makes_it_fail(text: str) -> None:
    try:
        draft = extract(text, "a.md")
    except DocumentError as error:
        assert error.where.startswith("a.md:")  # noqa: PT017 - some texts are refused, some not
        return
    lines = text.count("\n") + 1
    found = [each.line for each in draft.questions]
    found += [each.line for each in draft.claims]
    found += [each.line for each in draft.notes]
    assert all(1 <= line <= lines for line in found)


def test_a_bold_question_has_the_text_below_it_as_answer() -> None:
    text = "**Q1. Why scale?**\n\nThe variance.\n\nAnd more.\n\n**Q2) Why mask?**\nThe future.\n"
    found = extract(text, "qa.md").questions
    assert [(each.text, each.answer, each.line) for each in found] == [
        ("Why scale?", "The variance.\n\nAnd more.", 1),
        ("Why mask?", "The future.", 7),
    ]


def test_clozes_of_other_tools_are_questions_with_a_gap() -> None:
    text = (
        "# Masks\n\n## Causal\n\n"
        "- Scores of hidden keys become {{c1::−∞::what?}} before the {{c2::softmax}}.\n\n"
        "```\n{{c1::code}}\n```\n"
    )
    found = extract(text, "masks.md").questions
    assert [each.text for each in found] == [
        "Scores of hidden keys become ==[what?]== before the softmax.",
        "Scores of hidden keys become −∞ before the ==[…]==.",
    ]
    assert found[1].answer == "Scores of hidden keys become −∞ before the ==softmax==."
    assert [(each.concept, each.line) for each in found] == [("Causal", 5)] * 2


def test_a_cloze_of_other_tools_within_a_formula_is_asked() -> None:
    (found,) = extract("## Scale\n\nDivide by $\\sqrt{ {{c1::d}} }$.\n", "scale.md").questions
    assert found.text == "Divide by $\\sqrt{ […] }$."
    assert found.answer == "Divide by $\\sqrt{ d }$."
