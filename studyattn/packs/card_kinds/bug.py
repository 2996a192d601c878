"""`bug`: a short program with one mistake, and what it prints; the learner finds the mistake."""

from __future__ import annotations

from hashlib import sha256
from typing import ClassVar

from studyattn.errors import PackError
from studyattn.packs.card_kinds.kind import AskedCard, CardKind, CardTexts, ReviewContext


class BugKind(CardKind):
    """A faulty program as the question. Read from a file of its own (`studyattn.packs.bugs`)."""

    name: ClassVar[str] = "bug"
    usual_seconds: ClassVar[float] = 30.0
    in_concepts: ClassVar[bool] = False
    offers_examples: ClassVar[bool] = False

    def front(self, question: str, program: str, output: str) -> str:
        """Return the question with the program as well, so that it makes sense anywhere."""
        return f"{question}{_PROGRAM}{program.rstrip()}{_OUTPUT}{output.rstrip()}{_END}"

    def ask(self, card: CardTexts, context: ReviewContext) -> AskedCard:
        """Return the bug in a program that is drawn for this review.

        As it is kept where its pack cannot draw it, and where the learner has edited it.
        """
        from studyattn.packs.bug_drawing import FaultyProgram, draw

        as_kept = AskedCard(card.front, card.back)
        if context.reviews == 0 or card.extra.get("written") != written(card.front, card.back):
            return as_kept
        (example,) = card.extra["examples"]
        question, _, shown = card.front.partition(_PROGRAM)
        bug = FaultyProgram(
            question=question,
            program=shown.partition(_OUTPUT)[0],
            source=example["source"].rstrip(),
            output=example["output"],
            answer=card.back,
            sizes=tuple(card.extra.get("sizes", ())),
            drill=card.extra["drill"],
        )
        try:
            drawn = draw(bug, context.pack_folder(), context.guid, context.reviews)
        except PackError:
            return as_kept
        front = self.front(drawn.question, drawn.program, drawn.output)
        run = {**example, "source": drawn.source, "output": drawn.output, "title": drawn.question}
        return AskedCard(front, drawn.answer, examples=(run,))


_PROGRAM = "\n\n```python\n"
_OUTPUT = "\n```\n\n```text\n"
_END = "\n```"


def written(front: str, back: str) -> str:
    """Return a digest of what the author wrote, by which an edited card is known."""
    return sha256(f"{front}\n{back}".encode()).hexdigest()[:16]
