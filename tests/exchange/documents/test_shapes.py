"""Questions that a document has by its shape alone, and what is offered where it is not certain."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from studyattn.exchange.documents.extract import extract
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.documents.plan import PlannedChange
from studyattn.home import Home
from studyattn.store.database import Database, open_database
from studyattn.study.review.rebuild import refold

NOW = datetime(2026, 1, 8, 12, tzinfo=UTC)


def cards(text: str, way: str = "") -> list[tuple[str, str]]:
    found = extract(text, "a.md", way)
    return [(each.text, each.answer) for each in found.questions if each.answer]


@pytest.mark.parametrize(
    "text",
    [
        "**1. Why scale?**\n\nThe variance.\n\n**2. Explain masks**\n\nThe future.\n",
        "1. **Why scale?**\n\n   The variance.\n\n2. **Explain masks**\n\n   The future.\n",
        "1. Why scale?\n   - The variance.\n2. Explain masks\n   - The future.\n",
        "text\n1.\nWhy scale?\n\nHide Answer\nThe variance.\n2.\nExplain masks\n\nThe future.\n",
        (
            "### Question\nWhy scale?\n### Answer\nThe variance.\n### Question\nExplain masks\n"
            "### Answer\nThe future.\n"
        ),
        (
            "`#question`\n### Why scale?\n`#answer`\nThe variance.\n`#question`\nExplain masks\n"
            "`#answer`\nThe future.\n"
        ),
        (
            "=== Question ===\n\n### Why scale?\n\n=== Answer ===\n\nThe variance.\n\n"
            "=== Question ===\n\nExplain masks\n\n=== Answer ===\n\nThe future.\n"
        ),
        "# Heads\n\n### ❓ Why scale?\n\nThe variance.\n\n### ❓ Explain masks\n\nThe future.\n",
        "Front: Why scale?\nBack: The variance.\n\nFront: Explain masks\nBack: The future.\n",
        "Q1. Why scale?\nAns: The variance.\n\nQ2. Explain masks\nAns: The future.\n",
    ],
)
def test_a_repeated_shape_that_asks_is_questions(text: str) -> None:
    told = [(front, back.lstrip("- ")) for front, back in cards(text)]
    assert told == [("Why scale?", "The variance."), ("Explain masks", "The future.")]


@pytest.mark.parametrize(
    "text",
    [
        "1. Install it\n\n   with pip\n\n2. Run it\n\n   with make\n",
        "**Why not?** he said.\n\n**Why?** she said.\n",
        "Is this a card?\n\nNo.\n\nIs that?\n\nNo.\n\nOr this?\n\nNo.\n",
        "1. What is d?\n2. What is n?\n3. What is k?\n",
        "**Answer:** 42\n\ntext\n\n**Answer:** 43\n",
        (
            "# Questions on Java\n\n## 1. Core\n1. What is d?\n2. What is n?\n\n"
            "## 2. More\n1. Is it?\n2. Why?\n"
        ),
        "# Interview questions\n\n## Basics\n\nText of the basics.\n",
        (
            "# FAQ of d\n\n## 1. Links\n- [a](b.md)\n- [c](d.md)\n- [e](f.md)\n\n"
            "## 2. More\n- [g](h.md)\n- [i](j.md)\n- [k](l.md)\n"
        ),
    ],
)
def test_steps_prose_and_bare_lists_are_no_questions(text: str) -> None:
    assert cards(text) == []


def test_questions_without_answers_are_told_by_their_lines() -> None:
    found = extract("# Asked\n\n1. What is d?\n2. What is n?\n3. Explain k\n", "a.md")
    assert found.questions == ()
    assert [each.line for each in found.understood.unread] == [3, 4, 5]


def test_a_heading_below_a_title_that_speaks_of_questions_does_not_hide_those_that_ask() -> None:
    items = "1. What is d?\n\n   The width.\n\n2. What is n?\n\n   The length.\n"
    assert cards(f"# Interview questions\n\n## Basics\n\n{items}") == [
        ("What is d?", "The width."),
        ("What is n?", "The length."),
    ]


def test_titles_that_only_count_ask_what_is_below_them_by_its_ticked_options() -> None:
    text = "".join(
        f"# Frage {at}\nWhich {at}?\n- [ ] this\n- [x] that\n- [ ] both\n\n" for at in (1, 2)
    )
    assert cards(text) == [
        ("Which 1?\n- this\n- that\n- both", "that"),
        ("Which 2?\n- this\n- that\n- both", "that"),
    ]


TERMS = "# Angles\n\n## Right angle\n\n90°.\n\n## Acute angle\n\nLess than 90°.\n\n## Empty\n"


def test_headings_with_text_are_offered_and_can_be_chosen() -> None:
    found = extract(TERMS, "a.md")
    assert found.questions == ()
    (offer,) = found.understood.offers
    assert (offer.name, offer.cards, offer.lines) == ("h2", 2, (3, 7))
    assert offer.examples[0] == ("Right angle", "90°.")
    assert cards(TERMS, "h2") == [("Right angle", "90°."), ("Acute angle", "Less than 90°.")]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("## Sort\n\nWhich is stable?\n\n%\n\nMerge sort.\n\n## Heap\n\n%\n\nA tree.\n",
         [("Sort\n\nWhich is stable?", "Merge sort."), ("Heap", "A tree.")]),
        ("# Deck\n\n---\nSort\n\n?\n\nMerge.\n\n- so\n\n---\n\n---\nHeap\n\n?\n\nA tree.\n---\n",
         [("Sort", "Merge.\n\n- so"), ("Heap", "A tree.")]),
        ("Before.\n\nSort\nwhat?\n?\nMerge.\n\nAfter.\n\nHeap\n??\nA tree.\n",
         [("Sort\nwhat?", "Merge."), ("Heap", "A tree."), ("A tree.", "Heap")]),
        ("Write it?\n\n```py\nx\n```\n\n?\n\n```py\ny\n```\n",
         [("Write it?\n\n```py\nx\n```", "```py\ny\n```")]),
        ("START\nBasic\nFront: Sort?\nBack: Merge.\n<!--ID: 1-->\nEND\n", [("Sort?", "Merge.")]),
        ("START\nKanji\nKeyword: one\nKanji: 一\nNote: floor\nEND\n",
         [("one", "**Kanji:** 一\n\n**Note:** floor")]),
        ("---\nflashcard: What is d?\n---\nThe width.\n", [("What is d?", "The width.")]),
        ("---\nquestion: What is d?\nanswer: The width.\n---\n", [("What is d?", "The width.")]),
    ],
)  # fmt: skip
def test_a_row_of_its_own_parts_question_and_answer(text: str, told: list[tuple[str, str]]) -> None:
    assert cards(text) == told


def test_a_glossary_is_offered() -> None:
    text = "- **query**: what a token looks for\n- **key**: what a token offers\n"
    (offer,) = extract(text, "a.md").understood.offers
    assert (offer.name, offer.examples[0]) == ("terms", ("query", "what a token looks for"))


# -- the learner's choice --------------------------------------------------------------------------


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(Home(tmp_path / "home"), now=NOW) as opened:
        yield opened


def test_offers_are_taken_combined_and_remembered(database: Database, tmp_path: Path) -> None:
    path = tmp_path / "angles.md"
    path.write_text(f"{TERMS}\n- **query**: looks\n- **key**: offers\n", "utf-8")
    preview = read_documents(database, [path])
    (source,) = preview.plan.sources
    names = [each.name for each in source.understood.offers]
    assert set(names) == {"h2", "terms"}
    assert not source.cards

    def fronts() -> set[str]:
        return {card.front for each in preview.plan.sources for card in each.cards}

    preview.choose(source.path, "h2")
    assert fronts() == {"Right angle", "Acute angle", "Empty"}
    preview.choose(source.path, "terms")
    assert fronts() == {"Right angle", "Acute angle", "Empty", "query", "key"}
    assert preview.plan.sources[0].kind == "h2+terms"
    preview.choose(source.path, "h2")
    assert fronts() == {"query", "key"}
    preview.choose(source.path, "terms")
    assert fronts() == set()
    preview.choose(source.path, "terms")
    apply_import(database, preview.plan, NOW, (), refold)

    path.write_text(f"{path.read_text('utf-8')}- **value**: gives\n", "utf-8")
    plan = read_documents(database, [path]).plan
    assert plan.sources[0].kind == "terms"
    assert plan.numbers()[PlannedChange.NEW]["cards"] == 1


def test_another_way_reads_a_document_anew_that_did_not_change(
    database: Database, tmp_path: Path
) -> None:
    path = tmp_path / "angles.md"
    path.write_text(TERMS, "utf-8")
    apply_import(database, read_documents(database, [path]).plan, NOW, (), refold)
    assert read_documents(database, [path]).plan.changes_nothing
    plan = read_documents(database, [path], dialect="h2").plan
    assert plan.numbers()[PlannedChange.NEW]["cards"] == 2


def test_callouts_whose_titles_ask() -> None:
    text = """\
# Search

## Check

> [!question]- When is it shortest?
> Without weights.
>
> Else not.

> [!info]- Aside
> Nothing.

> [!faq]- **How are cycles found?**
> By colors.

> [!question] Why two stacks?
> One for the way back.
"""
    draft = extract(text, "a.md")
    assert [(each.text, each.answer, each.line) for each in draft.questions] == [
        ("When is it shortest?", "Without weights.\n\nElse not.", 5),
        ("How are cycles found?", "By colors.", 13),
        ("Why two stacks?", "One for the way back.", 16),
    ]


LISTED = """\
---
title: Metrics
cards:
- front: When is recall better than precision?
  back: Where a miss costs more.
- front: Which of these is vulnerable to a rare class?
  back: It counts the many true negatives.
  choices:
  - text: precision
    correct: false
  - text: accuracy
    correct: true
---

## Intuition

Metrics say how good a prediction is.
"""


def test_cards_that_front_matter_lists_are_read_with_their_options() -> None:
    first, second = extract(LISTED, "a.md").questions
    assert (first.text, first.answer) == (
        "When is recall better than precision?",
        "Where a miss costs more.",
    )
    assert second.text.endswith("rare class?\n\n- precision\n- accuracy")
    assert second.answer == "accuracy\n\nIt counts the many true negatives."


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        (
            "## 问题\n\n什么是掩码？\n\n## 答案\n\n遮住后面的词。\n",
            [("什么是掩码？", "遮住后面的词。")],
        ),
        ("# What is a mask?\n\nIt hides.\n", [("What is a mask?", "It hides.")]),
        ("palabra\npregunta\ncasa\nrespuesta\nperro\n", []),
    ],
)
def test_labels_in_other_languages_and_a_title_that_asks(
    text: str, cards: list[tuple[str, str]]
) -> None:
    assert [(each.text, each.answer) for each in extract(text, "a.md").questions] == cards


def test_a_short_file_is_offered_as_one_card() -> None:
    text = "A point of a space in which\nlike words are near.\n"
    (offer,) = extract(text, "word embedding.md").understood.offers
    assert (offer.name, offer.cards) == ("file", 1)
    (card,) = extract(text, "word embedding.md", "file").questions
    assert (card.text, card.answer) == ("word embedding", text.strip())
    assert not extract("A text.\n\n" * 400, "long.md").understood.offers


def test_an_address_is_no_term_and_its_definition() -> None:
    text = "# Links\n\n" + "".join(f"- Paper {at} https://a.org/{at}\n" for at in range(5))
    offers = [each.name for each in extract(text, "a.md").understood.offers]
    assert "terms" not in offers
    marked = "# Words\n\n" + "".join(f"- front {at} // back {at}\n" for at in range(5))
    assert "terms" in [each.name for each in extract(marked, "a.md").understood.offers]
