"""Anki's note types: which fields of a note a card shows on which side. Pure.

A template is HTML with fields in double braces. `{{#Field}}…{{/Field}}` is shown when the field is
not empty, `{{^Field}}…{{/Field}}` when it is. Filters before a field's name change how it is shown;
of these only `cloze:` and `type:` matter here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Any, Final, NamedTuple

LONGEST_SIDE: Final = 16 * 1024 * 1024
"""Characters of one side of a card."""
_TAG: Final = re.compile(r"\{\{([^{}]+)\}\}")
_ANSWER: Final = re.compile(r"<hr\s+id=['\"]?answer['\"]?\s*/?>", re.IGNORECASE)
_NOTHING: Final = re.compile(r"<(?!img\b)[^>]*>|&nbsp;|\s", re.IGNORECASE)
_MORE_THAN_WORDS: Final = re.compile(r"[<|]|\\[(\[]|\[sound:|\{\{")
_SPECIAL: Final = frozenset({"FrontSide", "Tags", "Type", "Deck", "Subdeck", "Card", "CardFlag"})
_SPOKEN: Final = "tts "
_CLOZE: Final = 1  # the kind of a note type


class _Piece(NamedTuple):
    """A part of a template: HTML, or a tag with its sign (`#`, `^`, `/` or none) and its field."""

    html: str = ""
    sign: str = ""
    field: str = ""
    filters: tuple[str, ...] = ()


@dataclass(frozen=True)
class Template:
    """The two sides of a card."""

    question: str
    answer: str

    @cached_property
    def _sides(self) -> tuple[tuple[_Piece, ...], tuple[_Piece, ...]]:
        below = _ANSWER.split(self.answer, maxsplit=1)[-1]
        return _pieces(self.question), _pieces(below)

    @cached_property
    def asked(self) -> frozenset[str]:
        """The fields that the question shows."""
        return frozenset(
            each.field for each in self._sides[0] if each.field and "type" not in each.filters
        )

    @cached_property
    def named(self) -> frozenset[str]:
        """All fields that it shows or that decide what is shown."""
        return frozenset(each.field for side in self._sides for each in side if each.field)

    def front(self, fields: Mapping[str, str]) -> str:
        """Return the HTML of the question; a field that is typed is not part of it."""
        return _render(self._sides[0], fields, self._typed)

    def back(self, fields: Mapping[str, str], *, typed: bool = False) -> str:
        """Return the HTML of the answer, without the fields that the question shows already.

        With `typed` also without the field that is typed.
        """
        hidden = self.asked | self._typed if typed else self.asked
        return _render(self._sides[1], fields, hidden)

    def typed(self, fields: Mapping[str, str]) -> str:
        """Return the text that is to be typed; empty for none, and for one with more than words.

        What is compared with what a learner types has no tags, pictures, formulas or lines.
        """
        if len(self._typed) != 1:
            return ""
        (name,) = self._typed
        html = fields.get(name, "")
        plain = "" if _MORE_THAN_WORDS.search(html) else unescape(html)
        return " ".join(plain.split())

    @cached_property
    def _typed(self) -> frozenset[str]:
        return frozenset(each.field for each in self._sides[0] if "type" in each.filters)


@dataclass(frozen=True)
class NoteType:
    """A note type: its fields and its cards."""

    is_cloze: bool
    fields: tuple[str, ...]
    templates: Mapping[int, Template]

    @classmethod
    def of(cls, definition: Mapping[str, Any]) -> NoteType:
        """Return the note type that an older package's description is of."""
        fields = sorted(definition["flds"], key=lambda each: int(each["ord"]))
        templates = {
            int(each["ord"]): Template(str(each["qfmt"]), str(each["afmt"]))
            for each in definition["tmpls"]
        }
        names = tuple(str(each["name"]) for each in fields)
        return cls(definition.get("type") == _CLOZE, names, templates)

    def template(self, ord_: int) -> Template | None:
        """Return the template of a card; all cards of a cloze type have the same."""
        return self.templates.get(0 if self.is_cloze else ord_)

    def unseen(self, values: Sequence[str]) -> list[str]:
        """Return the names of the fields that have a text and that no card shows."""
        return [
            name
            for name, value in zip(self.fields, values, strict=False)
            if name not in self._named and not is_empty(value)
        ]

    @cached_property
    def _named(self) -> frozenset[str]:
        return frozenset[str]().union(*(each.named for each in self.templates.values()))


def is_empty(html: str) -> bool:
    """Return whether a field has nothing that can be seen."""
    return not html or not _NOTHING.sub("", html)


def _pieces(template: str) -> tuple[_Piece, ...]:
    pieces = []
    for place, part in enumerate(_TAG.split(template)):
        if place % 2 == 0:
            pieces += [_Piece(html=part)] if part else []
            continue
        inner = part.strip()
        sign = inner[0] if inner[:1] in {"#", "^", "/"} else ""
        *filters, name = inner.removeprefix(sign).strip().split(":")
        if name.strip() not in _SPECIAL and not inner.startswith(_SPOKEN):
            pieces.append(_Piece("", sign, name.strip(), tuple(filters)))
    return tuple(pieces)


def _render(pieces: Sequence[_Piece], fields: Mapping[str, str], hidden: AbstractSet[str]) -> str:
    """Return the HTML of a side without the texts of `hidden` fields.

    Raises ValueError for one that is too long: a template may name a field a thousand times.
    """
    parts: list[str] = []
    closed: list[bool] = []
    for html, sign, field, _ in pieces:
        if sign == "/":
            del closed[-1:]
        elif sign:
            closed.append(is_empty(fields.get(field, "")) == (sign == "#"))
        elif True not in closed:
            parts.append(html if not field else "" if field in hidden else fields.get(field, ""))
    if sum(map(len, parts)) > LONGEST_SIDE:
        raise ValueError(f"a card has more than {LONGEST_SIDE // 1024 // 1024} MB")
    return "".join(parts)
