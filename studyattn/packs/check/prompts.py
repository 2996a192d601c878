"""Check that each card asks for one thing that its question does not give away.

These are the rules of good prompts as far as a program can see them: no answer that can be guessed
between yes and no or from a list of options, no list to recall, no second question, no long sum.
Computed cards are drawn and “find the bug” cards have a form of their own: neither is judged here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from studyattn.packs.answers import ExpectedNumbers, ExpectedText
from studyattn.packs.card_kinds import BASIC
from studyattn.packs.check.figures import significant_digits
from studyattn.packs.check.finding import Finding
from studyattn.packs.model import Card, Pack

MOST_WORDS: Final = 40
"""Words of a question that is understood at one reading."""

MOST_DIGITS: Final = 3
"""Significant digits of a number worth remembering, or worth computing by hand."""

_AUXILIARY = (
    r"(?:is|are|was|were|do|does|did|can|could|will|would|must|should|may|might|has|have|had)"
)
_ASKING = r"(?:what|which|who|whose|whom|why|how|when|where)"
_NAMED_BEFORE = r"(?:them|these|those)\b"
_COUNT = r"(?:two|three|four|five|six)"

_OPTIONS: Final = "lists the options to choose from; ask without them"
_LISTED_BEFORE = re.compile(
    rf" (?:and|or) .*[.:] .*\bwhich (?:ones? )?of {_NAMED_BEFORE}", re.IGNORECASE
)
"""A list of things, and a sentence that asks “which of them”."""

_TWO_THINGS: Final = "asks for two things; make two cards"

_RULES: Final = tuple(
    (re.compile(pattern, re.IGNORECASE), message)
    for pattern, message in (
        (
            rf"^{_AUXILIARY}\b.*\?|^(?!.*\b{_ASKING}\b).*, {_AUXILIARY}\b.*\?",
            "can be answered with yes or no; ask what, why or how many",
        ),
        (r"\btrue or false\b", "can be guessed between true and false; ask why it is so"),
        (
            (
                rf"\bwhich (?:ones? )?of (?!{_NAMED_BEFORE})|^of\b.*\bwhich\b"
                rf"|[:,] (?!.*\b{_ASKING}\b)[^?]*\bor\b[^?]*\?"
            ),
            _OPTIONS,
        ),
        (
            rf"^(?:name|list|mention|give)\b|\b(?:what|which)(?: are)?(?: the)? {_COUNT}\b",
            "asks for a list; make each entry a separate card",
        ),
        (rf", and {_ASKING}\b.*\?", _TWO_THINGS),
    )
)
_SENTENCE_END = re.compile(r"(?<=[.!?:])\s+(?=[A-Z“$`*(])")
_CODE = re.compile(r"`[^`]*`")
_QUOTED = re.compile(r"“[^”]*”")
_GAP = re.compile(r"==(?:\d+\|)?(.+?)==")
_YES_OR_NO: Final = frozenset({"yes", "no", "true", "false"})
_SHORTEST_GIVEAWAY: Final = 3
"""Letters; shorter answers, such as `d` or `0`, occur in a question by chance."""


def check(pack: Pack) -> Iterator[Finding]:
    """All findings of this part."""
    for card in pack.cards():
        if not card.kind.drawn:
            for message in weaknesses(card):
                yield Finding(card.place, f"{card.id!r} {message}")


def weaknesses(card: Card) -> Iterator[str]:
    """Name what makes the card easy to guess or hard to answer, as predicates without a subject."""
    if card.kind.gaps:
        yield from _of_gaps(card.front)
        return
    asked = _CODE.sub("code", card.front)
    sentences = _SENTENCE_END.split(asked)
    yield from (message for rule, message in _RULES if any(map(rule.search, sentences)))
    if _LISTED_BEFORE.search(asked):
        yield _OPTIONS
    if _QUOTED.sub("", asked).count("?") > 1:
        yield _TWO_THINGS
    words = len(asked.split())
    if words > MOST_WORDS:
        yield f"has a question of {words} words; the limit is {MOST_WORDS}, so shorten it"
    if not (card.reversed or "?" in asked or asked.endswith("…")):
        yield "is not a question; end the heading with a question mark, or with … to be completed"
    yield from _of_answer(card)


def _of_answer(card: Card) -> Iterator[str]:
    """Name what is wrong with an answer that is typed."""
    if card.kind is BASIC:
        return
    expected = card.kind.expected(card.answer, card.extra)
    if isinstance(expected, ExpectedText):
        answer = expected.accepted[0]
        if answer.casefold() in _YES_OR_NO:
            yield "can be answered with yes or no; ask what, why or how many"
        elif _gives_away(answer, _CODE.sub("", card.front)):
            yield f"gives its answer away: {answer!r} is in the question"
    elif isinstance(expected, ExpectedNumbers) and not expected.tolerance.relative:
        digits = significant_digits(card.answer or "")
        if digits > MOST_DIGITS and not expected.tolerance.absolute:
            yield f"asks for {digits} digits; round the question's numbers, or give a tolerance"


def _of_gaps(text: str) -> Iterator[str]:
    shown = _GAP.sub(" ", text)
    for gap in _GAP.findall(text):
        if _gives_away(gap, shown):
            yield f"gives its answer away: {gap!r} is in the text around the gap"


def _gives_away(answer: str, question: str) -> bool:
    if sum(character.isalpha() for character in answer) < _SHORTEST_GIVEAWAY:
        return False
    return bool(re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", question, re.IGNORECASE))
