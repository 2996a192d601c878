"""`typed`: the learner types a short answer, which is compared with the accepted ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from studyattn.packs.card_kinds.kind import CardKind, WrittenCard, require_answer, require_back

if TYPE_CHECKING:
    from studyattn.packs.answers import Expected


class TypedKind(CardKind):
    """`answer="one|other"` in the heading, and below it why."""

    name: ClassVar[str] = "typed"
    heading_keys: ClassVar[frozenset[str]] = frozenset({"answer"})

    def check(self, card: WrittenCard) -> None:
        require_back(card, "a card without an explanation")
        require_answer(card, self.name)

    def expected(self, answer: str | None, extra: Mapping[str, Any]) -> Expected | None:
        from studyattn.packs.answers import ExpectedText

        del extra
        return None if answer is None else ExpectedText(self.accepted(answer))

    def accepted(self, answer: str) -> tuple[str, ...]:
        return tuple(part.strip() for part in answer.split("|"))
