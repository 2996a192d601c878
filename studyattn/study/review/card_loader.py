"""Cards as a learner sees them: an item's texts made ready to ask, read in one statement.

The statement goes to the driver as it is, because it is half of the work between a key press and
the next card.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import PackError
from studyattn.memory import Remembered
from studyattn.memory.columns import memory_from_columns
from studyattn.memory.state import drill_id
from studyattn.packs.card_kinds import ReviewContext, kind_named
from studyattn.packs.corrections import correct_answer
from studyattn.packs.errata import installed_errata
from studyattn.packs.locate import pack_folders
from studyattn.packs.model import CardText
from studyattn.store.driver import Driver
from studyattn.store.engine import raise_store_error
from studyattn.store.queries.items import read_item
from studyattn.store.queries.settings import kept_drills
from studyattn.store.vocabulary import DRILL
from studyattn.study.profile import Profile
from studyattn.study.review.steps import read_progress
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
            tags=row.tags,
            media=self._profile.home.media,
            drill_id=drill_id(guid) if row.kind == DRILL else None,
            brought_back=row.why_back or "",
        )
        if card.drill_id is not None:
            card = card._replace(front=f"Write the code: **{card.drill_id}**{self._step(guid)}")
        else:
            card = self._asked(card, row.answer)
        if card.pack is not None:
            return card
        found = correct_answer(card.back, card.source_title or "", self._errata)
        return card._replace(corrections=found)

    def _asked(self, card: RenderedCard, answer: str | None) -> RenderedCard:
        """Return a card with both sides as its kind asks them this time."""
        kind = kind_named(card.card_kind)
        reviews = card.memory.reps if isinstance(card.memory, Remembered) else 0
        asked = kind.ask(
            CardText(kind, card.front, card.back, answer, card.extra),
            ReviewContext(card.guid, reviews, lambda: self._folder(card.pack)),
        )
        card = card._replace(front=asked.front, back=asked.back, expected=asked.expected)
        if asked.examples is not None:
            card = card._replace(extra={**card.extra, "examples": asked.examples})
        return card

    def _step(self, guid: str) -> str:
        """Return the step of a long drill that comes next, for its title."""
        drills = kept_drills(self._driver)
        own = {guid: drills[guid]} if guid in drills else {}
        progress = read_progress(self._driver, own, self._profile.today()).get(guid)
        return f", step {progress.next}" if progress and progress.next else ""

    def _folder(self, pack: str | None) -> Path:
        """Return where a pack is. Raises PackError when it is not installed."""
        try:
            return self._folders[pack or ""]
        except KeyError:
            raise PackError(f"the pack {pack!r} is not installed") from None

    @cached_property
    def _errata(self) -> tuple[Erratum, ...]:
        return installed_errata(self._profile.home)

    @cached_property
    def _folders(self) -> Mapping[str, Path]:
        """The folder of each installed pack, by its id."""
        return pack_folders(self._profile.home)


def compare(shown: RenderedCard, given: str) -> AnswerComparison | None:
    """Compare what the learner typed with what the card expects; None if it expects nothing."""
    expected = shown.expected
    return None if expected is None else kind_named(shown.card_kind).compare(expected, given)
