"""Cards of Mochi: a zip with data.edn, or data.json in Transit's encoding; and its sides.

What is read of both is a tree of plain values; keywords are texts without their colon.
"""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path, PurePath
from typing import Any, Final

from studyattn.archives import BROKEN
from studyattn.errors import DocumentError
from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.dialects.edn import read_edn, read_transit
from studyattn.exchange.documents.draft import LearnedBefore, Reading
from studyattn.exchange.documents.rows import has_gap, with_gaps

_SIDES = re.compile(r"^[ \t]*---[ \t]*$", re.MULTILINE)
_GAP = re.compile(r"\{\{(?:(?P<group>\d+)::)?(?P<text>[^{}\n]+?)\}\}")
_LARGEST: Final = 64 * 1024 * 1024  # bytes
_EASE: Final = 2500.0  # Mochi keeps none; SM-2 begins with it
_MEDIA: Final = "@media"


def _load(path: Path) -> str:
    """Return the data in a file of Mochi. Raises DocumentError."""
    try:
        with zipfile.ZipFile(path) as file:
            names = file.namelist()
            inner = next((each for each in ("data.edn", "data.json") if each in names), None)
            if inner is None:
                raise DocumentError("it contains neither data.edn nor data.json", where=str(path))
            if file.getinfo(inner).file_size > _LARGEST:
                raise DocumentError(
                    f"its data is larger than {_LARGEST // 1024 // 1024} MB", where=str(path)
                )
            return file.read(inner).decode("utf-8")
    except (OSError, *BROKEN) as error:
        raise DocumentError(f"it is not a Mochi file: {error}", where=str(path)) from error


def _read(text: str, name: str) -> Reading:
    try:
        tree = _tree(text)
    except RecursionError as error:
        raise DocumentError("its data is nested too deeply", where=name) from error
    except (ValueError, IndexError) as error:
        raise DocumentError(f"its data cannot be read: {error}", where=name) from error
    if not isinstance(tree, dict):
        raise DocumentError("its data is not a map of decks", where=name)
    found = Collected()
    titles: list[str] = []
    number = scheduled = 0
    media = 0
    for title, card in _cards(tree):
        number += 1
        titles.append(title)
        if card.get("trashed?") or card.get("archived?"):
            found.leave(number, "the card is archived or in the trash")
            continue
        places = _card(found, card, number, title or PurePath(name).stem)
        scheduled += found.learn(places, [_memory(card)] * len(places))
        media += _MEDIA in str(card.get("content"))
    if scheduled:
        found.kinds["with a memory"] = scheduled
    if media:
        found.remarks.append(f"Pictures and sounds of {media} cards are not imported")
    found.remarks.append("Numbers count the cards in the file")
    decks = dict.fromkeys(titles)
    return found.reading(next(iter(decks)) if len(decks) == 1 else PurePath(name).stem)


def _tree(text: str) -> Any:
    try:
        data = json.loads(text)
    except ValueError:
        return read_edn(text)
    return read_transit(data)


def _cards(tree: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield each card with the name of its deck."""
    decks = [each for each in _listed(tree.get("decks")) if isinstance(each, dict)]
    names = {str(each.get("id")): str(each.get("name") or "") for each in decks}
    for deck in decks:
        for card in _listed(deck.get("cards")):
            if isinstance(card, dict):
                yield str(deck.get("name") or ""), card
    for card in _listed(tree.get("cards")):
        if isinstance(card, dict):
            yield names.get(str(card.get("deck-id")), ""), card


def _card(found: Collected, card: Mapping[str, Any], number: int, topic: str) -> list[int]:
    tags = tuple(str(each) for each in _listed(card.get("tags")))
    content = str(card.get("content") or "").strip()
    sides = [each.strip() for each in _SIDES.split(content)] if content else _fields(card)
    sides = [each for each in sides if each]
    if sides and has_gap(_GAP, sides[0]):
        below = "\n\n".join(sides[1:])
        return found.gaps(_gapped(sides[0]), number, topic, tags=tags, below=below)
    if len(sides) < 2:
        words = " ".join(content.split())[:40]
        found.leave(number, f"a card with one side is a note in Mochi: “{words}”")
        return []
    return found.basic(sides[0], "\n\n".join(sides[1:]), number, topic, tags=tags)


def _fields(card: Mapping[str, Any]) -> list[str]:
    """Return the texts of a card that is made by a template: its name first."""
    fields = card.get("fields")
    if not isinstance(fields, dict):
        return []
    first = [value for key, value in fields.items() if key == "name"]
    rest = [value for key, value in fields.items() if key != "name"]
    texts = (each.get("value") if isinstance(each, dict) else each for each in (*first, *rest))
    return [text.strip() for text in texts if isinstance(text, str)]


def _gapped(text: str) -> str:
    """Return a text with our gaps: those without a number are asked for together."""

    def gap(found: Mapping[str, str]) -> str:
        return f"=={found['group'] or 1}|{found['text'].strip()}=="

    return with_gaps(_GAP, text, gap)


def _memory(card: Mapping[str, Any]) -> LearnedBefore | None:
    """Return the memory that the last review of a card left; None for a new card."""
    reviews = [each for each in _listed(card.get("reviews")) if isinstance(each, dict)]
    for review in reversed(reviews):
        due, interval = _day(review.get("due")), review.get("interval")
        if due is not None and isinstance(interval, int | float) and interval >= 1:
            return LearnedBefore(due, min(float(interval), 36_500.0), _EASE)
    return None


def _day(value: object) -> date | None:
    try:
        if isinstance(value, str):
            return date.fromisoformat(value[:10])
        if isinstance(value, int | float):
            return datetime.fromtimestamp(value / 1000, UTC).date()
    except (ValueError, OverflowError, OSError):
        return None
    return None


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, list) else ()


def _recognises(name: str, _text: str) -> bool:
    return PurePath(name).suffix.lower() == ".mochi"


MOCHI = Dialect(
    name="mochi",
    title="Mochi's cards",
    about="a .mochi file; sides separated by ---, {{gaps}}",
    recognises=_recognises,
    read=_read,
    suffixes=frozenset({".mochi"}),
    load=_load,
)
