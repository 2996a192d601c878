"""What a learner sees of an item: its texts made ready to ask, read in one statement.

The statement goes to the driver as it is, because it is half of what happens between a key press
and the next card.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from studyattn.errors import PackError
from studyattn.home import Home
from studyattn.memory import MemoryState, New, Remembered
from studyattn.store.driver import Driver, Row
from studyattn.store.engine import raise_store_error
from studyattn.study.review.recorder import memory_of_driver
from studyattn.study.review.views import DRILL, STILL_BACK, RenderedCard

if TYPE_CHECKING:
    from studyattn.packs.answers import AnswerComparison, Expected
    from studyattn.packs.model import Erratum

FACE = (
    "SELECT item.phase, item.step, item.stability, item.difficulty, item.due, item.last_review,"  # noqa: S608 - a constant
    " item.last_day, item.reps, item.lapses,"
    " item.kind, item.marked, item.suspended, item.retired, item.buried_until, item.pack,"
    " coalesce(whole.slug, concept.slug), coalesce(whole.title, concept.title), source.title,"
    " card.kind, card.front, card.back, card.answer, card.extra,"
    " (SELECT brought_back.reason FROM brought_back"
    f"  WHERE brought_back.item_guid = item.guid AND {STILL_BACK} ORDER BY brought_back.id LIMIT 1)"
    " FROM item JOIN concept ON concept.id = item.concept_id"
    " LEFT JOIN concept AS whole ON whole.id = concept.joined_into_id"
    " LEFT JOIN source ON source.id = item.source_id"
    " LEFT JOIN card ON card.item_id = item.id"
    " WHERE item.guid = ?"
)


@dataclass(frozen=True, slots=True)
class Face:
    """An item as it is to be shown, and what decides whether it still is."""

    shown: RenderedCard
    retired: bool
    buried_until: date | None

    def asked_on(self, day: date) -> bool:
        """Whether the item may be asked on a learner day, as far as the learner's wishes go."""
        buried = self.buried_until is not None and day < self.buried_until
        return not (self.retired or buried or self.shown.suspended)


class CardLoader:
    """Reads faces over a driver connection; knows where the packs of computed cards are."""

    def __init__(self, driver: Driver, home: Home) -> None:
        self._driver = driver
        self._home = home

    def read(self, guid: str) -> Face | None:
        """The item as it stands in the database now; None when it is not there.

        Raises StoreError when the database cannot be asked.
        """
        try:
            row = self._driver.one(FACE, (guid,))
        except self._driver.failures as error:
            raise_store_error(error, self._home)
        if row is None:
            return None
        buried_until = None if row[13] is None else date.fromisoformat(row[13])
        return Face(self._corrected(self._shown(guid, row)), bool(row[12]), buried_until)

    def _shown(self, guid: str, row: Row) -> RenderedCard:
        card_kind, front, back, answer, extra = row[18:23]
        shown = RenderedCard(
            guid=guid,
            kind=row[9],
            card_kind=card_kind,
            front=front or "",
            back=back or "",
            expected=None,
            extra={} if extra is None else json.loads(extra),
            concept_slug=row[15],
            concept_title=row[16],
            source_title=row[17],
            pack=row[14],
            memory=memory_of_driver(row[:9]) or New(),
            marked=bool(row[10]),
            suspended=bool(row[11]),
            written=(front or "", back or ""),
            drill_id=drill_id(guid) if row[9] == DRILL else None,
            brought_back=row[23] or "",
        )
        if shown.drill_id is not None:
            return replace(shown, front=f"Write the code: **{shown.drill_id}**")
        if card_kind == "cloze":
            return _with_gap(shown)
        if card_kind == "computed":
            return self._with_numbers(shown)
        return replace(shown, expected=_expected(shown, answer))

    def _corrected(self, shown: RenderedCard) -> RenderedCard:
        """With what the errata say against a card that came from no pack."""
        if shown.pack is not None:
            return shown
        from studyattn.packs.corrections import correct_answer

        found = correct_answer(shown.back, shown.source_title or "", self._errata)
        return replace(shown, corrections=found)

    def _with_numbers(self, shown: RenderedCard) -> RenderedCard:
        """Fresh numbers, and the answer that the pack's own function computes for them.

        A function that fails is told on the card itself: the session goes on behind it.
        """
        from studyattn.packs.computed import draw

        reviews = _reviews(shown.memory)
        try:
            folder = self._folder(shown.pack)
            drawn = draw(folder, str(shown.extra.get("function")), shown.guid, reviews)
        except PackError as error:
            return replace(shown, back=f"This card cannot be computed: {error}")
        expected = drawn.expected()
        parts = (f"**{expected.shown}**", drawn.explanation, shown.back)
        back = "\n\n".join(part for part in parts if part.strip())
        return replace(shown, front=drawn.question, back=back, expected=expected)

    def _folder(self, pack: str | None) -> Path:
        try:
            return self._folders[pack or ""]
        except KeyError:
            raise PackError(f"the pack {pack!r} is not installed") from None

    @cached_property
    def _errata(self) -> tuple[Erratum, ...]:
        from studyattn.packs.errata import installed_errata

        return installed_errata(self._home)

    @cached_property
    def _folders(self) -> Mapping[str, Path]:
        """Where each installed pack is, by its id."""
        from studyattn.packs.locate import installed_packs

        return {_pack_id(folder): folder for folder in reversed(installed_packs(self._home))}


def compare(shown: RenderedCard, given: str) -> AnswerComparison | None:
    """What the learner typed beside what the card expects; None for a card that expects nothing."""
    from studyattn.packs import answers

    return None if shown.expected is None else answers.compare(shown.expected, given)


def drill_id(guid: str) -> str:
    """`attention:drill/kv-cache` → `kv-cache`."""
    return guid.rpartition("drill/")[2]


def _reviews(memory: MemoryState) -> int:
    return memory.reps if isinstance(memory, Remembered) else 0


def _pack_id(folder: Path) -> str:
    try:
        manifest = tomllib.loads((folder / "pack.toml").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return folder.name
    return str(manifest.get("id", folder.name))


def _expected(shown: RenderedCard, answer: str | None) -> Expected | None:
    if answer is None:
        return None
    from studyattn.packs.answers import expected_answer

    return expected_answer(str(shown.card_kind), answer, shown.extra)


def _with_gap(shown: RenderedCard) -> RenderedCard:
    """The gap belongs to the heading, to the body, or to both; a body without one explains."""
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
