"""Anki's clozes, `{{c1::answer::hint}}`, read as Anki reads them, as our `==1|answer::hint==`.

Anki nests clozes and lets one belong to several cards (`c1,2`); our gaps do neither. The cards of a
note with such clozes get a text each, in which only their own clozes are gaps. Anki also has clozes
where Markdown has no gap: within a formula, code or a word. Such a card becomes front and back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from studyattn.exchange.anki.markup import plain_gaps
from studyattn.text.cloze import deletions
from studyattn.text.markdown import GAP

_TOKEN: Final = re.compile(r"(\{\{c[0-9]+(?:,[0-9]+)*::|\}\})")
_LARGEST_GROUP: Final = 999
_HINT: Final = re.compile("\ue001(.*?)\ue002([(\\[:]?)", re.DOTALL)
"""The hint of a gap, and a sign that would make a link of its brackets."""


@dataclass(slots=True)
class _Cloze:
    """One cloze: the cards that ask for it, its text and clozes in order, and its hint."""

    mark: str
    groups: tuple[int, ...] = ()
    parts: list[str | _Cloze] = field(default_factory=list)
    hint: str = ""

    def split_off_hint(self) -> None:
        """Take what follows `::` in the cloze's own text as its hint, as Anki does."""
        for place, part in enumerate(self.parts):
            if isinstance(part, str):
                self.parts[place], _, hint = part.partition("::")
                self.hint = hint or self.hint

    def plain(self) -> str:
        """Return the text as it reads with every cloze shown."""
        return "".join(each if isinstance(each, str) else each.plain() for each in self.parts)


@dataclass(frozen=True)
class Clozes:
    """A text with clozes."""

    parts: tuple[str | _Cloze, ...]

    @cached_property
    def groups(self) -> tuple[int, ...]:
        """The numbers of the cards that ask for a cloze, ascending."""
        found = {group for each in self._all for group in each.groups}
        return tuple(sorted(each for each in found if 0 < each <= _LARGEST_GROUP))

    def gapped(self, group: int) -> str | None:
        """Return the text of the card `group` with its gaps, None where Markdown has not all.

        All cards of a note share one text, unless clozes are nested or belong to several cards.
        """
        if self._shared is not None:
            return self._shared
        own = "".join(_with_gaps(each, group) for each in self.parts)
        asked = [each for each in self._outermost(group) if group in each.groups]
        return own if _is_read(own, [(group, each.plain()) for each in asked]) else None

    def sides(self, group: int) -> tuple[str, str]:
        """Return the card `group` as front and back: its gaps in brackets, and all clozes shown."""
        front = "".join(_in_brackets(each, group) for each in self.parts)
        back = "".join(each if isinstance(each, str) else each.plain() for each in self.parts)
        return _HINT.sub(_bracket, front), back

    @cached_property
    def _shared(self) -> str | None:
        """The text of all cards; None if each has its own, or Markdown has not all gaps of it."""
        for each in self._all:
            if len(each.groups) != 1 or not all(isinstance(part, str) for part in each.parts):
                return None
        text = "".join(_with_gaps(each, None) for each in self.parts)
        clozes = [(each.groups[0], each.plain()) for each in self._all]
        return text if _is_read(text, clozes) else None

    def _outermost(self, group: int) -> Iterator[_Cloze]:
        """Yield the clozes of a card, none of which is in another."""
        stack = [each for each in reversed(self.parts) if isinstance(each, _Cloze)]
        while stack:
            cloze = stack.pop()
            if group in cloze.groups:
                yield cloze
            else:
                stack += [each for each in reversed(cloze.parts) if isinstance(each, _Cloze)]

    @cached_property
    def _all(self) -> Sequence[_Cloze]:
        found: list[_Cloze] = []
        stack = [each for each in reversed(self.parts) if isinstance(each, _Cloze)]
        while stack:
            found.append(cloze := stack.pop())
            stack += [each for each in reversed(cloze.parts) if isinstance(each, _Cloze)]
        return found


def read_clozes(text: str) -> Clozes:
    """Read the clozes of a text. What is opened and never closed is text, as it is to Anki."""
    outermost = _Cloze("")
    open_ones = [outermost]
    for piece in _TOKEN.split(text):
        innermost = open_ones[-1]
        if piece.startswith("{{c") and _TOKEN.fullmatch(piece):
            open_ones.append(_Cloze(piece, tuple(map(int, piece[3:-2].split(",")))))
        elif piece == "}}" and innermost is not outermost:
            open_ones.pop()
            innermost.split_off_hint()
            open_ones[-1].parts.append(innermost)
        else:
            innermost.parts.append(piece)
    for unclosed in open_ones[1:]:
        outermost.parts += [unclosed.mark, *unclosed.parts]
    return Clozes(tuple(outermost.parts))


def _with_gaps(part: str | _Cloze, group: int | None) -> str:
    """Return one part with the clozes of `group`, or each one if None, as gaps."""
    if isinstance(part, str):
        return part
    if group is None or group in part.groups:
        hint = " ".join(part.hint.replace("=", " ").split())
        ending = f"::{hint}==" if hint else "=="
        text = part.plain()
        answer = text.strip(" ") or text  # a gap of ours does not begin or end with a space
        before, after = text.split(answer) if answer != text else ("", "")
        return f"{before}=={part.groups[0] if group is None else group}|{answer}{ending}{after}"
    return "".join(_with_gaps(each, group) for each in part.parts)


def _in_brackets(part: str | _Cloze, group: int) -> str:
    """Return one part with the clozes of `group` as marks of gaps."""
    if isinstance(part, str):
        return part
    if group in part.groups:
        return f"\ue001{part.hint}\ue002"
    return "".join(_in_brackets(each, group) for each in part.parts)


def _bracket(found: re.Match[str]) -> str:
    hint, after = found.groups()
    words = " ".join(re.sub(r"[\[\]]", " ", hint).split())
    return (f"[{words}]" if words else GAP) + (f" {after}" if after else "")


def _is_read(text: str, clozes: list[tuple[int, str]]) -> bool:
    """Return whether the gaps of a text, as Markdown has them, are these clozes."""
    if plain_gaps(text) == len(clozes):
        return True
    found = [(each.group, each.text) for each in deletions(text)]
    return found == [(group, answer.strip(" ")) for group, answer in clozes]
