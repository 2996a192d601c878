"""Cards as a learner sees them: an item's texts made ready to ask, read in one statement.

The statement goes to the driver as it is, because it is half of the work between a key press and
the next card.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import PackError
from studyattn.memory import Remembered
from studyattn.memory.columns import memory_from_columns
from studyattn.memory.state import drill_id
from studyattn.store.driver import Driver
from studyattn.store.engine import raise_store_error
from studyattn.store.queries.items import read_item
from studyattn.store.vocabulary import DRILL
from studyattn.study.profile import Profile
from studyattn.study.review.views import RenderedCard

if TYPE_CHECKING:
    from studyattn.packs.answers import AnswerComparison
    from studyattn.packs.model import Erratum


class CardLoader:
    """Reads and renders items over a driver connection."""

    def __init__(self, driver: Driver, profile: Profile) -> None:
        self._driver = driver
        self._profile = profile

    def read(self, guid: str) -> RenderedCard | None:
        """Return the item as it is in the database now; None when it is not there.

        Raises StoreError when the database cannot be read.
        """
        try:
            row = read_item(self._driver, guid, self._profile.today())
        except self._driver.failures as error:
            raise_store_error(error, self._profile.home)
        if row is None:
            return None
        front, back = row.front or "", row.back or ""
        card = RenderedCard(
            guid=guid,
            kind=row.kind,
            card_kind=row.card_kind,
            front=front,
            back=back,
            expected=None,
            extra=row.extra,
            concept_slug=row.concept_slug,
            concept_title=row.concept_title,
            source_title=row.source_title,
            pack=row.pack,
            memory=memory_from_columns(row.memory),
            marked=row.marked,
            suspended=row.suspended,
            may_be_asked=row.may_be_asked,
            written=(front, back),
            drill_id=drill_id(guid) if row.kind == DRILL else None,
            brought_back=row.why_back or "",
        )
        if card.drill_id is not None:
            card = replace(card, front=f"Write the code: **{card.drill_id}**")
        elif row.card_kind == "cloze":
            card = _with_gap(card)
        elif row.card_kind == "computed":
            card = self._with_numbers(card)
        elif row.answer is not None:
            from studyattn.packs.answers import expected_answer

            expected = expected_answer(str(row.card_kind), row.answer, row.extra)
            card = replace(card, expected=expected)
        if card.pack is not None:
            return card
        from studyattn.packs.corrections import correct_answer

        found = correct_answer(card.back, card.source_title or "", self._errata)
        return replace(card, corrections=found)

    def _with_numbers(self, card: RenderedCard) -> RenderedCard:
        """Return the card with fresh numbers and the answer that the pack's function computes.

        The failure of that function is written on the card itself: the session goes on behind it.
        """
        from studyattn.packs.computed import draw

        reviews = card.memory.reps if isinstance(card.memory, Remembered) else 0
        try:
            folder = self._folders.get(card.pack or "")
            if folder is None:
                raise PackError(f"the pack {card.pack!r} is not installed")  # noqa: TRY301 - shown on the card like the others
            drawn = draw(folder, str(card.extra.get("function")), card.guid, reviews)
        except PackError as error:
            return replace(card, back=f"This card cannot be computed: {error}")
        expected = drawn.expected()
        parts = (f"**{expected.shown}**", drawn.explanation, card.back)
        back = "\n\n".join(part for part in parts if part.strip())
        return replace(card, front=drawn.question, back=back, expected=expected)

    @cached_property
    def _errata(self) -> tuple[Erratum, ...]:
        from studyattn.packs.errata import installed_errata

        return installed_errata(self._profile.home)

    @cached_property
    def _folders(self) -> Mapping[str, Path]:
        """The folder of each installed pack, by its id."""
        from studyattn.packs.locate import installed_packs

        found: dict[str, Path] = {}
        for folder in reversed(installed_packs(self._profile.home)):
            try:
                manifest = tomllib.loads((folder / "pack.toml").read_text(encoding="utf-8"))
            except (OSError, ValueError):
                manifest = {}
            found[str(manifest.get("id", folder.name))] = folder
        return found


def compare(shown: RenderedCard, given: str) -> AnswerComparison | None:
    """Compare what the learner typed with what the card expects; None if it expects nothing."""
    from studyattn.packs import answers

    return None if shown.expected is None else answers.compare(shown.expected, given)


def _with_gap(shown: RenderedCard) -> RenderedCard:
    """Return a cloze card with its gap, which may be in the heading, in the body, or in both.

    A body without a gap is an explanation and goes to the back.
    """
    from studyattn.text import cloze

    heading, body = shown.written
    group = int(shown.extra.get("group", 1))
    front = cloze.front(heading, group)
    if cloze.deletions(body):
        front = f"{front}\n\n{cloze.front(body, group)}"
    back = cloze.back(heading, group)
    if body.strip():
        back = f"{back}\n\n{cloze.back(body, group)}"
    return replace(shown, front=front, back=back)
