"""The learner's own GPT: its parts, a training, and the models that are kept in the home.

A model's attention is the learner's passed code; what has not passed in torch is lent by the pack.
Any misconception about attention can be put in its place for one training, beside the right one.
What computes is a worker (`lm.process`); nothing here imports torch.
"""

from __future__ import annotations

import dataclasses
import errno
import os
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

import msgspec

from studyattn.disk import full_disk, is_full, reason, replace_file
from studyattn.errors import GradingError, InputError, ModelPartError, NotFoundError
from studyattn.lm.asking import StoppedError
from studyattn.lm.parts import ATTENTION_PARTS, BLOCK, COMPOSED, DRILLS, PLAIN
from studyattn.lm.process import ALL_DRILLS, ModelProcess
from studyattn.lm.records import CacheCheck, ModelOrder, Progress, Sizes
from studyattn.study.practice.mine import MyPackage, my_package
from studyattn.study.practice.model_mistakes import ModelMistake
from studyattn.study.practice.part_grading import PartGrader
from studyattn.text.characters import writable

if TYPE_CHECKING:
    from studyattn.grading.run.runner import Runner
    from studyattn.home import Home
    from studyattn.study.profile import Profile

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


# ── parts ────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A part of a model and where it comes from: `yours`, `lent`, `torch` or `mistaken`."""

    entry: str
    drill: str | None
    origin: str
    passed_on: date | None = None


@dataclass(frozen=True, slots=True)
class OwnParts:
    """The learner's package in torch, with what is lent, as parts of a model."""

    package: MyPackage
    parts: tuple[ModelPart, ...]

    def with_mistake(self, mistake: ModelMistake | None) -> tuple[ModelPart, ...]:
        """Return the parts of a model that makes a mistake, or none.

        With a mistaken attention, or a mistaken block, the program puts the blocks together.
        """
        if mistake is None:
            return self.parts
        origins = dict.fromkeys(mistake.parts, "mistaken")
        if origins.keys() & set(ATTENTION_PARTS):
            origins[BLOCK] = "torch"
        return tuple(
            ModelPart(part.entry, part.drill, origins[part.entry])
            if part.entry in origins
            else part
            for part in self.parts
        )


def own_parts(
    profile: Profile,
    drills: Mapping[str, str] = DRILLS,
    plain: Sequence[str] = PLAIN,
    composed: Mapping[str, str] = COMPOSED,
) -> OwnParts:
    """Return the parts of a model as they are now, with those that no drill asks for.

    What of `drills`, by entry, has not passed is lent; of `composed`, the program does it.
    """
    package = my_package(profile, "torch", lend=drills.values())
    modules = {module.drill: module for module in package.modules}
    parts = []
    for entry, drill in drills.items():
        passed_on = modules[drill].passed_on
        origin = "lent" if passed_on is None else "yours"
        parts.append(ModelPart(entry, drill, origin, passed_on))
    for entry, drill in composed.items():
        own = modules.get(drill)
        parts.append(
            ModelPart(entry, drill, "torch")
            if own is None
            else ModelPart(entry, drill, "yours", own.passed_on)
        )
    return OwnParts(package, (*parts, *(ModelPart(entry, None, "torch") for entry in plain)))


def summary(parts: Sequence[ModelPart]) -> str:
    """Return how many of the parts are whose: `2 parts yours, 8 of torch`."""
    words = {"yours": "yours", "lent": "lent", "mistaken": "with the mistake", "torch": "of torch"}
    counts = {word: sum(part.origin == origin for part in parts) for origin, word in words.items()}
    first, *rest = ((number, word) for word, number in counts.items() if number)
    begun = f"{first[0]} part{'' if first[0] == 1 else 's'} {first[1]}"
    return ", ".join([begun, *(f"{number} {word}" for number, word in rest)])


# ── what is kept ─────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Sample:
    """Text that a model wrote after so many steps."""

    step: int
    text: str


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
    def sample(self) -> str:
        """The last text that it wrote."""
        return self.samples[-1].text if self.samples else ""

    def after(self, progress: Progress, seconds: float) -> TrainedModel:
        """Return it after a further progress, `seconds` of training in all."""
        curve, samples = self.curve, self.samples
        point = (progress.validated_at, progress.validation)
        if progress.validated_at >= 0 and (not curve or curve[-1][0] != point[0]):
            curve = (*curve, point)
        if progress.sample is not None:
            samples = (*samples, Sample(progress.sampled_at, progress.sample))
        speed = progress.tokens_per_second or self.tokens_per_second
        return dataclasses.replace(
            self,
            steps=progress.step,
            seconds=seconds,
            tokens_per_second=speed,
            loss=progress.loss,
            curve=curve,
            samples=samples,
        )


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
    if is_full(error, home.models):
        full = full_disk(home.models)
        return InputError(f"cannot save the model: {full.message}", advice=full.advice)
    return InputError(
        f"cannot save the model ({reason(error, home.models)})",
        where=str(home.models),
        advice="Make the folder writable and try again.",
    )


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


def weights_file(home: Home, name: str) -> Path:
    """Return the file with the weights of a model."""
    return home.models / f"{name}.pt"


# ── texts ────────────────────────────────────────────────────────────────────────────────────────


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


@dataclass(frozen=True, slots=True)
class Until:
    """When a training ends: after seconds, or at a step; the earlier of both."""

    seconds: float | None = SECONDS
    steps: int | None = None


class Trainings:
    """One training, or several side by side that take turns: the same seed, other attention."""

    def __init__(
        self,
        server: Runner,
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
        self._server = server
        self._home = home
        self._own = own
        self._title, self._text = writable(text[0]), text[1]
        self._sizes = sizes or Sizes()
        self._seed = seed
        self._attentions = attentions
        self._names = [NAME if each is None else each.id for each in attentions]
        if name is not None:
            self._names[0] = checked_name(name)
            if len(set(self._names)) < len(self._names):
                raise InputError(
                    f"both models would be named {name!r}", advice="Choose another --name."
                )
        self._ended = threading.Event()
        self._killed = False
        self._grader = PartGrader(home, own.package, ALL_DRILLS)

    def end(self) -> None:
        """Have the trainings end after the present step, from any thread; they are kept."""
        self._ended.set()

    def kill(self) -> None:
        """End the workers and their server, from any thread; what was kept last stays."""
        self._killed = True
        self._grader.stop()
        self._server.close()
        self._ended.set()

    def run(
        self, until: Until, told: Callable[[tuple[TrainedModel, ...]], None]
    ) -> tuple[TrainedModel, ...]:
        """Train until the end and return the models as they are kept.

        `told` is called with all models about twice a second. Raises ModelPartError for a part
        that cannot be used, InputError if a model cannot be kept, GradingError without a worker,
        and StoppedError after `kill`, or after `end` before the first step: then nothing is kept.
        """
        _check_writable(self._home)
        try:
            with self._grader.diagnosing():
                return self._run(until, told)
        except (GradingError, ModelPartError) as error:
            if self._killed:
                raise StoppedError from error
            raise

    def _run(
        self, until: Until, told: Callable[[tuple[TrainedModel, ...]], None]
    ) -> tuple[TrainedModel, ...]:
        with ExitStack() as open_:
            rounds = [
                open_.enter_context(self._one(name, mistake))
                for name, mistake in zip(self._names, self._attentions, strict=True)
            ]
            while any([each.advance(until, self._ended) for each in rounds]):  # noqa: C419  # all take a turn
                told(tuple(each.model for each in rounds))
            if self._killed or not all(each.model.steps for each in rounds):
                raise StoppedError  # nothing that is kept is replaced by what was not trained
            for each in rounds:
                each.finish()
                told(tuple(each.model for each in rounds))
            return tuple(each.model for each in rounds)

    def _one(self, name: str, mistake: ModelMistake | None) -> _Round:
        if self._killed:
            raise StoppedError
        process = started(self._server, self._own, mistake, self._sizes, self._seed)
        return _Round(self._home, process, self._new(name, mistake), self._text)

    def _new(self, name: str, mistake: ModelMistake | None) -> TrainedModel:
        return TrainedModel(
            name,
            self._title,
            None if mistake is None else mistake.id,
            "" if mistake is None else mistake.title,
            self._own.with_mistake(mistake),
            parameters=0,
        )


class _Round:
    """One of the trainings that take turns."""

    def __init__(self, home: Home, process: ModelProcess, new: TrainedModel, text: str) -> None:
        self._home = home
        self._process = process
        self.model = new
        self._text = text
        self._seconds = 0.0
        self._saved_at = 0.0

    def __enter__(self) -> Self:
        with ExitStack() as open_:
            open_.enter_context(self._process)
            self._process.try_parts()
            begun = self._process.begin(self._text.encode())
            self.model = dataclasses.replace(self.model, parameters=begun.parameters)
            self._open = open_.pop_all()
        return self

    def __exit__(self, *exception: object) -> None:
        self._open.close()

    def advance(self, until: Until, ended: threading.Event) -> bool:
        """Train for a moment; False if the training is at its end."""
        left = float("inf") if until.seconds is None else until.seconds - self._seconds
        at_end = until.steps is not None and self.model.steps >= until.steps
        if left <= 0 or at_end or ended.is_set():
            return False
        began = time.monotonic()
        progress = self._process.advance(min(_TOLD, left), until.steps)
        self._seconds += time.monotonic() - began
        self.model = self.model.after(progress, self._seconds)
        if self._seconds - self._saved_at >= _SAVED:
            first, self._saved_at = not self._saved_at, self._seconds
            _save(self._home, self.model, self._process.checkpoint(), first=first)
        return True

    def finish(self) -> None:
        """Measure at the end, and keep the model."""
        self.model = self.model.after(self._process.finish(), self._seconds)
        self.model = dataclasses.replace(self.model, cache=self._process.check_cache())
        _save(self._home, self.model, self._process.checkpoint(), first=not self._saved_at)


def started(
    server: Runner, own: OwnParts, mistake: ModelMistake | None, sizes: Sizes, seed: int
) -> ModelProcess:
    """Return a worker with the parts of a model. Raises what `ModelProcess` does."""
    order = ModelOrder(
        sizes,
        own=tuple(part.entry for part in own.parts if part.origin in {"yours", "lent"}),
        mistake=None if mistake is None else mistake.run,
        seed=seed,
        threads=1,  # with more, a machine that does anything else is many times slower
    )
    pack = Path() if mistake is None else mistake.pack
    return ModelProcess(server, order, own.package.files().items(), pack)
