"""What every kind of card decides: how it is written, asked, answered, compared and exported.

The class attributes and methods of `CardKind` hold what is true of most kinds, so that a kind
states only where it differs. Nothing here knows a database, a file or a screen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from studyattn.errors import PackError

if TYPE_CHECKING:
    from studyattn.packs.answers import AnswerComparison, Expected


@dataclass(frozen=True, slots=True)
class WrittenCard:
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


@dataclass(frozen=True, slots=True)
class ReviewContext:
    """The surroundings in which a card is asked, besides its texts."""

    guid: str
    reviews: int
    """How often the card was answered before."""
    pack_folder: Callable[[], Path]
    """Returns the folder of the card's pack. Raises PackError when it is not installed."""


@dataclass(frozen=True, slots=True)
class AskedCard:
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
