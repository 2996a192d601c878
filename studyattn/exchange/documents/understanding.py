"""The words of a preview on how a document was read, and on what looks like a card and is none."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from studyattn.exchange.documents.dialects import DIALECTS, NOTE, QUESTIONS
from studyattn.exchange.documents.draft import Offer, Understood
from studyattn.text.counting import count

_MOST_LINES: Final = 8
_LONGEST: Final = 60
"""Characters of one side of an example."""


def understanding(understood: Understood) -> Iterator[str]:
    """Yield sentences: how the document was read, what was left out of it, and why."""
    if understood.name == NOTE:
        tried = [name for name, each in DIALECTS.items() if not each.suffixes]
        names = ", ".join((QUESTIONS, *tried))
        yield f"Read as a note: it has no cards. Looked for {names} (--as)."
    else:
        kinds = [
            f"{number} {'gaps' if kind == 'gap' and number > 1 else kind}"
            for kind, number in understood.kinds.items()
            if number
        ]
        inside = f" ({', '.join(kinds)})" if kinds else ""
        yield f"Read as {understood.title}: {count(understood.cards, 'card')}{inside}."
    yield from (f"{remark}." for remark in understood.remarks)


def not_read(understood: Understood) -> Iterator[tuple[int, str]]:
    """Yield what looks like cards and became none: the first line of each, and a sentence."""
    reasons: defaultdict[str, list[int]] = defaultdict(list)
    for each in understood.unread:
        reasons[each.why].append(each.line)
    for why, lines in sorted(reasons.items(), key=lambda each: each[1][0]):
        yield lines[0], f"no card: {why} ({at_lines(lines)})"


def offered(offer: Offer) -> Iterator[str]:
    """Yield how a document could be read otherwise: a sentence, and two of its cards."""
    where = f"--as {offer.name}, {at_lines(offer.lines)}"
    yield f"{count(offer.cards, 'card')}: {offer.title} ({where})"
    for front, back in offer.examples:
        yield f"{_short(front)} → {_short(back)}"


def _short(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def at_lines(lines: Sequence[int]) -> str:
    """Return "line 3", or "lines 3, 7, 9"; of many lines the first."""
    told = ", ".join(map(str, lines[:_MOST_LINES]))
    more = f" and {len(lines) - _MOST_LINES} more" if len(lines) > _MOST_LINES else ""
    return f"line {told}" if len(lines) == 1 else f"lines {told}{more}"
