"""A kind of card that the program has never heard of: its class alone makes every room know it."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from studyattn.errors import PackError
from studyattn.exchange.export_file import export_to
from studyattn.exchange.format import Format
from studyattn.exchange.import_file import import_file
from studyattn.exchange.registry import ANKI, HTML, format_of, importable
from studyattn.home import Home
from studyattn.memory import Rating, Scheduler
from studyattn.packs.answers import AnswerComparison, AnswerPart, Expected, ExpectedText
from studyattn.packs.card_kinds import (
    KINDS,
    AskedCard,
    CardKind,
    CardTexts,
    ReviewContext,
    WrittenCard,
)
from studyattn.packs.read import load_pack
from studyattn.store.database import open_database
from studyattn.study.clock import FixedClock
from studyattn.study.notes.notes import add_note
from studyattn.study.profile import open_profile
from studyattn.study.review import browse
from studyattn.study.review.rebuild import refold
from studyattn.study.review.session import ReviewSession
from studyattn.study.rules.pace import usual_seconds
from tests.tui.conftest import NOON, OpenApp, Typed, press, text_of

_CONCEPT = """\
---
slug: steps
title: The steps of attention
---

Scores, weights, a weighted mean.

## Cards

### Put the steps in order. {#steps-order .order steps="score, normalise, mix"}

**Why:** weights need scores, and a mean needs weights.
"""


class OrderKind(CardKind):
    """The learner types steps in their order; commas and spaces between them are equal."""

    name: ClassVar[str] = "order"
    usual_seconds: ClassVar[float] = 25.0
    heading_keys: ClassVar[frozenset[str]] = frozenset({"steps"})
    reader_note: ClassVar[str] = "asked with the steps in another order"

    def check(self, card: WrittenCard) -> None:
        if len(card.values.get("steps", "").split(",")) < 2:
            raise PackError('an order card needs steps="one, other"', where=card.where)

    def answer(self, card: WrittenCard) -> str | None:
        return card.values["steps"]

    def ask(self, card: CardTexts, context: ReviewContext) -> AskedCard:
        steps = ", ".join(sorted(self.accepted(card.answer or "")))
        expected = self.expected(card.answer, card.extra)
        return AskedCard(f"{card.front}\n\nSteps: {steps}", card.back, expected)

    def expected(self, answer: str | None, extra: Mapping[str, Any]) -> Expected | None:
        return None if answer is None else ExpectedText((answer,))

    def compare(self, expected: Expected, given: str) -> AnswerComparison:
        right = _words(expected.shown) == _words(given)
        return AnswerComparison(right, given, expected.shown, (AnswerPart(given, right),))

    def accepted(self, answer: str) -> tuple[str, ...]:
        return tuple(each.strip() for each in answer.split(","))


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


@pytest.fixture(autouse=True)
def order_kind(monkeypatch: pytest.MonkeyPatch) -> OrderKind:
    kind = OrderKind()
    monkeypatch.setitem(KINDS, kind.name, kind)
    return kind


@pytest.fixture
def ordered_home(empty_home: Home) -> Home:
    """A home with a pack of one card of the new kind."""
    folder = empty_home.root / "packs" / "ordered"
    (folder / "concepts").mkdir(parents=True)
    manifest = 'id = "ordered"\ntitle = "Ordered"\nversion = "1"\npath = ["steps"]\n'
    (folder / "pack.toml").write_text(manifest, encoding="utf-8")
    (folder / "concepts" / "steps.md").write_text(_CONCEPT, encoding="utf-8")
    return empty_home


def test_a_pack_has_cards_of_the_kind(ordered_home: Home, order_kind: OrderKind) -> None:
    (item,) = load_pack(ordered_home.root / "packs" / "ordered").items()
    assert item.card is not None
    assert (item.card.kind, item.card.answer) == (order_kind, "score, normalise, mix")
    assert usual_seconds()["order"] == 25.0


def test_an_unfinished_card_of_the_kind_is_refused_at_its_line(ordered_home: Home) -> None:
    folder = ordered_home.root / "packs" / "ordered"
    (folder / "concepts" / "steps.md").write_text(_CONCEPT.replace("score, normalise, mix", "x"))
    with pytest.raises(PackError, match="needs steps") as refused:
        load_pack(folder)
    assert refused.value.where.endswith("steps.md:10")


async def test_the_app_asks_compares_and_counts_it(ordered_home: Home, open_app: OpenApp) -> None:
    async with open_app(ordered_home) as pilot:
        await press(pilot, "space")
        assert "Steps: mix, normalise, score" in text_of(pilot)
        await press(pilot, Typed("score  normalise  mix"), "enter")
        assert "✓ score  normalise  mix" in text_of(pilot)
        await press(pilot, "space")
    with sqlite3.connect(ordered_home.database) as connection:
        (row,) = connection.execute("SELECT item_guid, rating FROM review").fetchall()
    assert row == ("ordered:steps-order", 3)


# The folder for Obsidian brings changes back to the cards of a home, and no cards of its own.
WITH_CARDS = [form for form in importable() if form.name != "obsidian"]


@pytest.mark.parametrize("form", WITH_CARDS, ids=lambda form: form.name)
def test_it_leaves_and_comes_back_in_every_file(
    form: Format, ordered_home: Home, tmp_path: Path, clock: FixedClock
) -> None:
    with open_profile(ordered_home, clock) as profile:
        with ReviewSession(profile) as session:
            session.answer(Rating.GOOD)
        path = tmp_path / form.file_name
        add_note(profile, "Think of the picture.", item="ordered:steps-order")
        export_to(profile.database, Scheduler(), form, path)
    assert format_of(path) is form
    other = Home(tmp_path / "other")
    with open_database(other, now=NOON) as database:
        import_file(database, path, form, NOON, refold)
    with sqlite3.connect(other.database) as connection:
        (card,) = connection.execute("SELECT kind, front, answer FROM card").fetchall()
    if form is ANKI:  # Anki has no such kind, but question and answer
        assert card[:2] == ("basic", "Put the steps in order.")
    else:
        assert card == ("order", "Put the steps in order.", "score, normalise, mix")


def test_a_page_shows_every_accepted_spelling_and_its_note(
    ordered_home: Home, tmp_path: Path, clock: FixedClock
) -> None:
    with open_profile(ordered_home, clock) as profile:
        add_note(profile, "Think of the picture.", item="ordered:steps-order")
        export_to(profile.database, Scheduler(), HTML, tmp_path / "page.html")
        assert [each.guid for each in browse.search(profile, "is:order")] == ["ordered:steps-order"]
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "<code>score</code> or <code>normalise</code> or <code>mix</code>" in page
    assert "asked with the steps in another order" in page
