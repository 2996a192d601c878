"""Check that the numbers that a pack teaches are computed somewhere.

A numeric card's answer is printed by an example of its concept. A number in an explanation or an
answer is printed by one too, or an example begins with it, or a check proves it, or the question
gives it, or the concept's front matter calls it `given`: a fact from elsewhere that nothing here
could compute. One beside the command of a run in a real model is among the figures that were
recorded of it.

A whole number of one or two digits needs no example; a reader checks it at a glance.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final

from studyattn.errors import PackError
from studyattn.packs.answers import ExpectedNumbers
from studyattn.packs.check.finding import Finding
from studyattn.packs.check.stated_numbers import Stated, is_stated_by, numbers_in
from studyattn.packs.fences import checks_in
from studyattn.packs.model import Card, Concept, Example, Pack
from studyattn.packs.model_runs import cited_runs, figures_of, read_runs
from studyattn.packs.numbers import Number, read_number

GLANCE: Final = 2
"""Significant digits that need no proof."""

_NUMBER = re.compile(r"-?\d[\d,_]*(?:\.\d+)?(?:e[-+]?\d+)?")


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part."""
    measured = _measured(pack)
    for concept in pack.concepts.values():
        yield from _answers(concept)
        yield from _statements(concept, measured)


def _measured(pack: Pack) -> dict[str, list[float]]:
    """The figures of each run in a real model, by its id."""
    try:
        recorded = read_runs(pack.folder)
    except PackError:
        return {}  # `structure` tells of it
    return {} if recorded is None else {run.id: figures_of(run) for run in recorded.runs}


def _answers(concept: Concept) -> Iterator[Finding]:
    printed = _numbers([each.output for each in _examples(concept)])
    for card in concept.cards:
        if not _proven(card, printed):
            yield Finding(
                card.place, f"no example of {concept.slug!r} prints the answer {card.answer}"
            )


def _proven(card: Card, printed: list[Number]) -> bool:
    expected = card.kind.expected(card.answer, card.extra)
    if not isinstance(expected, ExpectedNumbers) or significant_digits(card.answer or "") <= GLANCE:
        return True
    (value,) = expected.values
    return any(expected.tolerance.allows(value, number) for number in printed)


def _statements(concept: Concept, measured: Mapping[str, list[float]]) -> Iterator[Finding]:
    def known_in(text: str) -> list[float]:
        return known + [each for name in cited_runs(text) for each in measured.get(name, [])]

    examples = _examples(concept)
    programs = [*examples, *checks_in(Path(concept.place.file))]
    known = [
        float(each) for each in _numbers([f"{each.output} {each.source}" for each in programs])
    ]
    known += _values(*concept.given)
    known += _values(*chain(*(each.prediction.reasons for each in examples if each.prediction)))
    texts = [(concept.body, "", concept.place)]
    # The text of a card that is drawn is made of what was computed.
    texts += [(each.back, each.front, each.place) for each in concept.cards if not each.kind.drawn]
    for text, asked, place in texts:
        for number in _unproven(text, known_in(text) + _values(asked)):
            yield Finding(place, _unproven_message(number, concept))


def _values(*texts: str) -> list[float]:
    return [each.value for text in texts for each in numbers_in(text)]


def _unproven(text: str, known: list[float]) -> Iterator[Stated]:
    for number in numbers_in(text):
        at_a_glance = "." not in number.written and significant_digits(number.written) <= GLANCE
        if not at_a_glance and not is_stated_by(number, known):
            yield number


def _unproven_message(number: Stated, concept: Concept) -> str:
    return (
        f"no example of {concept.slug!r} computes {number.written}; "
        "print it in one, prove it in a check, or list it under `given` with its source"
    )


def significant_digits(written: str) -> int:
    """Digits of a number without leading and trailing zeros: 1 of 0.090, 3 of 7,390."""
    digits = re.sub(r"\D", "", re.split(r"[eE×^\\]", written)[0])
    return len(digits.strip("0"))


def _examples(concept: Concept) -> list[Example]:
    return [*concept.examples, *(each for card in concept.cards for each in card.examples)]


def _numbers(texts: list[str]) -> list[Number]:
    found = [read_number(each) for text in texts for each in _NUMBER.findall(text)]
    return [number for number in found if number is not None]
