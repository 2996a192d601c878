"""`cloze`: a text with gaps. Each group of gaps is an item of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from studyattn.errors import PackError
from studyattn.packs.card_kinds.kind import (
    AskedCard,
    CardKind,
    CardTexts,
    ReviewContext,
    WrittenCard,
)


class ClozeKind(CardKind):
    """Gaps in the heading, in the text below it, or in both; a text without gaps explains."""

    name: ClassVar[str] = "cloze"
    usual_seconds: ClassVar[float] = 9.0
    gaps: ClassVar[bool] = True
    answer_replaces_question: ClassVar[bool] = True

    def groups(self, card: WrittenCard) -> tuple[int, ...]:
        from studyattn.text.cloze import groups

        found = tuple(sorted({*groups(card.front), *groups(card.back)}))
        if not found or found != tuple(range(1, len(found) + 1)):
            raise PackError(
                "a cloze card without a gap"
                if not found
                else f"gap groups {found} are not consecutive",
                where=card.where,
                advice="Write ==gap==, or ==1|gap== and ==2|gap==, outside of code and formulas",
            )
        return found

    def group_extra(self, group: int) -> Mapping[str, Any]:
        return {"group": group}

    def ask(self, card: CardTexts, context: ReviewContext) -> AskedCard:
        from studyattn.text import cloze

        del context
        group = int(card.extra.get("group", 1))
        front = cloze.front(card.front, group)
        if cloze.deletions(card.back):
            front = f"{front}\n\n{cloze.front(card.back, group)}"
        return AskedCard(front, "\n\n".join(part for part in self.revealed(card) if part.strip()))

    def revealed(self, card: CardTexts) -> tuple[str, ...]:
        from studyattn.text import cloze

        group = int(card.extra.get("group", 1))
        return cloze.back(card.front, group), cloze.back(card.back, group)
