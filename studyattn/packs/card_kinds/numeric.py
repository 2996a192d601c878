"""`numeric`: the learner types a number, which may be off by a tolerance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from studyattn.errors import PackError
from studyattn.packs.card_kinds.kind import CardKind, WrittenCard, require_answer, require_back

if TYPE_CHECKING:
    from studyattn.packs.answers import Expected


class NumericKind(CardKind):
    """`answer=0.25 tolerance=1% unit=MB` in the heading, and below it why."""

    name: ClassVar[str] = "numeric"
    usual_seconds: ClassVar[float] = 20.0
    heading_keys: ClassVar[frozenset[str]] = frozenset({"answer", "tolerance", "unit"})

    def check(self, card: WrittenCard) -> None:
        from studyattn.packs.answers import read_number, read_tolerance

        require_back(card, "a card without an explanation")
        answer = require_answer(card, self.name)
        if read_number(answer) is None:
            raise PackError(f"{answer!r} is not a number", where=card.where)
        tolerance = card.values.get("tolerance")
        if tolerance is not None and read_tolerance(tolerance) is None:
            raise PackError(
                f"{tolerance!r} is not a tolerance", where=card.where, advice="Write 0.005 or 1%"
            )

    def expected(self, answer: str | None, extra: Mapping[str, Any]) -> Expected | None:
        from studyattn.packs.answers import expected_number

        return None if answer is None else expected_number(answer, extra)
