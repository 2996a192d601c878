"""Parts of an Anki package that an import leaves out, by note and reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import groupby
from typing import Final

from studyattn.text.counting import count

_LISTED: Final = 20  # notes of one reason in a message


class Reason(StrEnum):
    """Why a part of a note is left in the package."""

    NO_QUESTION = "a card without a question"
    NO_GAP = "a card whose gap is not in the text"
    OCCLUSION = "an image occlusion card that cannot be drawn: odd shapes, no picture or no Pillow"
    FIELD = "a field not shown on any card"
    FILE = "a picture or sound missing from the package"


@dataclass(frozen=True, slots=True)
class NotTaken:
    """One part of one note that is left in the package."""

    note: str
    """The beginning of the note's first field."""
    reason: Reason
    what: str
    """The name of the card, field or file."""
    guid: str = field(default="", compare=False)
    """The note's own name in Anki, by which notes that begin alike are told apart."""


def not_taken_lines(parts: Sequence[NotTaken]) -> Iterator[str]:
    """Yield the parts for a person: each reason with its number of notes, then the notes."""
    if not parts:
        return
    yield "not taken:"
    order = list(Reason)
    by_reason = sorted(parts, key=lambda each: order.index(each.reason))  # stable
    for reason, group in groupby(by_reason, key=lambda each: each.reason):
        of_reason = list(group)
        notes = len({each.guid or each.note for each in of_reason})
        yield f"  {reason} ({count(notes, 'note')}):"
        for each in of_reason[:_LISTED]:
            yield f"    {each.note}: {each.what}"
        if len(of_reason) > _LISTED:
            yield f"    … and {len(of_reason) - _LISTED} more"
