"""`computed`: fresh numbers for each review, answered by a function of the pack."""

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


class ComputedKind(CardKind):
    """A card that the function named by `by=` draws (see `studyattn.packs.computed`)."""

    name: ClassVar[str] = "computed"
    usual_seconds: ClassVar[float] = 30.0
    heading_keys: ClassVar[frozenset[str]] = frozenset({"by"})
    drawn: ClassVar[bool] = True
    back_states_answer: ClassVar[bool] = True
    reader_note: ClassVar[str] = "asked with fresh numbers every time"

    def check(self, card: WrittenCard) -> None:
        parts = card.values.get("by", "").split(".")  # `function`, or `module.function`
        if len(parts) > 2 or not all(part.isidentifier() for part in parts):
            raise PackError(
                "a computed card needs by=function_name in its heading", where=card.where
            )

    def extra_values(self, card: WrittenCard) -> Mapping[str, Any]:
        return {"function": card.values["by"]}

    def ask(self, card: CardTexts, context: ReviewContext) -> AskedCard:
        from studyattn.packs.computed import draw

        try:
            function = str(card.extra.get("function"))
            drawn = draw(context.pack_folder(), function, context.guid, context.reviews)
        except PackError as error:
            return AskedCard(card.front, f"This card cannot be computed: {error}")
        expected = drawn.expected()
        parts = (f"**{expected.shown}**", drawn.explanation, card.back)
        back = "\n\n".join(part for part in parts if part.strip())
        return AskedCard(drawn.question, back, expected)
