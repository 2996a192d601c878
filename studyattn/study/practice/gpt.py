"""The learner's own GPT: a training, and the models that are kept in the home.

Any misconception about attention can be put in its place for one training, beside the right one.
What computes is a worker (`running`); nothing here imports torch.
"""

from __future__ import annotations

import dataclasses
import errno
import math
import os
import re
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from studyattn.disk import replace_file, unwritable
from studyattn.errors import InputError, NotFoundError
from studyattn.home import Home
from studyattn.lm import questions
from studyattn.lm.process import ModelServer, StoppedError
from studyattn.lm.records import CacheCheck, Sample, Sizes, TrainingProgress
from studyattn.study.practice.model_parts import (
    OF_GPT,
    ModelMistake,
    ModelPart,
    OwnParts,
    find_mistake,
    read_weights,
    summary,
    weights_file,
)
from studyattn.study.practice.running import RunningModel, SideBySide
from studyattn.text.characters import writable

SECONDS: Final = 60.0
"""Seconds of training where neither seconds nor steps are given."""

NAME: Final = "gpt"
"""The name of a right model that is given none; a mistaken one has that of its mistake."""

TOPICS: Final = "pydoc_data.topics"
"""The default text: what Python's own `help()` says of the language, part of every CPython."""

SHORTEST_TEXT: Final = 4000
LONGEST_TEXT: Final = 32 * 1024 * 1024
"""Bytes of a text to train on."""

MOST_CHARACTERS: Final = 20_000
"""Different characters of a text: each needs a row of weights and a score."""

_TOLD: Final = 0.5
"""Seconds from one progress to the next."""

_SAVED: Final = 10.0
"""Seconds from one checkpoint to the next."""

_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")  # 60 characters at most


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class TrainedModel:
    """A model and its training so far. Losses are on held-out text, in nats per character.

    Attributes:
        text: what it is trained on: a file's path, or the name of the default text.
        mistake: the misconception that its attention makes.
        curve: steps and validation losses; a loss is None where it was no number.
        cache: whether its cached attention says what the plain one does, once that was checked.
    """

    name: str
    text: str
    mistake: str | None
    title: str
    """The mistake as a sentence, or nothing."""
    parts: tuple[ModelPart, ...]
    parameters: int
    steps: int = 0
    seconds: float = 0.0
    tokens_per_second: float = 0.0
    loss: float | None = None
    curve: tuple[tuple[int, float | None], ...] = ()
    samples: tuple[Sample, ...] = ()
    cache: CacheCheck | None = None

    @property
    def first_loss(self) -> float | None:
        return self.curve[0][1] if self.curve else None

    @property
    def validation_loss(self) -> float | None:
        return self.curve[-1][1] if self.curve else None

    @property
    def head(self) -> str:
        """One line: what makes it up, and what it is trained on."""
        return f"{self.parameters:,} parameters · {summary(self.parts)} · {on_a_line(self.text)}"

    @property
    def sample(self) -> str:
        """The last text that it wrote."""
        return self.samples[-1].text if self.samples else ""

    def after(self, progress: TrainingProgress, seconds: float) -> TrainedModel:
        """Return it after a further progress, `seconds` of training in all."""
        return dataclasses.replace(
            self,
            steps=progress.step,
            seconds=seconds,
            tokens_per_second=progress.tokens_per_second or self.tokens_per_second,
            loss=progress.loss,
            curve=self.curve + progress.curve,
            samples=self.samples + progress.samples,
        )


def number(loss: float | None) -> str:
    """Write a loss."""
    return "no number" if loss is None else f"{loss:.3f}"


def on_a_line(text: str) -> str:
    """Return a text on one line, without the characters that control a terminal."""
    words = " ".join(text.split())
    return "".join(each for each in words if each.isprintable())


def trained_models(home: Home) -> list[TrainedModel]:
    """Return the models in the home, by name."""
    found = (_read(path) for path in sorted(home.models.glob("*.json")))
    return [model for model in found if model is not None]


def find_model(home: Home, name: str) -> TrainedModel:
    """Return the model of this name. Raises NotFoundError if there is none."""
    model = _read(home.models / f"{checked_name(name)}.json")
    if model is None:
        raise NotFoundError(
            f"there is no model {name!r} here",
            advice="`studyattn gpt train` trains one, `studyattn gpt list` lists all.",
        )
    return model


def checked_name(name: str) -> str:
    """Return the name of a model. Raises InputError for one that can be no file's."""
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{name!r} is not a valid model name",
            advice="Use lowercase letters, digits and hyphens.",
        )
    return name


def _read(path: Path) -> TrainedModel | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=TrainedModel)
    except (OSError, msgspec.MsgspecError):
        return None


def _check_writable(home: Home) -> None:
    """Raise InputError if no model could be kept: that is told before a training, not after it."""
    try:
        home.models.mkdir(parents=True, exist_ok=True)
        if not os.access(home.models, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    except OSError as error:
        raise _unwritable(home, error) from error


def _unwritable(home: Home, error: OSError) -> InputError:
    return unwritable("the model", error, home.models, "Make the folder writable and try again.")


def _save(home: Home, model: TrainedModel, checkpoint: bytes, *, first: bool) -> None:
    """Keep a model: its weights, then what is known of it. Raises InputError if that fails.

    The `first` time, an earlier model of its name is kept as NAME-before: it may have taken hours.
    """
    try:
        earlier = _read(home.models / f"{model.name}.json") if first else None
        if earlier is not None:
            kept = dataclasses.replace(earlier, name=f"{model.name[:53]}-before")
            _save(home, kept, weights_file(home, model.name).read_bytes(), first=False)
        replace_file(weights_file(home, model.name), checkpoint)
        replace_file(home.models / f"{model.name}.json", msgspec.json.encode(model))
    except OSError as error:
        raise _unwritable(home, error) from error


# ── texts ────────────────────────────────────────────────────────────────────────────────────────


def text_of(file: Path | None) -> tuple[str, str]:
    """Return the title of a text to train on, and the text: a file's, or the default one."""
    return (TOPICS, default_text()) if file is None else (str(file), read_text(file))


def default_text() -> str:
    """Return the text of `pydoc_data.topics`."""
    from pydoc_data.topics import topics  # late: it is half a megabyte

    return "\n".join(topics.values())


def read_text(path: Path) -> str:
    """Return the text of a file. Raises InputError if it cannot be read or is no text to use."""
    where = str(path)
    try:
        with path.open("rb") as file:
            content = file.read(LONGEST_TEXT + 1)  # a device may never end
        if len(content) > LONGEST_TEXT:
            most = LONGEST_TEXT >> 20
            raise InputError(f"it has more than {most} MiB, too much for a text", where=where)
        text = content.decode("utf-8-sig")
    except OSError as error:
        raise NotFoundError(f"it cannot be read ({error.strerror})", where=where) from error
    except UnicodeDecodeError as error:
        raise InputError("it is not UTF-8 text", where=where) from error
    if len(text) < SHORTEST_TEXT:
        raise InputError(
            f"it has {len(text)} characters, but a model needs {SHORTEST_TEXT:,} to learn from",
            where=where,
            advice="Use a longer text, such as a book or a year of notes.",
        )
    different = len(set(text))
    if different > MOST_CHARACTERS:
        raise InputError(
            f"it has {different:,} different characters; a model has at most {MOST_CHARACTERS:,}",
            where=where,
        )
    return text


# ── training ─────────────────────────────────────────────────────────────────────────────────────


class Until(NamedTuple):
    """The end of a training: after seconds, or at a step; the earlier of both."""

    seconds: float | None = SECONDS
    steps: int | None = None

    def is_later(self, steps: int, seconds: float) -> bool:
        """Return whether a training that is so far goes on."""
        of_time = self.seconds is None or seconds < self.seconds
        return of_time and (self.steps is None or steps < self.steps)


class Trainings(SideBySide):
    """One training, or several side by side that take turns: the same seed, other attention."""

    def __init__(
        self,
        server: ModelServer,
        home: Home,
        own: OwnParts,
        text: tuple[str, str],
        attentions: Sequence[ModelMistake | None],
        *,
        name: str | None = None,
        sizes: Sizes | None = None,
        seed: int = 0,
    ) -> None:
        """Nothing is started yet.

        Args:
            server: starts the workers.
            text: its title and itself.
            attentions: a mistake, or None for the right attention, of each model.
            name: of the first model.

        Raises InputError for a name that cannot be a model's.
        """
        wanted = [own._replace(mistake=each) for each in attentions]
        models = (RunningModel(server, home, each, sizes=sizes, seed=seed) for each in wanted)
        super().__init__(server, models)
        self._names = {each: each.wrong or NAME for each in wanted}
        if name is not None:
            self._names[wanted[0]] = checked_name(name)
            if len(set(self._names.values())) < len(wanted):
                raise InputError(
                    f"both models would be named {name!r}", advice="Choose another --name."
                )
        self._home = home
        self._title, self._text = writable(text[0]), text[1]
        self._ended = threading.Event()

    def end(self) -> None:
        """Have the trainings end after the present step, from any thread; they are kept."""
        self._ended.set()

    def run(
        self, until: Until, told: Callable[[tuple[TrainedModel, ...]], None]
    ) -> tuple[TrainedModel, ...]:
        """Train until the end and return the models as they are kept.

        `told` is called with all models about twice a second. Raises ModelPartError for a part
        that cannot be used, InputError if a model cannot be kept, GradingError without a worker,
        and StoppedError after `stop`, or after `end` before the first step: what was kept last
        stays.
        """
        _check_writable(self._home)
        return self.take_turns(partial(self._train, until), told)

    def _train(self, until: Until, running: RunningModel) -> Iterator[TrainedModel]:
        """Yield a model each moment of its training, and at the end as it is kept."""
        wanted, seconds, saved_at = running.wanted, 0.0, 0.0
        name, parameters = self._names[wanted], running.ask(questions.BEGIN, text=self._text)
        model = TrainedModel(
            name, self._title, wanted.wrong, wanted.title, wanted.parts, parameters
        )
        while not self._ended.is_set() and until.is_later(model.steps, seconds):
            began, left = time.monotonic(), (until.seconds or math.inf) - seconds
            limits = {"seconds": min(_TOLD, left), "most": until.steps}
            progress = running.ask(questions.ADVANCE, **limits)
            seconds += time.monotonic() - began
            model = model.after(progress, seconds)
            if seconds - saved_at >= _SAVED:
                _save(self._home, model, running.ask(questions.CHECKPOINT), first=not saved_at)
                saved_at = seconds
            yield model
        if not model.steps:
            raise StoppedError  # nothing that is kept is replaced by what was not trained
        model = model.after(running.ask(questions.FINISH), seconds)
        model = dataclasses.replace(model, cache=running.ask(questions.CHECK_CACHE))
        _save(self._home, model, running.ask(questions.CHECKPOINT), first=not saved_at)
        yield model


# ── writing ──────────────────────────────────────────────────────────────────────────────────────


def writing_model(
    server: ModelServer,
    home: Home,
    own: OwnParts,
    model: TrainedModel,
    mistake: ModelMistake | None = None,
) -> RunningModel:
    """Return a trained model that writes on, character by character through the cached attention.

    The learner's `generate` chooses the characters once that has passed. With a `mistake`
    (`OF_WRITING`), the writing makes it. Raises InputError where the model was trained with a
    mistake already, NotFoundError if its weights cannot be read.
    """
    label = model.name if mistake is None else mistake.id
    if model.mistake is not None:
        if mistake is not None:
            raise InputError(
                f"the model {model.name!r} was already trained with a mistake: {model.mistake}",
                advice="Name a model without one with --name.",
            )
        mistake = find_mistake(home, model.mistake, OF_GPT)
    saved = read_weights(home, model.name)
    return RunningModel(server, home, own._replace(mistake=mistake), saved=saved, label=label)
