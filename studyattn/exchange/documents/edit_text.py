"""The cards of an import's preview as one text, to be edited with any editor. Pure.

    @ 21 concept=low-rank
    the question
    ---
    the answer

Each card begins with the line of its question in the document. `preview` reads the text back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from studyattn.errors import DocumentError
from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.edits import (
    CORRECTION_KEY,
    EditedCard,
    Edits,
    cards_of,
    propose_split,
    question_key,
)
from studyattn.exchange.documents.plan import PlannedSource

HEAD: Final = """\
These cards would be created. Change them here, save, and close the editor. Nothing is imported
until you confirm the new preview. A line such as "@ 21" starts each card: 21 is the line of
its question. The answer follows "---".

    leave a card out        delete it, with its line @
    reword it               edit its question or its answer
    split it                write "@ 21 split": a card for each part of the answer;
                            or write further cards with the same "@ 21"
    merge two               move the text of one into the other, and delete the rest
    choose its concept      write "@ 21 concept=low-rank"
"""
_MARK = re.compile(r"^@ (?P<label>\d+(?:\.\d+)?)(?P<rest>(?: \S+)*)\s*$")
_CORRECTION = re.compile(r"^@ (?P<label>erratum \S+)\s*$")
_DOCUMENT: Final = "@@ "
_SIDES: Final = "---"
_ESCAPED = re.compile(r"^(\\*)(@ |@@ |---$)", re.MULTILINE)
_UNESCAPED = re.compile(r"^\\(\\*)(?=@ |@@ |---$)", re.MULTILINE)


def _labelled(source: PlannedSource) -> Iterator[tuple[str, ExtractedQuestion]]:
    """Yield each question that has an answer, and the label of its cards."""
    used: dict[int, int] = {}
    for each in source.questions:
        if each.answer.strip():
            used[each.line] = used.get(each.line, 0) + 1
            number = used[each.line]
            yield (str(each.line) if number == 1 else f"{each.line}.{number}", each)


@dataclass(frozen=True, slots=True)
class _Written:
    """A card as it was written; `where` is the line of its mark."""

    label: str
    words: tuple[str, ...]
    front: str
    back: str
    where: str


def edit_text(documents: Sequence[PlannedSource]) -> str:
    """Return the cards of all documents as a text."""
    parts = [HEAD]
    for document in documents:
        parts.append(f"{_DOCUMENT}{document.path}\n")
        for label, question in _labelled(document):
            for card in cards_of(question, document.edits):
                chosen = f" concept={card.concept}" if card.concept else ""
                parts.append(_card(f"{label}{chosen}", card.front, card.back))
        parts += [
            _card(planned.key, planned.front, planned.back)
            for planned in document.cards
            if planned.key.startswith(CORRECTION_KEY)
        ]
    return "\n".join(parts)


def read_edits(
    text: str, documents: Sequence[PlannedSource], concepts: Mapping[str, str]
) -> dict[str, Edits]:
    """Return the edits that a text makes, by the path of the document.

    `concepts` are the slugs that a card may name. Raises DocumentError with the line of the text.
    """
    found = {each.path: each for each in documents}
    written: dict[str, list[_Written]] = {path: [] for path in found}
    path = next(iter(found)) if len(found) == 1 else ""
    for place, row in _marked_rows(text):
        if isinstance(row, _Written):
            if path not in found:
                raise DocumentError("a card before the line of its document", where=row.where)
            written[path].append(row)
        else:
            path = row.removeprefix(_DOCUMENT).strip()
            if path not in found:
                raise DocumentError(f"there is no document {path!r}", where=place)
    return {path: _edits(written[path], found[path], concepts) for path in found}


def _card(label: str, front: str, back: str) -> str:
    escaped = [_ESCAPED.sub(r"\\\1\2", side.strip()) for side in (front, back)]
    return f"@ {label}\n{escaped[0]}\n{_SIDES}\n{escaped[1]}\n"


def _marked_rows(text: str) -> Iterator[tuple[str, _Written | str]]:
    """Yield the cards and the lines that name documents, each with its place."""
    lines = text.replace("\r\n", "\n").split("\n")
    marks = [at for at, row in enumerate(lines) if row.startswith(("@ ", _DOCUMENT))]
    for at, after in zip(marks, [*marks[1:], len(lines)], strict=True):
        where = f"line {at + 1} of the edited text"
        row, body = lines[at], lines[at + 1 : after]
        if row.startswith(_DOCUMENT):
            yield (where, row)
            continue
        mark = _MARK.match(row) or _CORRECTION.match(row)
        if mark is None:
            raise DocumentError(
                f"{row!r} does not start a card",
                where=where,
                advice='Write "@", the line of its question, and "split" or "concept=SLUG"',
            )
        if _SIDES not in body:
            raise DocumentError(
                "a card without ---", where=where, advice="Put it before the answer"
            )
        side = body.index(_SIDES)
        front, back = ("\n".join(part).strip() for part in (body[:side], body[side + 1 :]))
        front, back = (_UNESCAPED.sub(r"\1", each) for each in (front, back))
        if not front or not back:
            missing = "an answer" if front else "a question"
            raise DocumentError(
                f"a card without {missing}",
                where=where,
                advice="Delete the line that begins with @ to leave the card out",
            )
        rest = mark.groupdict().get("rest") or ""
        yield (where, _Written(mark["label"], tuple(rest.split()), front, back, where))


def _edits(
    written: Sequence[_Written], document: PlannedSource, concepts: Mapping[str, str]
) -> Edits:
    """Return the edits of one document: what differs from what it says itself."""
    questions = dict(_labelled(document))
    cards: dict[str, list[EditedCard]] = {label: [] for label in questions}
    corrections = {each.key for each in document.cards if each.key.startswith(CORRECTION_KEY)}
    kept: set[str] = set()
    for each in written:
        if each.label in corrections:
            kept.add(each.label)
        elif each.label in questions:
            cards[each.label] += _cards(each, questions[each.label], concepts)
        else:
            raise DocumentError(
                f"the document has no question at {each.label}",
                where=each.where,
                advice="Start a card with the line of its question",
            )
    edits: dict[str, tuple[EditedCard, ...]] = {
        key: gone for key, gone in document.edits.items() if key.startswith(CORRECTION_KEY)
    }
    edits |= dict.fromkeys(corrections - kept, ())
    for label, question in questions.items():
        own = (EditedCard(question.text.strip(), question.answer.strip()),)
        if tuple(cards[label]) != own:
            edits[question_key(question.text)] = tuple(cards[label])
    return edits


def _cards(
    written: _Written, question: ExtractedQuestion, concepts: Mapping[str, str]
) -> tuple[EditedCard, ...]:
    """Return the cards that one written card becomes."""
    concept, parted = "", False
    for word in written.words:
        key, _, value = word.partition("=")
        if word == "split":
            parted = True
        elif key == "concept" and value in concepts:
            concept = value
        else:
            raise DocumentError(
                f"there is no concept {value!r}" if key == "concept" else f"{word!r} means nothing",
                where=written.where,
                advice="`studyattn concept list` shows them all" if key == "concept" else "",
            )
    if not parted:
        return (EditedCard(written.front, written.back, concept),)
    asked = question.asked or question.text
    whole = replace(question, text=written.front, answer=written.back, asked=asked)
    return tuple(replace(each, concept=concept) for each in propose_split(whole))
