"""The measurements in a real model for a concept: `runs.json` of a pack.

Each run says what is asked of the model and what it answered when it was recorded. Asking again is
left to `study.practice.model_runs`; `studyattn model runs` does it, and writes the file.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, ClassVar, Final

import msgspec

from studyattn.errors import PackError
from studyattn.home import Home
from studyattn.packs.locate import installed_packs

FILE: Final = "runs.json"

_PLACE = re.compile(r"\d+\.\d+")

_CITED = re.compile(r"`studyattn model runs ([a-z0-9- ]+)`")

_NUMBERS = re.compile(r"\[[-\s\d.,]+\]")
"""A list of numbers in JSON, which goes on one line."""


class _Asked(msgspec.Struct, frozen=True, tag=str.lower, forbid_unknown_fields=True):
    """A question to a model. `ANSWER` names the field that is empty until it was measured."""

    ANSWER: ClassVar[str]

    @property
    def is_answered(self) -> bool:
        """True once it was measured."""
        return bool(getattr(self, self.ANSWER))


class Compared(_Asked, frozen=True):
    """The likeness of a word in several sentences.

    `cosines` has, for each two of the sentences (`pairs`), the cosine of the word's last token from
    the embedding up, layer by layer.
    """

    ANSWER = "cosines"

    word: str
    texts: tuple[str, ...]
    cosines: tuple[tuple[float, ...], ...] = ()

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Each two of the sentences, in order."""
        return tuple(itertools.combinations(self.texts, 2))

    @property
    def command(self) -> str:
        """The command that measures the first two sentences."""
        return f'studyattn model compare "{self.texts[0]}" "{self.texts[1]}" --word {self.word}'


class Said(_Asked, frozen=True):
    """The text of a model, with a mistake in the attention of all layers or with none.

    The likeliest token each time, without the cache; `perplexity` of the text that `model score`
    takes.
    """

    ANSWER = "text"

    prompt: str
    tokens: int
    mistake: str | None = None
    text: str = ""
    perplexity: float | None = None

    @property
    def command(self) -> str:
        options = f"--tokens {self.tokens} --no-cache --with {self.mistake or 'reference'}"
        return f'studyattn model say "{self.prompt}" {options}'


class HeadCount(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The number of heads of a kind, and the one that is most of all, as `layer.head`."""

    kind: str
    heads: int
    best: str
    weight: float


class Sorted(_Asked, frozen=True):
    """The numbers of heads by kind on a text."""

    ANSWER = "kinds"

    text: str
    kinds: tuple[HeadCount, ...] = ()

    @property
    def command(self) -> str:
        return f"studyattn model heads '{self.text}'"


class LayerGuess(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The likeliest next token after a layer, and its probability."""

    text: str
    probability: float


class Guessed(_Asked, frozen=True):
    """The likeliest next token after each layer, from the embedding up."""

    ANSWER = "guesses"

    text: str
    guesses: tuple[LayerGuess, ...] = ()

    @property
    def command(self) -> str:
        return f'studyattn model guess "{self.text}"'


class Next(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A next token, its probability, and that without the head."""

    text: str
    before: float
    after: float


class Ablated(_Asked, frozen=True):
    """The next token, with a head (`layer.head`) and with nothing from it."""

    ANSWER = "shares"

    text: str
    head: Annotated[str, msgspec.Meta(pattern=r"^\d+\.\d+$")]
    shares: tuple[Next, ...] = ()

    @property
    def command(self) -> str:
        return f'studyattn model head {self.head} "{self.text}" --off'


Asked = Compared | Said | Sorted | Guessed | Ablated


class ModelRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run.

    Attributes:
        id: by which it is asked for.
        concept: on whose page it is shown.
        title: what it is about.
        shows: what the figures say, in Markdown.
        asked: what is asked of the model, with its recorded answer.
    """

    id: str
    concept: str
    title: str
    shows: str
    asked: Asked


class RecordedRuns(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The runs of a pack, and the model of which they were recorded, by its name."""

    model: str
    runs: tuple[ModelRun, ...]


def read_runs(folder: Path) -> RecordedRuns | None:
    """Return the runs of the pack in a folder; None where it has none. Raises PackError."""
    file = folder / FILE
    try:
        return msgspec.json.decode(file.read_bytes(), type=RecordedRuns)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.MsgspecError) as error:
        raise PackError(f"cannot be read: {error}", where=str(file)) from error


def write_runs(folder: Path, recorded: RecordedRuns) -> None:
    """Write the runs of the pack in a folder, as people read them."""
    text = msgspec.json.format(msgspec.json.encode(recorded), indent=1).decode()
    text = _NUMBERS.sub(lambda found: " ".join(found[0].split()), text)
    (folder / FILE).write_text(text + "\n", encoding="utf-8")


def cited_runs(text: str) -> frozenset[str]:
    """Return the ids of the runs that a text names with the command that measures them."""
    return frozenset(name for found in _CITED.finditer(text) for name in found[1].split())


def figures_of(run: ModelRun) -> list[float]:
    """Return all numbers that a run was recorded with; a head's place, as `18.6`, is one too."""
    return list(_figures(msgspec.to_builtins(run.asked)))


def _figures(value: object) -> Iterator[float]:
    match value:
        case dict():
            for each in value.values():
                yield from _figures(each)
        case list() | tuple():
            for each in value:
                yield from _figures(each)
        case int() | float():
            yield float(value)
        case str() if _PLACE.fullmatch(value):
            yield float(value)


def installed_runs(home: Home) -> tuple[ModelRun, ...]:
    """Return the runs of all installed packs; a file that cannot be read is left out."""
    found: list[ModelRun] = []
    for folder in installed_packs(home):
        try:
            recorded = read_runs(folder)
        except PackError:
            continue
        found += recorded.runs if recorded is not None else ()
    return tuple(found)
