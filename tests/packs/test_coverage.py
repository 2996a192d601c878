"""docs/coverage.md says what the attention pack teaches of its sources; it must be true."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from studyattn.bundled import content_dir
from studyattn.grading.drill_loader import load_drill
from studyattn.packs.card_kinds import COMPUTED
from studyattn.packs.model import Pack
from studyattn.packs.read import load_pack

TABLE = Path(__file__).parents[2] / "docs" / "coverage.md"


class Row(NamedTuple):
    idea: str
    concepts: list[str]
    cards: list[str]
    drills: list[str]


def rows() -> Iterator[Row]:
    """The rows of ideas that are taught; what is left out has a reason instead of names."""
    taught = TABLE.read_text().partition("## Left out")[0]
    for line in taught.splitlines():
        if line.startswith("|") and not line.startswith(("|--", "| idea")):
            idea, *cells = (cell.strip() for cell in line.strip("|").split("|"))
            names = [[] if cell == "–" else cell.split(", ") for cell in cells]
            yield Row(idea, *names)


@pytest.fixture(scope="module")
def pack() -> Pack:
    return load_pack(content_dir() / "attention")


def test_every_row_names_concepts_cards_and_drills_that_are_there(pack: Pack) -> None:
    cards = {card.id: concept.slug for concept in pack.concepts.values() for card in concept.cards}
    found = list(rows())
    assert len(found) > 70
    for row in found:
        assert row.concepts, row.idea
        assert row.cards, row.idea
        assert set(row.concepts) <= set(pack.concepts), row.idea
        assert set(row.cards) <= set(cards), (row.idea, set(row.cards) - set(cards))
        assert set(row.drills) <= {brief.id for brief in pack.drills.values()}, row.idea
        asked = {cards[card] for card in row.cards}
        assert asked & set(row.concepts), f"{row.idea}: its cards ask for other concepts"


def test_every_erratum_is_named_beside_the_idea_that_it_corrects(pack: Pack) -> None:
    named = {
        name
        for row in rows()
        for listed in re.findall(r"\(errat(?:um|a) ([a-z, -]+)\)", row.idea)
        for name in listed.split(", ")
    }
    assert named == {erratum.id for erratum in pack.errata}


def test_every_concept_and_drill_stands_in_the_table(pack: Pack) -> None:
    found = list(rows())
    assert {slug for row in found for slug in row.concepts} == set(pack.concepts)
    drills = {name for row in found for name in row.drills}
    assert drills == {brief.id for brief in pack.drills.values()}


def test_the_pack_is_as_large_as_it_is_meant_to_be(pack: Pack) -> None:
    cards = list(pack.cards())
    assert len(pack.concepts) >= 45
    assert len(cards) >= 180
    assert sum(card.kind is COMPUTED for card in cards) >= 25
    own = [example for concept in pack.concepts.values() for example in concept.examples]
    assert len(own) + sum(len(card.examples) for card in cards) >= 40


CRAFT = {
    "input-mutated",
    "result-overwritten",
    "not-differentiable",
    "gradient-not-finite",
    "gradient-wrong",
    "not-deterministic",
    "forbidden-call",
    "state-kept",
}
"""Mistakes of programming, not of the subject: the verdict says all there is to know."""


def test_every_misconception_is_cured_by_a_card_of_the_concept_it_sends_to(pack: Pack) -> None:
    cured = {
        (mistake, concept.slug)
        for concept in pack.concepts.values()
        for card in concept.cards
        for mistake in card.misconceptions
    }
    drills = [load_drill(brief.folder) for brief in pack.drills.values()]
    known = {(each.id, each.concept) for drill in drills for each in drill.misconceptions}
    assert {mistake for mistake, _ in known - cured} <= CRAFT
