"""Flashcards of Logseq: blocks with `#card`, the blocks below them, and `{{cloze …}}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta
from pathlib import PurePath

from studyattn.exchange.documents.dialects.bullets import Bullet, bullets
from studyattn.exchange.documents.dialects.dialect import Collected, Dialect
from studyattn.exchange.documents.draft import LearnedBefore, Reading
from studyattn.exchange.documents.rows import has_gap, unfenced, with_gaps, without_code

_CARD = re.compile(r"(?<!\S)#(?:card|\[\[card\]\])(?!\S)", re.IGNORECASE)
_GAP = re.compile(r"\{\{cloze\s+(?P<text>.+?)(?:\\\\(?P<hint>.*?))?\}\}", re.IGNORECASE | re.DOTALL)
_PROPERTY = re.compile(r"^(?P<key>[\w-]+)::(?:\s(?P<value>.*))?$")
_MOST_DAYS = 36_500.0


def _read(text: str, name: str) -> Reading:
    found = Collected()
    stem = PurePath(name).stem.split("___")[-1]
    scheduled = 0
    blocks = [each for outermost in bullets(text) for each in outermost.walk()]
    properties = [_take_properties(each) for each in blocks]
    for bullet, told in zip(blocks, properties, strict=True):
        if _is_card(bullet.text):
            places = _card(found, bullet, stem)
            scheduled += found.learn(places, [_memory(told)] * len(places))
        elif has_gap(_GAP, bullet.text):
            found.leave(bullet.line, "{{cloze}} in a block without #card")
    if scheduled:
        found.kinds["with a memory"] = scheduled
    return found.reading(stem)


def _card(found: Collected, bullet: Bullet, topic: str) -> list[int]:
    words = _CARD.sub("", bullet.text)
    tags = tuple(re.findall(r"(?<!\S)#([\w/-]+)", words))
    words = re.sub(r"(?<!\S)#[\w/-]+(?!\S)", "", words).strip()
    words = re.sub(r"^#{1,6}\s+", "", words)
    answer = bullet.below() if bullet.children else ""
    if has_gap(_GAP, words) or has_gap(_GAP, answer):
        whole = f"{words}\n\n{answer}".strip()
        return found.gaps(_gapped(whole), bullet.line, topic, tags=tags)
    return found.basic(words, answer, bullet.line, topic, tags=tags)


def _gapped(text: str) -> str:
    """Return a text with our gaps. Logseq asks for all of a block at once: they are one card."""

    def gap(found: Mapping[str, str]) -> str:
        hint = f"::{found['hint'].strip()}" if found["hint"] else ""
        return f"==1|{found['text'].strip()}{hint}=="

    return with_gaps(_GAP, text, gap)


def _take_properties(bullet: Bullet) -> Mapping[str, str]:
    """Take the rows `key:: value` out of a bullet and return them."""
    found = {}
    kept = []
    for row in bullet.rows:
        match = _PROPERTY.match(row.strip())
        if match:
            found[match["key"]] = (match["value"] or "").strip()
        else:
            kept.append(row)
    bullet.rows = kept
    return found


def _memory(properties: Mapping[str, str]) -> LearnedBefore | None:
    """Return the memory that the properties of a card state; None for a new card."""
    try:
        interval = float(properties["card-last-interval"])
        ease = float(properties["card-ease-factor"])
        due = date.fromisoformat(properties["card-next-schedule"][:10])
    except (KeyError, ValueError):
        return None
    if interval <= 0 or not 1 <= ease <= 10:
        return None
    last = properties.get("card-last-reviewed", "")[:10]
    try:  # a lapse has a next day without an interval
        interval = max(1.0, min(interval, float((due - date.fromisoformat(last)).days)))
    except ValueError:
        interval = max(1.0, interval)
    return LearnedBefore(max(due, date.min + timedelta(1)), min(interval, _MOST_DAYS), ease * 1000)


def _is_card(text: str) -> bool:
    return bool(_CARD.search(without_code(text)))


def _looks(text: str) -> tuple[int, ...]:
    return tuple(number for number, row in unfenced(text) if _is_card(row) or has_gap(_GAP, row))


def _recognises(_name: str, text: str) -> bool:
    return any(re.match(r"^\s*[-*+]\s", row) and _is_card(row) for _, row in unfenced(text))


LOGSEQ = Dialect(
    name="logseq",
    title="Logseq's flashcards",
    about="bullets with #card, their answer in the bullets below; {{cloze …}}",
    recognises=_recognises,
    read=_read,
    looks=_looks,
    markdown=True,
)
