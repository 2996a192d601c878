"""`basic`: a question, and an answer that the learner recalls and rates."""

from __future__ import annotations

from typing import ClassVar

from studyattn.packs.card_kinds.kind import CardKind, WrittenCard, require_back


class BasicKind(CardKind):
    """A question and an answer; `.reversed` also asks them the other way round."""

    name: ClassVar[str] = "basic"
    reversible: ClassVar[bool] = True

    def check(self, card: WrittenCard) -> None:
        require_back(card, "a card without an answer")
