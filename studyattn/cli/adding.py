"""`add`: cards of the learner's own, from the command line or standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from studyattn.cli.common import Answer
from studyattn.study import notes

if TYPE_CHECKING:
    from studyattn.study.profile import Profile


def add(
    profile: Profile,
    *,
    question: str,
    answer: str | None,
    concept: str | None,
    tags: tuple[str, ...],
    cloze: bool,
) -> Answer:
    cards = notes.own_cards
    if question != "-":
        texts = [cards.CardText(question, answer or "")]
    elif answer is not None:
        raise click.UsageError("Include the answer in standard input")
    else:
        try:
            texts = cards.read_card_texts(sys.stdin.read(), only_cloze=cloze)
        except UnicodeDecodeError:
            raise click.UsageError("Standard input is not UTF-8 text") from None
    slug = concept or cards.suggested_concept(profile, cards.SelectedPassage())
    made = cards.make_cards(profile, texts, concept=slug, tags=tags, only_cloze=cloze)
    return Answer({"concept": made.concept, "cards": made.guids}, made.guids)
