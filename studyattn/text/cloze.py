"""Cloze deletions: `==answer==`, for siblings `==2|answer==`, and with a hint `==answer::hint==`.

A deletion is found by the Markdown reader, so braces of LaTeX, `==` in code and comparisons are
never taken for one. Both faces are Markdown again and go through the one renderer, which shows
the text between `==` in the palette's cloze style.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from studyattn.text.markdown import GAP, parse

if TYPE_CHECKING:
    from markdown_it.token import Token


@dataclass(frozen=True, slots=True)
class Deletion:
    """One `==…==`: the siblings' group, the answer and its hint, and its place in the Markdown."""

    group: int
    text: str
    hint: str
    start: int
    end: int


def deletions(markdown: str) -> tuple[Deletion, ...]:
    """The deletions of a text, in their order."""
    if "==" not in markdown:
        return ()
    line_starts = [0, *(match.end() for match in re.finditer(r"\n", markdown))]
    found: list[Deletion] = []
    for token in parse(markdown):
        if token.type == "inline" and token.children and token.map:
            start = line_starts[min(token.map[0], len(line_starts) - 1)]
            found.extend(_located(markdown, token, start))
    return tuple(found)


def groups(markdown: str) -> tuple[int, ...]:
    """The groups of the text, ascending; each is one sibling card."""
    return tuple(sorted({deletion.group for deletion in deletions(markdown)}))


def front(markdown: str, group: int) -> str:
    """The text with the deletions of `group` as gaps and every other one as plain text.

    In a gap is its hint, if it has one.
    """

    def shown(each: Deletion) -> str:
        if each.group != group:
            return each.text
        return f"==[{each.hint.replace('::', ': :')}]==" if each.hint else f"=={GAP}=="

    return replaced(markdown, shown)


def back(markdown: str, group: int) -> str:
    """The text with the deletions of `group` marked as the answer, every other one plain."""
    return replaced(markdown, lambda each: f"=={each.text}==" if each.group == group else each.text)


def gapped(markdown: str) -> str:
    """The text with every deletion as a gap: a title that gives nothing away."""
    return replaced(markdown, lambda _: GAP)


def ungrouped(markdown: str) -> str:
    """The text with its deletions marked, without the numbers of their groups."""
    return replaced(markdown, lambda each: f"=={each.text}==")


def answers(markdown: str, group: int) -> tuple[str, ...]:
    """The answers that belong in the gaps of `group`, as Markdown."""
    return tuple(each.text for each in deletions(markdown) if each.group == group)


def replaced(markdown: str, replacement: Callable[[Deletion], str]) -> str:
    """The text with each deletion replaced."""
    parts: list[str] = []
    position = 0
    for deletion in deletions(markdown):
        parts += [markdown[position : deletion.start], replacement(deletion)]
        position = deletion.end
    return "".join(parts) + markdown[position:]


def _located(markdown: str, token: Token, block_start: int) -> list[Deletion]:
    """Find the deletions of one block in the source.

    The reader's positions count in the block's own text, without the indents and quote marks before
    its lines. So the same deletion is looked for in the source, as often as it was in the block's
    text before.
    """
    found: list[Deletion] = []
    places: dict[str, tuple[list[int], list[tuple[int, int]]]] = {}
    for child in token.children or ():
        if child.type != "cloze_open":
            continue
        meta = child.meta
        start, end = meta["start"], meta["end"]
        raw = token.content[start:end]
        if raw not in places:
            pattern = r"\n[ \t>]*".join(re.escape(line) for line in raw.split("\n"))
            places[raw] = (
                [match.end() for match in re.finditer(re.escape(raw), token.content)],
                [match.span() for match in re.compile(pattern).finditer(markdown, block_start)],
            )
        ends, spans = places[raw]
        earlier = bisect_right(ends, start)
        if earlier < len(spans):
            found.append(Deletion(meta["group"], meta["text"], meta["hint"], *spans[earlier]))
    return found
