"""Editing the cards of an import before it is carried out, and importing the document again."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select

from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.edits import (
    EditedCard,
    edits_of,
    propose_split,
)
from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.documents.plan import ImportPlan, PlannedCard, PlannedChange
from studyattn.exchange.documents.preview import ImportPreview
from studyattn.home import Home
from studyattn.packs.model import Erratum, SourceLocation
from studyattn.store.database import Database, open_database
from studyattn.store.models import CardRow, ConceptRow, ItemRow

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)

QA = """\
# A talk

## Known

- Parameters: they grow with the square of the context

## Questions

### 1. Heads - why several?

Each has its own pattern.

**How it works:** project, attend, join:

1. project
2. attend

**Cost:** the same as one wide head.

### 2. Masks

Added before the softmax.

### 3. Scores

Dot products.
"""

ERRATUM = Erratum(
    id="grow",
    title="Parameters do not grow with the context",
    concept="parameters",
    source="a talk",
    says="parameters grow with the context",
    right="the maps have no axis of that length.",
    terms=("parameters", "square of the context"),
    place=SourceLocation("errata.md", 1),
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with open_database(Home(tmp_path / "home"), now=NOW) as opened:
        yield opened


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "qa.md"
    path.write_text(QA, "utf-8")
    return path


def preview_of(database: Database, path: Path, errata: tuple[Erratum, ...] = ()) -> ImportPreview:
    return read_documents(database, [path], None, errata)


def cards(plan: ImportPlan) -> list[str]:
    return [card.front for source in plan.sources for card in source.cards]


def place_of(preview: ImportPreview, front: str) -> tuple[str, PlannedCard]:
    (source,) = preview.plan.sources
    return source.path, next(
        each for each in (*source.cards, *source.skipped) if each.front == front
    )


def test_an_answer_is_proposed_split_at_its_bold_words(database: Database, path: Path) -> None:
    preview = preview_of(database, path)
    assert [each.parts for each in preview.plan.sources[0].cards] == [3, 1, 1]
    assert "  ? its answer has 3 parts" in "\n".join(preview.plan.lines())
    assert preview.split(*place_of(preview, "Heads - why several?"))
    fronts = ["Heads - why several?", "Heads: How it works", "Heads: Cost", "Masks", "Scores"]
    assert cards(preview.plan) == fronts
    backs = [each.back for each in preview.plan.sources[0].cards[:3]]
    assert backs == [
        "Each has its own pattern.",
        "project, attend, join:\n\n1. project\n2. attend",
        "the same as one wide head.",
    ]
    assert [each.title for each in preview.plan.sources[0].concepts][:3] == [
        "Heads",
        "Masks",
        "Scores",
    ]


@pytest.mark.parametrize(
    ("answer", "parts"),
    [
        ("One paragraph.", ["q"]),
        ("One:\n\n- a\n- b", ["q"]),
        ("One:\n\n```\nx\n\ny\n```", ["q"]),
        ("One.\n\nTwo.\n\nThree.", ["q", "q (2 of 3)", "q (3 of 3)"]),
        ("One.\n\n**Two**, in contrast, is.", ["q", "q: Two"]),
        ("One.\n\n**Q** is it.", ["q", "Q"]),
    ],
)
def test_parts_are_paragraphs_with_what_belongs_to_them(answer: str, parts: list[str]) -> None:
    proposed = propose_split(ExtractedQuestion("q", answer, 1))
    assert [each.front for each in proposed] == parts
    if len(parts) == 1:
        assert proposed[0].back == answer


def test_a_lead_without_a_colon_is_a_word_of_its_sentence() -> None:
    proposed = propose_split(ExtractedQuestion("q", "One.\n\n**Two**, in contrast, is.", 1))
    assert proposed[1].back == "**Two**, in contrast, is."


def test_a_card_is_left_out_and_taken_in_again(database: Database, path: Path) -> None:
    preview = preview_of(database, path)
    at = place_of(preview, "Masks")
    assert preview.skip(*at)
    assert cards(preview.plan) == ["Heads - why several?", "Scores"]
    assert [each.front for each in preview.plan.sources[0].skipped] == ["Masks"]
    assert "Masks" not in [each.title for each in preview.plan.sources[0].concepts]
    assert preview.skip(*at)
    assert cards(preview.plan) == ["Heads - why several?", "Masks", "Scores"]


def test_one_part_is_left_out(database: Database, path: Path) -> None:
    preview = preview_of(database, path)
    preview.split(*place_of(preview, "Heads - why several?"))
    assert preview.skip(*place_of(preview, "Heads: How it works"))
    assert cards(preview.plan) == ["Heads - why several?", "Heads: Cost", "Masks", "Scores"]
    assert preview.restore(*place_of(preview, "Heads: Cost"))
    assert cards(preview.plan) == ["Heads - why several?", "Masks", "Scores"]


def test_cards_are_merged_within_and_over_questions(database: Database, path: Path) -> None:
    preview = preview_of(database, path)
    assert preview.merge(*place_of(preview, "Masks"))
    assert cards(preview.plan) == ["Heads - why several?", "Masks"]
    merged = preview.plan.sources[0].cards[1].back
    assert merged == "Added before the softmax.\n\n**Scores**\n\nDot products."
    assert not preview.merge(*place_of(preview, "Masks"))
    preview.split(*place_of(preview, "Heads - why several?"))
    assert preview.merge(*place_of(preview, "Heads: How it works"))
    assert cards(preview.plan) == ["Heads - why several?", "Heads: How it works", "Masks"]


def test_a_card_is_reworded_and_put_under_another_concept(database: Database, path: Path) -> None:
    apply_import(database, read_documents(database, [path]).plan, NOW)
    other = path.with_name("other.md")
    other.write_text("## Questions\n\n### Windows?\n\nSome keys.\n", "utf-8")
    preview = preview_of(database, other)
    at = place_of(preview, "Windows?")
    assert preview.reword(*at, "What is a window?", "The nearest keys.")
    assert not preview.reword(*at, "What is a window?", " ")
    assert preview.choose_concept(*at, "masks")
    apply_import(database, preview.plan, NOW)
    with database.read() as connection:
        row = connection.execute(
            select(CardRow.front, CardRow.back, ConceptRow.slug)
            .join(ItemRow, ItemRow.id == CardRow.item_id)
            .join(ConceptRow, ConceptRow.id == ItemRow.concept_id)
            .where(CardRow.front.contains("window"))
        ).one()
        slugs = connection.scalars(select(ConceptRow.slug)).all()
    assert tuple(row) == ("What is a window?", "The nearest keys.", "masks")
    assert "windows" not in slugs


def test_the_document_comes_again_as_it_was_edited(database: Database, path: Path) -> None:
    preview = preview_of(database, path)
    preview.split(*place_of(preview, "Heads - why several?"))
    preview.skip(*place_of(preview, "Scores"))
    preview.reword(*place_of(preview, "Masks"), "Where is a mask added?", "Before the softmax.")
    apply_import(database, preview.plan, NOW)
    assert read_documents(database, [path]).plan.changes_nothing

    path.write_text(QA.replace("Dot products.", "Dot products, scaled."), "utf-8")
    again = read_documents(database, [path]).plan
    assert {card.change for card in again.sources[0].cards} == {PlannedChange.UNCHANGED}
    assert [each.front for each in again.sources[0].skipped] == ["Scores"]
    apply_import(database, again, NOW)

    taken_in = preview_of(database, path)
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    taken_in = preview_of(database, path)
    assert taken_in.skip(*place_of(taken_in, "Scores"))
    changes = {card.front: card.change.value for card in taken_in.plan.sources[0].cards}
    assert changes.pop("Scores") == "new"
    assert set(changes.values()) == {"unchanged"}


def test_an_edit_stays_while_its_question_is_away(database: Database, path: Path) -> None:
    preview = preview_of(database, path)
    preview.skip(*place_of(preview, "Scores"))
    apply_import(database, preview.plan, NOW)
    path.write_text(QA[: QA.index("### 3.")], "utf-8")
    preview = preview_of(database, path)
    preview.skip(*place_of(preview, "Masks"))
    apply_import(database, preview.plan, NOW)
    path.write_text(QA, "utf-8")
    again = preview_of(database, path).plan
    assert [each.front for each in again.sources[0].skipped] == ["Masks", "Scores"]


def test_a_contradicted_statement_becomes_a_card(database: Database, path: Path) -> None:
    errata = (ERRATUM,)
    preview = preview_of(database, path, errata)
    front = "Which part of this is wrong? “Parameters: they grow with the square of the context”"
    assert front in cards(preview.plan)
    card = next(each for each in preview.plan.sources[0].cards if each.front == front)
    assert card.back == (
        "Parameters do not grow with the context.\n\n"
        "**Right:** the maps have no axis of that length."
    )
    assert card.concept == "parameters"
    assert card.parts == 1
    assert preview.reword(*place_of(preview, front), "What grows?", "The maps do not.")
    assert front not in cards(preview.plan)
    assert preview.restore(*place_of(preview, "What grows?"))
    apply_import(database, preview.plan, NOW)
    path.write_text(QA + "\n", "utf-8")
    again = preview_of(database, path, errata)
    changes = {each.front: each.change for each in again.plan.sources[0].cards}
    assert changes[front] is PlannedChange.UNCHANGED
    assert again.skip(*place_of(again, front))
    gone = {each.front: each.change for each in again.plan.sources[0].cards}
    assert gone[front] is PlannedChange.GONE


def test_two_questions_in_the_same_words_are_edited_apart(database: Database, path: Path) -> None:
    path.write_text("Q: Bank\nA: Of a river.\n\nQ: Bank\nA: For money.\n", "utf-8")
    preview = preview_of(database, path)
    source = preview.plan.sources[0]
    first, second = ((source.path, each) for each in source.cards)
    assert preview.reword(*second, "Bank (money)", "For money.")
    assert cards(preview.plan) == ["Bank", "Bank (money)"]
    assert preview.skip(*first)
    assert cards(preview.plan) == ["Bank (money)"]
    before = preview.plan
    preview.use_text(preview.text)
    assert preview.plan == before


def test_edits_are_the_same_after_they_were_stored() -> None:
    edits = {"q": (EditedCard("a", "b"), EditedCard("c", "d", "slug")), "left out": ()}
    assert edits_of(json.loads(json.dumps(edits))) == edits
