"""Edit the cards that a document would give, before they are imported.

Pure. An edit belongs to a question of the document and lists the cards that become of it: none
(skipped), one (reworded, or under another concept) or several (split). It is kept with the source,
so that the same document imported again gives the same cards. `planner` applies edits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.matching import normalised
from studyattn.text.markdown import parse_blocks

LONGEST_LEAD: Final = 60
"""Characters of the bold words at the start of a paragraph that name its subject."""
CORRECTION_KEY: Final = "erratum "
"""The beginning of the key of a card that asks what is wrong with a statement."""

_LEAD = re.compile(
    rf"^(\*\*|__)(?P<lead>[^*_\n]{{1,{LONGEST_LEAD}}}?)(?:(?P<ends>\s*[:.]\1|\1\s*:)|\1)\s*"
)

_EMPTY_LINE = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class EditedCard:
    """The text of a card, as Markdown, and the slug of the concept that the learner chose."""

    front: str
    back: str
    concept: str = ""
    """Empty: the concept that the question names itself."""


Edits: TypeAlias = Mapping[str, tuple[EditedCard, ...]]
"""The cards that become of a question, by its `question_key`. Questions without an edit stay."""


def question_key(text: str) -> str:
    """Return the key of a question in `Edits`: its words, whatever its number and its marks."""
    return normalised(text)


def cards_of(question: ExtractedQuestion, edits: Edits) -> tuple[EditedCard, ...]:
    """Return the cards that become of a question."""
    return edits.get(question_key(question.text), (EditedCard(question.text, question.answer),))


def edited_questions(question: ExtractedQuestion, edits: Edits) -> tuple[ExtractedQuestion, ...]:
    """Return what the planner reads instead of a question. Its links stay with the first card."""
    return tuple(
        replace(
            question,
            text=card.front,
            answer=card.back,
            chosen=card.concept,
            key=question_key(question.text),
            asked=question.asked or question.text,
            links=question.links if place == 0 else (),
            learned=question.learned if place == 0 else None,
        )
        for place, card in enumerate(cards_of(question, edits))
    )


def propose_split(question: ExtractedQuestion) -> tuple[EditedCard, ...]:
    """Return a card for each part of an answer of several paragraphs; one card: nothing to split.

    A part begins at each paragraph that starts with bold words, and these complete its question.
    Without such paragraphs each paragraph is a part, to be reworded by the learner. An answer
    without an empty line is one part, and is not parsed.
    """
    if not _EMPTY_LINE.search(question.answer):
        return (EditedCard(question.text, question.answer),)
    blocks = _blocks(question.answer)
    led = [bool(_LEAD.match(block)) for block in blocks]
    if any(led):
        starts = [0, *(place for place in range(1, len(blocks)) if led[place])]
    else:
        starts = list(range(len(blocks)))
    ends = [*starts[1:], len(blocks)]
    parts = ["\n\n".join(blocks[start:end]) for start, end in zip(starts, ends, strict=True)]
    if len(parts) < 2:
        return (EditedCard(question.text, question.answer),)
    subject = question.concept
    cards = []
    for number, part in enumerate(parts, start=1):
        lead = _LEAD.match(part)
        if lead:
            words = lead["lead"].strip()
            same = normalised(words) == normalised(subject)
            front = words if same else f"{subject}: {words}"
            back = part[lead.end() :] if lead["ends"] else part
        elif number == 1:
            front, back = question.text, part
        else:
            front, back = f"{subject} ({number} of {len(parts)})", part
        cards.append(EditedCard(front, back))
    return tuple(cards)


def edits_to_json(edits: Edits) -> dict[str, Any]:
    """Return what is stored with the source."""
    return {
        key: [[card.front, card.back, card.concept] for card in cards]
        for key, cards in edits.items()
    }


def edits_from_json(stored: Mapping[str, Any]) -> Edits:
    """Read what `edits_to_json` wrote."""
    return {key: tuple(EditedCard(*card) for card in cards) for key, cards in stored.items()}


def _blocks(text: str) -> list[str]:
    """Return the paragraphs, lists, tables and fences of a text.

    What follows a paragraph that ends with a colon, and a list, belong to the paragraph before.
    """
    lines = text.split("\n")
    blocks: list[str] = []
    for token in parse_blocks(text):
        if token.level != 0 or not token.map or token.nesting == -1:
            continue
        first, after = token.map
        block = "\n".join(lines[first:after]).strip()
        joined = blocks and (blocks[-1].endswith(":") or token.type != "paragraph_open")
        if joined:
            blocks[-1] += f"\n\n{block}"
        else:
            blocks.append(block)
    return blocks
