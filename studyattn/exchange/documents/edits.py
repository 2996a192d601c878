"""Edit the cards that a document would give, before they are imported.

Pure. An edit belongs to a question of the document and lists the cards that become of it: none
(skipped), one (reworded, or under another concept) or several (split). It is kept with the source,
so that the same document imported again gives the same cards. `planner` applies edits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple, TypeAlias

from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.words import normalised, unused
from studyattn.text.markdown import parse_blocks

LONGEST_LEAD: Final = 60
"""Characters of the bold words at the start of a paragraph that name its subject."""

_LEAD = re.compile(
    rf"^(\*\*|__)(?P<lead>[^*_\n]{{1,{LONGEST_LEAD}}}?)(?:(?P<ends>\s*[:.]\1|\1\s*:)|\1)\s*"
)

_EMPTY_LINE = re.compile(r"\n\s*\n")


class EditedCard(NamedTuple):
    """The text of a card, as Markdown, and the slug of the concept that the learner chose."""

    front: str
    back: str
    concept: str = ""
    """Empty: the concept that the question names itself."""


Edits: TypeAlias = Mapping[str, tuple[EditedCard, ...]]
"""The cards that become of a question, by its key. Questions without an edit stay."""


def edits_of(stored: Mapping[str, Any]) -> Edits:
    """Read edits as they are stored with a source: each card as a list."""
    return {key: tuple(EditedCard(*card) for card in cards) for key, cards in stored.items()}


def keyed(questions: Iterable[ExtractedQuestion]) -> list[ExtractedQuestion]:
    """Give questions their keys in `Edits`: their words, whatever their numbers and marks."""
    keys: set[str] = set()
    given = []
    for each in questions:
        key = unused(normalised(each.text), keys)
        keys.add(key)
        given.append(replace(each, key=key))
    return given


def cards_of(question: ExtractedQuestion, edits: Edits) -> tuple[EditedCard, ...]:
    """Return the cards that become of a question: none without an answer."""
    own = (EditedCard(question.text, question.answer),) if question.answer else ()
    return edits.get(question.key, own)


def edits_for(
    questions: Iterable[ExtractedQuestion], cards: Iterable[tuple[str, EditedCard]], before: Edits
) -> Edits:
    """Return the edits that make these cards, by the keys of their questions.

    Of `before` stay the edits of what the document does not ask any more.
    """
    made: dict[str, tuple[EditedCard, ...]] = {each.key: () for each in questions}
    stay = {key: kept for key, kept in before.items() if key not in made}
    for key, card in cards:
        made[key] += (card,)
    return stay | {e.key: made[e.key] for e in questions if made[e.key] != cards_of(e, {})}


def propose_split(question: ExtractedQuestion) -> tuple[EditedCard, ...]:
    """Return a card for each part of an answer of several paragraphs; one card: nothing to split.

    A part begins at each paragraph that starts with bold words, and these complete its question.
    Without such paragraphs each paragraph is a part, to be reworded by the learner. An answer
    without an empty line is one part, and is not parsed.
    """
    blocks = _blocks(question.answer) if _EMPTY_LINE.search(question.answer) else []
    led = any(map(_LEAD.match, blocks))
    parts: list[str] = []
    for block in blocks:
        if led and parts and not _LEAD.match(block):
            parts[-1] += f"\n\n{block}"
        else:
            parts.append(block)
    if len(parts) < 2:
        return (EditedCard(question.text, question.answer),)
    subject = question.concept
    cards = []
    for number, part in enumerate(parts, start=1):
        front, back = f"{subject} ({number} of {len(parts)})", part
        if lead := _LEAD.match(part):
            words = lead["lead"].strip()
            same = normalised(words) == normalised(subject)
            front = words if same else f"{subject}: {words}"
            back = part[lead.end() :] if lead["ends"] else part
        elif number == 1:
            front = question.text
        cards.append(EditedCard(front, back))
    return tuple(cards)


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
        if blocks and (blocks[-1].endswith(":") or token.type != "paragraph_open"):
            blocks[-1] += f"\n\n{block}"
        else:
            blocks.append(block)
    return blocks
