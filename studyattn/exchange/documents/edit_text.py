"""The cards of an import's preview as one text, to be edited with any editor. Pure.

    @@ path of the document
    @ 21 concept=low-rank
    the question
    ---
    the answer

Each card begins with the line of its question in the document. `preview` reads the text back.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from studyattn.errors import DocumentError
from studyattn.exchange.documents.draft import ExtractedQuestion
from studyattn.exchange.documents.edits import (
    EditedCard,
    Edits,
    cards_of,
    edits_for,
    propose_split,
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
_MARK = re.compile(r"^(@@? .*\S.*)$", re.MULTILINE)
_SIDES = re.compile(r"^---$", re.MULTILINE)
_ESCAPED = re.compile(r"^(\\*)(@@? |---$)", re.MULTILINE)
_UNESCAPED = re.compile(r"^\\(\\*)(?=@@? |---$)", re.MULTILINE)


def edit_text(documents: Sequence[PlannedSource]) -> str:
    """Return the cards of all documents as a text."""
    parts = [HEAD]
    for document in documents:
        parts.append(f"@@ {document.path}\n")
        for label, question in _labelled(document).items():
            for card in cards_of(question, document.edits):
                chosen = f" concept={card.concept}" if card.concept else ""
                front, back = (_ESCAPED.sub(r"\\\1\2", side) for side in card[:2])
                parts.append(f"@ {label}{chosen}\n{front}\n---\n{back}\n")
    return "\n".join(parts)


def read_edits(
    text: str, documents: Sequence[PlannedSource], concepts: Mapping[str, str]
) -> dict[str, Edits]:
    """Return the edits that a text makes, by the path of the document.

    `concepts` are the slugs that a card may name. Raises DocumentError with the line of the text.
    """
    questions = {each.path: _labelled(each) for each in documents}
    cards: defaultdict[str, list[tuple[str, EditedCard]]] = defaultdict(list)
    path = documents[0].path if len(documents) == 1 else ""
    before, *marked = _MARK.split(text.replace("\r\n", "\n"))
    line = 1 + before.count("\n")
    for mark, body in zip(marked[::2], marked[1::2], strict=True):
        wrong = partial(DocumentError, where=f"line {line} of the edited text")
        line += body.count("\n")
        if mark.startswith("@@"):
            path = mark[2:].strip()
            if path not in questions:
                raise wrong(f"there is no document {path!r}")
            continue
        label, *words = mark.split()[1:]
        if path not in questions:
            raise wrong("a card before the line of its document")
        if label not in questions[path]:
            advice = "Start a card with the line of its question"
            raise wrong(f"the document has no question at {label}", advice=advice)
        question = questions[path][label]
        made = _cards(question, words, body, concepts, wrong)
        cards[path] += [(question.key, card) for card in made]
    return {
        each.path: edits_for(each.questions, cards[each.path], each.edits) for each in documents
    }


def _cards(
    question: ExtractedQuestion,
    words: Sequence[str],
    body: str,
    concepts: Mapping[str, str],
    wrong: Callable[..., DocumentError],
) -> list[EditedCard]:
    """Return the cards that one of the text becomes: its `words` are in the line of its mark."""
    sides = [_UNESCAPED.sub(r"\1", side.strip()) for side in _SIDES.split(body, maxsplit=1)]
    if len(sides) < 2:
        raise wrong("a card without ---", advice="Put it before the answer")
    if not all(sides):
        missing = "an answer" if sides[0] else "a question"
        advice = "Delete the line that begins with @ to leave the card out"
        raise wrong(f"a card without {missing}", advice=advice)
    given = dict(word.partition("=")[::2] for word in words)
    for word in sorted(given.keys() - {"split", "concept"}):
        raise wrong(f"{word!r} means nothing")
    concept = given.get("concept", "")
    if concept not in {"", *concepts}:
        advice = "`studyattn concept list` shows them all"
        raise wrong(f"there is no concept {concept!r}", advice=advice)
    front, back = sides
    if "split" not in given:
        return [EditedCard(front, back, concept)]
    whole = replace(question, text=front, answer=back, asked=question.asked or question.text)
    return [card._replace(concept=concept) for card in propose_split(whole)]


def _labelled(document: PlannedSource) -> dict[str, ExtractedQuestion]:
    """Return the questions of a document by the label of their cards: its line, `21.2`, …"""
    used: Counter[str] = Counter()
    labelled = {}
    for each in document.questions:
        line = each.key.replace(" ", ":") if each.chosen else str(each.line)
        used[line] += 1
        labelled[line if used[line] == 1 else f"{line}.{used[line]}"] = each
    return labelled
