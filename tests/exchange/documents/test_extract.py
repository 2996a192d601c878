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


SPOKEN = """\
# Terraform, spoken

## Basics

### What is a provider?

**Interviewer:** What is a provider?

**Your Response:** A plugin.

### 1.2: plan and apply

**Interviewer:** How does plan differ from apply?

**Your Response:** It changes nothing.

## Questions from real scenarios

### Drift

**Interviewer:** What is drift?

**Your Response:** A difference.
**Keep in mind:** It is found by plan.
"""

CHAPTERS = """\
# Interview Questions & Answers

## 1. Creational patterns (Questions 1-2)

**Q1: What is a singleton?**
One instance.

**Q2: What is a factory?**
It makes objects.

## 2. Others (Questions 3-4)

**Q3: What is a proxy?**
It stands for another.

**Q4: And a bridge?**
It joins two.
"""

BESIDE = """\
## Internals (Questions 701-703)

### Question 701: What is a goroutine?

A light thread.

### How to explain it

Slowly.

### Question 702: What is a channel?

A queue.

### How to explain it

With a pipe.
"""


@pytest.mark.parametrize(
    ("asks", "answers"),
    [
        ("Q：{}？", "A：{}。"),
        ("**Frage:** {}?", "**Antwort:** {}."),
        ("P: ¿{}?", "R: {}."),
        ("**В:** {}?", "**О:** {}."),
        ("**问：{}？**", "答：{}。"),
        ("#Q {}?", "^ {}."),
    ],
)
def test_a_label_that_asks_is_read_in_any_language(asks: str, answers: str) -> None:
    pairs = [(f"one {number}", f"two {number}") for number in range(4)]
    text = "\n\n".join(f"{asks.format(one)}\n{answers.format(two)}" for one, two in pairs)
    questions = extract(f"# A talk\n\n{text}\n", "a.md").questions
    assert [one in each.text for each, (one, _) in zip(questions, pairs, strict=True)] == [True] * 4
    assert [each.answer.strip("。.") for each in questions] == [two for _, two in pairs]
    assert not any(each.text.startswith(asks[:3]) for each in questions)


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        (
            SPOKEN,
            [
                ("What is a provider?", "A plugin."),
                ("How does plan differ from apply?", "It changes nothing."),
                ("What is drift?", "A difference.\n\n**Keep in mind:** It is found by plan."),
            ],
        ),
        (
            CHAPTERS,
            [
                ("What is a singleton?", "One instance."),
                ("What is a factory?", "It makes objects."),
                ("What is a proxy?", "It stands for another."),
                ("And a bridge?", "It joins two."),
            ],
        ),
        (
            BESIDE,
            [("What is a goroutine?", "A light thread."), ("What is a channel?", "A queue.")],
        ),
    ],
)
def test_labels_chapters_and_titles_that_repeat(text: str, cards: list[tuple[str, str]]) -> None:
    draft = extract(text, "a.md")
    assert [(each.text, each.answer) for each in draft.questions] == cards


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


def asked(text: str) -> list[str]:
    return [each.text for each in extract(text, "a.md").questions]


@pytest.mark.parametrize(
    "text",
    [
        "### 1. What is d?\n\nThe width.\n\n### 2. Explain n\n\nThe length.\n",
        "## One\n\n### 1) What is d?\n\nThe width.\n\n## Two\n\n### 1) Explain n\n\nThe length.\n",
        "1. ### What is d?\n\n   The width.\n\n2. ### Explain n\n\n   The length.\n",
        "#### Q1: What is d?\n\nThe width.\n\n#### Q2: Explain n\n\nThe length.\n",
        "## Intro\n\ntext\n\n## Q. What is d?\n\nThe width.\n\n## Q. Explain n\n\nThe length.\n",
        "## Question 1: What is d\n\nThe width.\n\n## Question 2: Explain n\n\nThe length.\n",
        "# My questions\n\n## 1. What is d\n\nThe width.\n\n## 2. Explain n\n\nThe length.\n",
    ],
)
def test_headings_that_ask_are_questions_without_a_heading_over_them(text: str) -> None:
    found = extract(text, "a.md").questions
    assert [each.text.rstrip("?") for each in found] == ["What is d", "Explain n"]
    assert [each.answer for each in found] == ["The width.", "The length."]
    rows = text.split("\n")
    assert all(each.text in rows[each.line - 1] for each in found)


def test_one_numbered_question_is_a_card_and_one_question_without_a_number_is_none() -> None:
    assert asked("### 1. What is a query?\n\nA vector.\n") == ["What is a query?"]
    assert asked("## What is attention?\n\nA sum.\n\n## Its parts\n\nThree.\n") == []


def test_beside_numbered_questions_a_title_makes_no_more() -> None:
    text = "# 50 questions\n\n#### Find all here\n\nx\n\n## 1. Why?\n\nSo.\n\n## 2. How?\n\nSo.\n"
    assert asked(text) == ["Why?", "How?"]


def test_a_label_without_an_answer_is_no_answer() -> None:
    first, second = extract(
        "### Q1: Why?\n\n**Answer:**\n\n### Q2: How?\n\nSo.\n", "a.md"
    ).questions
    assert (first.answer, second.answer) == ("", "So.")


def test_headings_without_numbers_ask_if_nearly_all_do() -> None:
    four = "".join(f"## {word}?\n\nx\n\n" for word in ("Was ist Q", "何ですか", "Почему", "Why"))
    assert len(asked(four)) == 4
    statement = four.replace("## Почему?", "## Опишите V.")
    assert asked(statement) == ["Was ist Q?", "何ですか?", "Опишите V.", "Why?"]
    assert len(asked(f"{four}## License\n\nMIT\n")) == 4
    assert asked(f"{four}## Install\n\nx\n\n## License\n\nMIT\n") == []
    assert asked(f"{four}## Usage [see?](x)\n\nx\n") != []


@pytest.mark.parametrize(
    "text",
    [
        "## 1. Introduction\n\nx\n\n## 2. Methods\n\nx\n\n## 3. What is next?\n\nx\n",
        "## [1.1.0] - 2026-01-01\n\n### Added\n\nx\n\n## [1.0.0]\n\n### Fixed\n\nx\n",
        "# Plan\n\n## Q1: Beta\n\nx\n\n## Q2: Launch\n\nx\n",
        "# Deploy\n\n## Step 1: Build\n\nx\n\n## Step 2: Copy\n\nx\n",
        "# React questions\n\n## Contents\n\n- [1. What?](#1)\n\n## Core\n\nx\n\n## Router\n\nx\n",
        "1. Introduction\n2. What is d?\n",
        "> ### 1. What is d?\n>\n> quoted\n",
    ],
)
def test_chapters_contents_and_plans_are_no_questions(text: str) -> None:
    assert asked(text) == []


def test_a_table_of_contents_is_no_question_and_no_answer() -> None:
    links = "- [What is d?](#1-what-is-d)\n- [Explain n](#2-explain-n)\n"
    question = "## 2. What is d?\n\nThe width.\n\n[Up](#questions)\n"
    text = f"# Questions\n\n## 1. Contents\n\n{links}\n{question}"
    (card,) = extract(text, "a.md").questions
    assert (card.text, card.answer) == ("What is d?", "The width.")
    hidden = f"<details><summary>Contents</summary>\n\n{links}\n</details>\n"
    assert asked(hidden) == []


@pytest.mark.parametrize(
    "answer",
    [
        "<details><summary><b>Answer</b></summary>\n\n#### Answer: B\n\nso\n\n</details>",
        "**Answer: B**\n\nso",
    ],
)
def test_questions_of_one_title_ask_what_is_before_their_answers(answer: str) -> None:
    text = "".join(
        f"###### {number}. What is printed?\n\n```js\nlog({number});\n```\n\n{answer}\n\n---\n\n"
        for number in (1, 2)
    )
    first, second = extract(text, "a.md").questions
    assert first.text == "What is printed?\n\n```js\nlog(1);\n```"
    assert second.text != first.text
    assert "Answer: B" in first.answer
    assert first.answer.endswith("so")
    assert "<" not in first.answer
    assert first.concept == "What is printed"


def test_a_fence_that_is_never_closed_ends_with_its_list_item() -> None:
    text = "1. ### What is d?\n\n   ```py\n   d = 2\n\n2. ### What is n?\n\n   The length.\n"
    draft = extract(text, "a.md")
    assert [each.answer for each in draft.questions] == ["```py\nd = 2", "The length."]
    assert draft.understood.remarks == ("Never closed: the code fence ``` (line 3)",)
    formula = extract("costs $$ a day\n", "a.md")
    assert formula.understood.remarks == ("Never closed: the formula that starts with $$ (line 1)",)
    assert [note.body for note in formula.notes] == ["costs $$ a day"]


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
        ("---\ntitle: A post\n---\n\nbefore\n\n## One\n\na\n", "note", "A post", ["A post", "One"]),
        ("# Summary of it\n\n## One\n\na\n", "note", "Summary of it", ["One"]),
        ("First line\n\ntext\n", "note", "First line", ["First line"]),
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
