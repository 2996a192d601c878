"""`explain`: a concept in the learner's own words, judged by the key points that it has."""

from __future__ import annotations

from typing import ClassVar

from studyattn.packs.card_kinds.kind import CardKind


class ExplainKind(CardKind):
    """The answer is a list of key points, of which the learner ticks those that were said.

    Made of a concept's `## Key points` (`Pack.explanations`); the share ticked gives the rating
    (`study.concepts.explaining`).
    """

    name: ClassVar[str] = "explain"
    usual_seconds: ClassVar[float] = 90.0
    in_concepts: ClassVar[bool] = False
    explained: ClassVar[bool] = True
    reader_note: ClassVar[str] = "explained in your own words, then compared with these points"
