"""`bug`: a short program with one mistake, and what it prints; the learner finds the mistake."""

from __future__ import annotations

from typing import ClassVar

from studyattn.packs.card_kinds.kind import CardKind


class BugKind(CardKind):
    """A faulty program as the question. Read from a file of its own (`studyattn.packs.bugs`)."""

    name: ClassVar[str] = "bug"
    usual_seconds: ClassVar[float] = 30.0
    in_concepts: ClassVar[bool] = False
    offers_examples: ClassVar[bool] = False
