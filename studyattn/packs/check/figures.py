"""Whether a numeric card's answer is computed somewhere: an example of its concept prints it.

A round number of one or two digits needs no example; a reader checks it at a glance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from studyattn.packs.answers import ExpectedNumbers, expected_answer
from studyattn.packs.check.finding import Finding
from studyattn.packs.model import Card, CardKind, Concept, Pack
from studyattn.packs.numbers import Number, read_number

GLANCE: Final = 2
"""Significant digits that need no proof."""

_NUMBER = re.compile(r"-?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d+)?")


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part."""
    for concept in pack.concepts.values():
        printed = _printed(concept)
        for card in concept.cards:
            if card.kind is CardKind.NUMERIC and not _proven(card, printed):
                yield Finding(
                    card.place, f"no example of {concept.slug!r} prints the answer {card.answer}"
                )


def _proven(card: Card, printed: list[Number]) -> bool:
    extra = {"tolerance": card.tolerance}
    expected = expected_answer(card.kind, card.answer, extra)
    if not isinstance(expected, ExpectedNumbers) or significant_digits(card.answer or "") <= GLANCE:
        return True
    (value,) = expected.values
    return any(expected.tolerance.allows(value, number) for number in printed)


def significant_digits(written: str) -> int:
    """Digits of a number without leading and trailing zeros: 1 of 0.090, 3 of 7,390."""
    digits = re.sub(r"\D", "", re.split(r"[eE×^]", written)[0])
    return len(digits.strip("0"))


def _printed(concept: Concept) -> list[Number]:
    examples = [*concept.examples, *(each for card in concept.cards for each in card.examples)]
    found = [read_number(text) for each in examples for text in _NUMBER.findall(each.output)]
    return [number for number in found if number is not None]
