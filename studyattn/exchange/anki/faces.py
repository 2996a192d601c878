"""The two sides of a card of Anki, as Markdown, and a changed side back in its note's fields. Pure.

A card shows what its template makes of its note's fields. So a side that was reworded here belongs
to the one field with which the template makes it again; where there is none, the note keeps its
text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

from studyattn.exchange.anki.clozes import Clozes, read_clozes
from studyattn.exchange.anki.fields import Media, markdown
from studyattn.exchange.anki.markup import COLONS, html
from studyattn.exchange.anki.not_taken import Reason
from studyattn.exchange.anki.occlusion import OCCLUSION, SHAPE, Covers, covers_in, without_covers
from studyattn.exchange.anki.templates import NoteType
from studyattn.exchange.words import digest
from studyattn.packs.card_kinds import BASIC, CLOZE, TYPED
from studyattn.store.snapshot import CardRecord
from studyattn.text.media import PREFIX

_COLONS: Final = "\ue000"  # for two colons in a gap, while hints are looked for
_SIDES: Final = ("answer", "front", "back")
_PICTURE: Final = re.compile(rf"(!\[[^\]]*\])\(({PREFIX}[^)]*)\)")
_PLACE: Final = "\ue003"  # for the text of a field, while its place on a side is looked for


class Face(NamedTuple):
    """The text of a card."""

    kind: str
    front: str
    back: str
    extra: dict[str, Any]
    is_first: bool
    """It is the first card of its note."""
    answer: str | None = None
    """The text that a learner types."""


def worded(text: Face | CardRecord) -> str:
    """Return the digest of a card's text."""
    return digest(text.front, text.back, text.answer or "")


def read_alike(one: Face | CardRecord, other: Face | CardRecord) -> bool:
    r"""Return whether two texts are the same to a reader, such as `$x$` and `\(x\)`."""
    return all(_read_alike(getattr(one, each), getattr(other, each)) for each in _SIDES)


def _read_alike(one: str | None, other: str | None) -> bool:
    return (one or "") == (other or "") or html(one or "") == html(other or "")


class Faces:
    """Makes the texts of a note's cards; `media` gives the addresses of its pictures and sounds.

    `cover` gives that of a picture with what a side of a card of image occlusion covers, from that
    of the whole picture; empty where it cannot be drawn.
    """

    def __init__(
        self, media: Media, cover: Callable[[str, Covers], str] = lambda _address, _covers: ""
    ) -> None:
        self._media = media
        self._cover = cover
        # The cards of a note show much of the same, which is read once.
        self._texts: dict[str, str] = {}
        self._clozes: dict[str, Clozes] = {}

    def of(self, notetype: NoteType, fields: Sequence[str], ord_: int) -> Face | Reason:
        """Return the text of the card at a place of a note, or why it cannot be asked."""
        template = notetype.template(ord_)
        if template is None:
            return Reason.NO_QUESTION
        named = dict(zip(notetype.fields, fields, strict=False))
        question = template.front(named)
        if notetype.is_cloze:
            return self._cloze(ord_ + 1, question, template.back(named))
        front = self._markdown(question)
        if not front:
            return Reason.NO_QUESTION
        typed = template.typed(named)
        back = self._markdown(template.back(named, typed=bool(typed)))
        if typed:
            return Face(TYPED.name, front, back, {}, ord_ == 0, typed)
        return Face(BASIC.name, front, back, {}, ord_ == 0)

    def _cloze(self, group: int, question: str, answer: str) -> Face | Reason:
        if OCCLUSION in question:
            return self._covered(group, question, answer)
        clozes = self._read(question)
        if group not in clozes.groups:
            return Reason.NO_GAP
        is_first = group == clozes.groups[0]
        below = self._markdown(answer)
        text = clozes.gapped(group)
        if text is not None:
            extra = dict(CLOZE.group_extra(group))
            return Face(CLOZE.name, text.replace(_COLONS, "::"), below, extra, is_first)
        front, back = (each.replace(_COLONS, "::") for each in clozes.sides(group))
        return Face(BASIC.name, front, f"{back}\n\n{below}".strip(), {}, is_first)

    def _covered(self, group: int, question: str, answer: str) -> Face | Reason:
        """Return a card of image occlusion: its sides are the picture with parts covered."""
        covers = covers_in(question)
        groups = sorted({each.group for each in covers})
        if group not in groups:
            return Reason.NO_GAP
        whole = self._markdown(without_covers(question))
        shapes = "".join(each[0] for each in SHAPE.finditer(question))
        asked, answered = (
            _PICTURE.sub(partial(self._drawn, (shapes, group, answers)), whole)
            for answers in (False, True)
        )
        pictures = [found[0] for found in _PICTURE.finditer(answered)]
        if not (pictures and all(each.can_be_drawn for each in covers)):
            return Reason.OCCLUSION
        back = "\n\n".join((*pictures, self._markdown(without_covers(answer)))).strip()
        return Face(BASIC.name, asked, back, {}, group == groups[0])

    def _drawn(self, covers: Covers, found: re.Match[str]) -> str:
        return f"{found[1]}({self._cover(found[2], covers)})"

    def _read(self, question: str) -> Clozes:
        if question not in self._clozes:
            text = self._markdown(question.replace(COLONS, _COLONS))
            self._clozes[question] = read_clozes(text)
        return self._clozes[question]

    def _markdown(self, text: str) -> str:
        if text not in self._texts:
            self._texts[text] = markdown(text, self._media)
        return self._texts[text]

    def reworded(
        self,
        notetype: NoteType,
        fields: Sequence[str],
        ord_: int,
        card: CardRecord,
        names: Mapping[str, str],
    ) -> list[str] | None:
        """Return the fields of a note that give one of its cards the text of `card`.

        `names` are those of the home's pictures and sounds in Anki. None where no one field can
        take what was changed of a side.
        """
        told = list(fields)
        for side in _SIDES:
            face = self.of(notetype, told, ord_)
            if not isinstance(face, Face) or face.kind != card.kind:
                return None
            if _read_alike(getattr(face, side), getattr(card, side)):
                continue
            made = self._with_side(notetype, told, ord_, side, getattr(card, side) or "", names)
            if made is None:
                return None
            told = made
        return told

    def _with_side(  # noqa: PLR0917 - a side of a card, and its text
        self,
        notetype: NoteType,
        fields: Sequence[str],
        ord_: int,
        side: str,
        text: str,
        names: Mapping[str, str],
    ) -> list[str] | None:
        """Return the first of the tries that gives a side its text."""
        for each in self._tries(notetype, fields, ord_, side, text):
            for kept, name in names.items():
                each[:] = [part.replace(kept, name) for part in each]
            made = self.of(notetype, each, ord_)
            if isinstance(made, Face) and _read_alike(getattr(made, side), text):
                return each
        return None

    def _tries(
        self, notetype: NoteType, fields: Sequence[str], ord_: int, side: str, text: str
    ) -> Iterator[list[str]]:
        """Yield the note's fields with `text` on a side, each time in another field."""
        template = notetype.template(ord_)
        if template is None:
            return
        named = dict(zip(notetype.fields, fields, strict=False))
        typed = bool(template.typed(named))
        sides: Mapping[str, Callable[[Mapping[str, str]], str]] = {
            "answer": template.typed,
            "front": template.front,
            "back": lambda each: template.back(each, typed=typed),
        }
        for place, name in enumerate(notetype.fields):
            around = self._markdown(sides[side]({**named, name: _PLACE})).split(_PLACE)
            before, after = around[0], around[-1]
            fits = text.startswith(before) and text.endswith(after)
            if len(around) == 2 and fits and len(text) >= len(before) + len(after):
                own = text[len(before) : len(text) - len(after)].strip()
                is_gapped = notetype.is_cloze and side == "front"
                if is_gapped and not self._keeps_groups(named[name], own):
                    continue
                yield [*fields[:place], _field(own, cloze=is_gapped), *fields[place + 1 :]]

    def _keeps_groups(self, field: str, text: str) -> bool:
        """Return whether a text has gaps for all cards that a field has them for."""
        return set(self._read(field).groups) <= set(read_clozes(html(text, cloze=True)).groups)


def _field(text: str, *, cloze: bool) -> str:
    """Return the HTML of a field; one paragraph stands in none of its own, as Anki writes it."""
    made = html(text, cloze=cloze).strip()
    inner = made.removeprefix("<p>").removesuffix("</p>")
    return inner if len(made) - len(inner) == 7 and "<p>" not in inner else made
