"""The kinds of cards: how each is written, asked, answered, compared and exported.

All that a kind decides is in its class; every other room asks the class. `CardKind` holds what is
true of most kinds, so that a kind states only where it differs. A new kind is a subclass here and
a name in `KINDS`, by which the database, the exported files and a pack's headings know it. Nothing
here knows a database, a file or a screen.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol

from studyattn.errors import PackError

if TYPE_CHECKING:
    from studyattn.packs.answers import AnswerComparison, Expected


class WrittenCard(NamedTuple):
    """A card as a concept's file has it, before its kind has judged it."""

    front: str
    """The heading's Markdown."""
    back: str
    """The Markdown below the heading, without its runnable examples."""
    values: Mapping[str, str]
    """The heading's `key=value` pairs that belong to the kind."""
    where: str
    """`file:line`, for errors."""


class CardTexts(Protocol):
    """The texts of one card as the database keeps them."""

    @property
    def front(self) -> str:
        """The question's Markdown, cloze marks included."""

    @property
    def back(self) -> str:
        """The answer's Markdown."""

    @property
    def answer(self) -> str | None:
        """The text that a typed answer is compared with, as its author wrote it."""

    @property
    def extra(self) -> Mapping[str, Any]:
        """Values that only some kinds have: a cloze's `group`, a number's `tolerance`."""


class ReviewContext(NamedTuple):
    """The surroundings in which a card is asked, besides its texts."""

    guid: str
    reviews: int
    """How often the card was answered before."""
    pack_folder: Callable[[], Path]
    """Returns the folder of the card's pack. Raises PackError when it is not installed."""


class AskedCard(NamedTuple):
    """A card made ready for one review. Both sides are Markdown."""

    front: str
    back: str
    expected: Expected | None = None
    """What a typed answer is compared with; None when the learner only recalls."""
    examples: tuple[Mapping[str, str], ...] | None = None
    """What can be run, where it is not what the database keeps."""


class CardKind:
    """A kind of card."""

    name: ClassVar[str]
    """In a heading's `{.name}`, in the database, and in exported files."""

    usual_seconds: ClassVar[float] = 12.0
    """What one answer takes until the learner's own pace is known. An assumption."""

    heading_keys: ClassVar[frozenset[str]] = frozenset()
    """The keys that its heading may have besides those of every card."""

    in_concepts: ClassVar[bool] = True
    """The card is a heading in a concept's file."""

    reversible: ClassVar[bool] = False
    """Question and answer may be exchanged, which gives a second item."""

    explained: ClassVar[bool] = False
    """It is answered at length and rated by the key points that its back lists."""

    drawn: ClassVar[bool] = False
    """Its question is made anew for each review, so no other program can hold it."""

    gaps: ClassVar[bool] = False
    """Its text has gaps; each group of gaps is an item."""

    answer_replaces_question: ClassVar[bool] = False
    """The answer repeats the question, so it is shown in the question's place."""

    back_states_answer: ClassVar[bool] = False
    """The back begins with the expected answer, which need not be shown beside it."""

    offers_examples: ClassVar[bool] = True
    """The answer offers the card's examples; otherwise the question shows them already."""

    reader_note: ClassVar[str] = ""
    """What is said beside the card on a page where nobody can answer it."""

    # ── written ──────────────────────────────────────────────────────────────────────────────────

    def check(self, card: WrittenCard) -> None:
        """Raise PackError when the card lacks what its kind cannot do without."""

    def answer(self, card: WrittenCard) -> str | None:
        """Return what a typed answer is compared with."""
        return card.values.get("answer")

    def back(self, card: WrittenCard) -> str:
        """Return the answer's Markdown."""
        return card.back

    def extra_values(self, card: WrittenCard) -> Mapping[str, Any]:
        """Return what the database keeps besides question, answer and what every card has."""
        own = self.heading_keys - {"answer"}
        return {key: card.values[key] for key in sorted(own) if key in card.values}

    def groups(self, card: WrittenCard) -> tuple[int, ...]:
        """Return the numbers of the items that the card becomes, from 1 on. Raises PackError."""
        del card
        return (1,)

    def group_extra(self, group: int) -> Mapping[str, Any]:
        """Return what the database keeps of one of the groups."""
        del group
        return {}

    # ── asked and answered ───────────────────────────────────────────────────────────────────────

    def ask(self, card: CardTexts, context: ReviewContext) -> AskedCard:
        """Return question and answer for one review.

        Whatever goes wrong is said on the card itself, so that a session continues behind it.
        """
        del context
        return AskedCard(card.front, card.back, self.expected(card.answer, card.extra))

    def expected(self, answer: str | None, extra: Mapping[str, Any]) -> Expected | None:
        """Return what a typed answer is compared with; None when nothing is typed."""
        del answer, extra
        return None

    def compare(self, expected: Expected, given: str) -> AnswerComparison:
        """Return the learner's typed answer beside the expected one."""
        from studyattn.packs.answers import compare

        return compare(expected, given)

    # ── read without answering ───────────────────────────────────────────────────────────────────

    def revealed(self, card: CardTexts) -> tuple[str, ...]:
        """Return the Markdown passages on the screen once the answer is shown."""
        return (card.front, card.back)

    def accepted(self, answer: str) -> tuple[str, ...]:
        """Return every spelling that `answer` accepts, the usual one first."""
        return (answer,)


def require_back(card: WrittenCard, message: str) -> None:
    """Raise PackError with `message` when nothing is written below the heading."""
    if not card.back.strip():
        raise PackError(message, where=card.where, advice="Write it below the heading")


def require_answer(card: WrittenCard, kind: str) -> str:
    """Return the heading's `answer`. Raises PackError when there is none."""
    answer = card.values.get("answer", "")
    if not answer.strip():
        raise PackError(f'a {kind} card needs answer="…" in its heading', where=card.where)
    return answer


class BasicKind(CardKind):
    """A question and an answer; `.reversed` also asks them the other way round."""

    name = "basic"
    reversible = True

    def check(self, card: WrittenCard) -> None:
        require_back(card, "a card without an answer")


class ClozeKind(CardKind):
    """Gaps in the heading, in the text below it, or in both; a text without gaps explains."""

    name = "cloze"
    usual_seconds = 9.0
    gaps = True
    answer_replaces_question = True

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


class TypedKind(CardKind):
    """`answer="one|other"` in the heading, and below it why."""

    name = "typed"
    heading_keys = frozenset({"answer"})

    def check(self, card: WrittenCard) -> None:
        require_back(card, "a card without an explanation")
        require_answer(card, self.name)

    def expected(self, answer: str | None, extra: Mapping[str, Any]) -> Expected | None:
        from studyattn.packs.answers import ExpectedText

        del extra
        return None if answer is None else ExpectedText(self.accepted(answer))

    def accepted(self, answer: str) -> tuple[str, ...]:
        return tuple(part.strip() for part in answer.split("|"))


_SLIP: Final = re.compile(r"^- Not `([^`]+)`: +(\S.*)$\n?", re.MULTILINE)


class NumericKind(CardKind):
    """`answer=0.25 tolerance=1% unit=MB` in the heading, and below it why.

    Lines at its end say which slip gives a wrong number: `- Not `1 - 0.9`: this is the divisor`.
    """

    name = "numeric"
    usual_seconds = 20.0
    heading_keys = frozenset({"answer", "tolerance", "unit"})

    def check(self, card: WrittenCard) -> None:
        from studyattn.packs.answers import compare, expected_number, read_number, read_tolerance
        from studyattn.packs.numbers import calculated

        require_back(card, "a card without an explanation")
        answer = require_answer(card, self.name)
        if read_number(answer) is None:
            raise PackError(f"{answer!r} is not a number", where=card.where)
        tolerance = card.values.get("tolerance")
        if tolerance is not None and read_tolerance(tolerance) is None:
            raise PackError(
                f"{tolerance!r} is not a tolerance", where=card.where, advice="Write 0.005 or 1%"
            )
        for wrong, said in _SLIP.findall(card.back):
            value = calculated(wrong)
            if value is None:
                raise PackError(
                    f"{wrong!r} cannot be calculated",
                    where=card.where,
                    advice="Write numbers, + - * / **, e and sqrt()",
                )
            expected = expected_number(answer, {**card.values, "slips": [(said, value)]})
            if expected is None or not compare(expected, repr(value)).note == said:
                raise PackError(f"{wrong} is accepted as an answer", where=card.where)

    def back(self, card: WrittenCard) -> str:
        return _SLIP.sub("", card.back).rstrip()

    def extra_values(self, card: WrittenCard) -> Mapping[str, Any]:
        from studyattn.packs.numbers import calculated

        slips = [[said, calculated(wrong)] for wrong, said in _SLIP.findall(card.back)]
        return {**super().extra_values(card), **({"slips": slips} if slips else {})}

    def expected(self, answer: str | None, extra: Mapping[str, Any]) -> Expected | None:
        from studyattn.packs.answers import expected_number

        return None if answer is None else expected_number(answer, extra)


class ComputedKind(CardKind):
    """A card that the function named by `by=` draws (see `studyattn.packs.computed`)."""

    name = "computed"
    usual_seconds = 30.0
    heading_keys = frozenset({"by"})
    drawn = True
    back_states_answer = True
    reader_note = "asked with fresh numbers every time"

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


class BugKind(CardKind):
    """A faulty program as the question. Read from a file of its own (`studyattn.packs.bugs`)."""

    name = "bug"
    usual_seconds = 30.0
    in_concepts = False
    offers_examples = False

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
    from hashlib import sha256  # late: a start waits

    return sha256(f"{front}\n{back}".encode()).hexdigest()[:16]


class ExplainKind(CardKind):
    """The answer is a list of key points, of which the learner ticks those that were said.

    Made of a concept's `## Key points` (`Pack.explanations`); the share ticked gives the rating
    (`study.concepts.explaining`).
    """

    name = "explain"
    usual_seconds = 90.0
    in_concepts = False
    explained = True
    reader_note = "explained in your own words, then compared with these points"


BASIC: Final = BasicKind()
CLOZE: Final = ClozeKind()
TYPED: Final = TypedKind()
NUMERIC: Final = NumericKind()
COMPUTED: Final = ComputedKind()
BUG: Final = BugKind()
EXPLAIN: Final = ExplainKind()

KINDS: Final[dict[str, CardKind]] = {
    kind.name: kind for kind in (BASIC, CLOZE, TYPED, NUMERIC, COMPUTED, BUG, EXPLAIN)
}
"""Every kind by its name, in the order in which messages list them."""


def kind_named(name: str | None) -> CardKind:
    """Return the kind with this name.

    A name that this version does not know, as a newer one may have written it, gives the basic
    kind: question and answer can be shown all the same.
    """
    return KINDS.get(name or BASIC.name, BASIC)
