"""Check that an explanation is a lesson: short pages, each before the cards it prepares for.

Length, the cards that pages name, and the examples whose output is predicted. That an output is
right is found by running it (`run_examples`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from studyattn.packs.check.finding import Finding
from studyattn.packs.model import Concept, Example, LessonPage, Pack, Prediction
from studyattn.packs.pages import reading_seconds

LESSON_SECONDS: Final = 180
PAGE_SECONDS: Final = 90
"""What reading may take, cards not included; `reading_seconds` says how it is estimated."""

OUTPUT_WIDTH: Final = 40
"""Columns of an output that is typed, or picked from several."""


def check(pack: Pack) -> Iterator[Finding]:
    """Yield all findings of this part."""
    for concept in pack.concepts.values():
        yield from _cards(concept)
        yield from _lengths(concept)
    yield from _predictions(pack)


def _cards(concept: Concept) -> Iterator[Finding]:
    there = {card.id for card in concept.cards}
    seen: set[str] = set()
    for page in concept.pages:
        for card in page.cards:
            if card not in there:
                yield _of(page, f"names the card {card!r}, which {concept.slug!r} does not have")
            elif card in seen:
                yield _of(page, f"names the card {card!r}, which is already named")
            seen.add(card)


def _lengths(concept: Concept) -> Iterator[Finding]:
    whole = 0.0
    for page in concept.pages:
        seconds = reading_seconds(page)
        whole += seconds
        examples = [
            each
            for each in concept.examples
            if 0 <= each.place.line - page.place.line < len(page.body.split("\n"))
        ]
        if seconds > PAGE_SECONDS and len(concept.pages) > 1:
            yield _of(
                page,
                f"takes about {seconds:.0f} s to read; the limit is {PAGE_SECONDS} s, so divide it",
            )
        if len(examples) > 1 and len(concept.pages) > 1:
            yield _of(page, f"has {len(examples)} examples; a page has at most one, so divide it")
    if whole > LESSON_SECONDS:
        yield Finding(
            concept.place,
            f"the lesson takes about {whole:.0f} s to read; the limit is {LESSON_SECONDS} s "
            "(three minutes). Shorten it, or make it two concepts",
        )


def _of(page: LessonPage, message: str) -> Finding:
    return Finding(page.place, f"the page {page.id!r} {message}")


def _predictions(pack: Pack) -> Iterator[Finding]:
    explained = {each.id for concept in pack.concepts.values() for each in concept.examples}
    yield from _mending(pack)
    for example in pack.examples():
        if example.prediction is None:
            continue
        if example.id not in explained:
            yield Finding(
                example.place,
                "an output is predicted in an explanation only; write ```python example here",
            )
        for message in _weaknesses(example, example.prediction):
            yield Finding(example.place, f"the prediction {example.id} {message}")


def _mending(pack: Pack) -> Iterator[Finding]:
    """Find wrong outputs that no card mends which is asked with the lesson or before it."""
    known: set[str] = set()
    for concept in pack.concepts.values():
        for card in concept.cards:
            known |= {card.id, *card.misconceptions}
        for example in concept.examples:
            if example.prediction is None:
                continue
            for output in example.prediction.reasons:
                name = example.prediction.mended_by.get(output)
                says = f"the prediction {example.id} does not say which card mends {output}"
                if name is None:
                    told = f"{says}; write - Not `{output}` (CARD OR MISCONCEPTION): …"
                    yield Finding(example.place, told)
                elif name not in known:
                    told = f"{says}: no card up to this concept is {name!r} or names it"
                    yield Finding(example.place, told)


def _weaknesses(example: Example, prediction: Prediction) -> Iterator[str]:
    """Yield what makes an output hard to type or the choice no choice: predicates."""
    right = example.output.strip()
    if len(right.splitlines()) > 1 or len(right) > OUTPUT_WIDTH:
        yield f"asks for more than a line of {OUTPUT_WIDTH} columns; print less"
    if any(len(choice) > OUTPUT_WIDTH for choice in prediction.choices):
        yield f"offers an output of more than {OUTPUT_WIDTH} columns"
    if right in {*prediction.choices, *prediction.reasons}:
        yield "lists the right output among the wrong ones; it is added automatically"
    if len(set(prediction.choices)) < len(prediction.choices):
        yield "lists an output twice"
    for output in prediction.choices:
        if output not in prediction.reasons:
            yield f"does not say why {output} is wrong; write - Not `{output}`: … after its output"
