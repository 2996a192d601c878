"""The parts that a model is made of, and whose they are.

A part is the learner's passed code in torch; what has not passed is lent by the pack. A mistake
takes the place of some of them: a misconception of the drills of these parts that changes a model.
Each is tried on a few numbers with the reference in numpy; one that cannot be computed with the
shapes of a model, or that changes nothing, is left out.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from studyattn.attention import (
    GENERATION_STEPS,
    STEPS,
    CachedAttention,
    CachedModel,
    GenerationSteps,
    Steps,
    causal_attention,
    generate,
    grouped_query_attention,
    multi_head_attention,
    rope,
)
from studyattn.errors import InputError, NotFoundError
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.misconception import Misconception, Way, change_of
from studyattn.home import Home
from studyattn.lm.parts import (
    GPT,
    LLAMA,
    ModelKind,
)
from studyattn.lm.process import PACK
from studyattn.lm.records import MistakeName, Put
from studyattn.study.practice.drills import find_drill
from studyattn.study.practice.mine import MyPackage, lent_package, my_package
from studyattn.study.profile import Profile

CLEAREST: Final = (
    "mask-missing",
    "scale-missing",
    "scale-by-d",
    "mask-after-softmax",
    "softmax-wrong-axis",
    "heads-ignored",
)
"""Mistakes that a minute of training shows well; a list begins with them."""

_TOKENS, _WIDTH, _HEADS = 5, 8, 2
_FIRST: Final = 3
"""Tokens that the cache is fed first."""


NO_PUTS: Final[Mapping[str, Put]] = MappingProxyType({})


class ModelMistake(NamedTuple):
    """A misconception that a model can make.

    Attributes:
        parts: whose place it takes.
        run: how a worker finds it.
        pack: the folder of its pack.
    """

    id: str
    title: str
    concept: str
    parts: tuple[str, ...]
    run: MistakeName
    pack: Path

    @property
    def told(self) -> dict[str, str]:
        """Its names, as JSON has them."""
        return {"id": self.id, "title": self.title, "concept": self.concept}


Answers = Iterator[tuple[tuple[str, ...], NDArray[Any]]]
"""Parts, and what they say on a few numbers."""


class Breakable(NamedTuple):
    """The parts of a kind of model that a mistake may change.

    Attributes:
        drills: whose misconceptions are looked at.
        right: all steps without a mistake.
        answers: of the parts with some steps.
        command: lists its mistakes.
    """

    drills: tuple[str, ...]
    right: Any
    answers: Callable[[Any], Answers]
    command: str


def mistakes(
    home: Home, of: Breakable, puts: Mapping[str, Put] = NO_PUTS
) -> dict[str, ModelMistake]:
    """Return the mistakes a model can make, by id: of what is put into it, then the clearest."""
    of_puts = {each.id: each for each in mistakes_of_puts(home, puts)}
    found: dict[str, ModelMistake] = {}
    for name in of.drills:
        folder = find_drill(home, name).brief.solution("torch").parent
        for each in load_drill(folder).misconceptions:
            made = None if each.id in found else _made_of(each, of, folder.parents[1])
            if made is not None:
                found[each.id] = made
    first = [found.pop(name) for name in CLEAREST if name in found]
    return {**of_puts, **{each.id: each for each in first}, **found}


def find_mistake(
    home: Home,
    name: str,
    of: Breakable,
    puts: Mapping[str, Put] = NO_PUTS,
) -> ModelMistake:
    """Return the mistake with this id. Raises NotFoundError if no model can make it."""
    known = mistakes(home, of, puts)
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    raise NotFoundError(
        f"there is no mistake {name!r} that a model can make",
        advice=f"Did you mean {near[0]!r}?" if near else f"`{of.command}` lists them.",
    )


def _mistake(
    misconception: Misconception,
    way: int,
    parts: tuple[str, ...],
    pack: Path,
    reference: str = "",
) -> ModelMistake:
    """Return one of the ways of a misconception as the mistake of some parts."""
    module = f"{PACK}.misconceptions.{Path(misconception.place.rpartition(':')[0]).stem}"
    name, title, concept = misconception.id, misconception.title, misconception.concept
    run = MistakeName(module, name, way, parts[0], reference)
    return ModelMistake(name, title, concept, parts, run, pack)


def _made_of(misconception: Misconception, of: Breakable, pack: Path) -> ModelMistake | None:
    """Return the misconception as a mistake of a model; None if it changes nothing in one."""
    if Path(misconception.place).parent.name == "misconceptions":
        for number, way in enumerate(misconception.ways):
            if parts := changed_parts(way, of):
                return _mistake(misconception, number, parts, pack)
    return None


def changed_parts(way: Way, of: Breakable) -> tuple[str, ...]:
    """Return the parts that say something else in this way; none if a model cannot be computed."""
    try:  # a way may change what is no step of these, or say what has no place in a model
        changed = dataclasses.replace(of.right, **change_of(way))
        with np.errstate(all="ignore"):
            pairs = list(zip(of.answers(changed), of.answers(of.right), strict=True))
    except (ValueError, IndexError, TypeError):
        return ()
    if any(given.shape != right.shape for (_, given), (_, right) in pairs):
        return ()
    differ = (parts for (parts, given), (_, right) in pairs if not np.allclose(given, right))
    return next(differ, ())


def answers_of_gpt(steps: Steps) -> Answers:
    """Yield what attention says with these steps: of five tokens at once, and of three and two.

    Then what a block makes of the five.
    """
    generator = np.random.default_rng(7)
    x = generator.standard_normal((2, _TOKENS, _WIDTH))
    w_q, w_k, w_v, w_o = (generator.standard_normal((_WIDTH, _WIDTH)) / 3 for _ in range(4))
    allowed = steps.causal(_TOKENS, _TOKENS, x)
    attended = multi_head_attention(x, w_q, w_k, w_v, w_o, _HEADS, allowed, steps=steps)
    yield GPT.attention, attended
    cache = CachedAttention(w_q, w_k, w_v, w_o, _HEADS, steps=steps)
    yield GPT.attention, np.concatenate([cache(x[:, :_FIRST]), cache(x[:, _FIRST:])], axis=1)
    cache.reset()
    yield GPT.attention, cache(x[:1])
    parts = (np.square, np.sin), (np.exp, np.cos)  # norms and what follows them, all different
    yield ("block",), steps.in_turn(x, *parts, steps.add_part)


def answers_of_llama(steps: Steps) -> Answers:
    """Yield what the attention of a real model says: of five tokens at once, then of one more."""
    generator = np.random.default_rng(7)
    q, k, v = (generator.standard_normal((1, 2 * _HEADS, _TOKENS, _WIDTH)) for _ in range(3))
    q, k = (rope(each, np.arange(_TOKENS), 100.0, steps=steps) for each in (q, k))
    yield LLAMA.attention, causal_attention(q, k, v, steps=steps)
    k, v = k[:, :_HEADS], v[:, :_HEADS]
    yield LLAMA.attention, grouped_query_attention(q[..., -1:, :], k, v, steps=steps)


def answers_of_writing(steps: GenerationSteps) -> Answers:
    """Yield what a model writes: the likeliest tokens, then some that are drawn."""
    generator = np.random.default_rng(7)
    t, d = _TOKENS, _WIDTH
    shapes = ((t, d), (20, d), (d, d), (d, d), (d, t))
    weights = [generator.standard_normal(shape) / 2 for shape in shapes]  # no choice is clear
    prompt, count = np.arange(_FIRST), 9
    for uniforms in (None, generator.uniform(size=count)):
        yield ("generate",), generate(CachedModel(*weights), prompt, count, uniforms, steps=steps)


OF_GPT: Final = Breakable(
    (*GPT.drills.values(), "causal-attention", GPT.composed["block"]),
    STEPS,
    answers_of_gpt,
    "studyattn gpt mistakes",
)
OF_WRITING: Final = Breakable(
    (GPT.composed["generate"],), GENERATION_STEPS, answers_of_writing, "studyattn gpt mistakes"
)
OF_LLAMA: Final = Breakable(
    tuple(LLAMA.drills.values()), STEPS, answers_of_llama, "studyattn model mistakes"
)


MINE: Final = "mine"
REFERENCE: Final = "reference"

WHOSE: Final = {
    "yours": "yours",
    "lent": "from the pack until you pass its drill",
    "torch": "of torch",
}
"""Words for the origins of parts that are the learner's or could be."""


@dataclass(frozen=True, slots=True)
class ModelPart:
    """A part of a model and where it comes from: `yours`, `lent`, `torch` or `mistaken`."""

    entry: str
    drill: str | None
    origin: str
    passed_on: date | None = None


class OwnParts(NamedTuple):
    """The parts to run: the learner's package in torch with what is lent, or the reference's.

    Attributes:
        package: where their code is.
        right: the parts without the mistake.
        mistake: what takes the place of some of them.
    """

    package: MyPackage
    right: tuple[ModelPart, ...]
    mistake: ModelMistake | None = None

    @property
    def parts(self) -> tuple[ModelPart, ...]:
        """All parts. With a mistaken attention, the program puts the blocks together."""
        if self.mistake is None:
            return self.right
        origins = dict.fromkeys(self.mistake.parts, "mistaken")
        if "multi_head_attention" in origins:
            origins["block"] = "torch"
        return tuple(
            ModelPart(part.entry, part.drill, origins[part.entry])
            if part.entry in origins
            else part
            for part in self.right
        )

    @property
    def wrong(self) -> str | None:
        """The id of the mistake."""
        return None if self.mistake is None else self.mistake.id

    @property
    def title(self) -> str:
        """The mistake as a sentence, or nothing."""
        return "" if self.mistake is None else self.mistake.title


def own_parts(profile: Profile, kind: ModelKind) -> OwnParts:
    """Return the parts of a kind of model as they are now, with those that no drill asks for.

    What has not passed is lent, unless it is made of other parts: then the program does it.
    """
    package = my_package(profile, "torch", lend=kind.drills.values())
    modules = {module.drill: module for module in package.modules}
    parts = []
    for entry, drill in kind.all_drills.items():
        passed_on = modules[drill].passed_on if drill in modules else None
        lent = "torch" if entry in kind.composed else "lent"
        parts.append(ModelPart(entry, drill, "yours" if passed_on else lent, passed_on))
    return OwnParts(package, (*parts, *(ModelPart(entry, None, "torch") for entry in kind.plain)))


def wanted_parts(profile: Profile, name: str, puts: Mapping[str, Put] = NO_PUTS) -> OwnParts:
    """Return the parts of a real model: `mine`, `reference` or the id of a misconception.

    `puts` is what is put into it beside them, by drill. Raises NotFoundError if no model can make
    that mistake.
    """
    if name == MINE:
        return own_parts(profile, with_puts(puts))
    return lent_parts(profile.home, name, puts)


def lent_parts(home: Home, name: str = REFERENCE, puts: Mapping[str, Put] = NO_PUTS) -> OwnParts:
    """Return the parts of the reference, with a mistake if `name` is the id of one."""
    kind = with_puts(puts)
    parts = tuple(ModelPart(entry, drill, "lent") for entry, drill in kind.drills.items())
    mistake = None if name == REFERENCE else find_mistake(home, name, OF_LLAMA, puts)
    return OwnParts(lent_package(home, kind.drills.values()), parts, mistake)


# ── what is put into a real model beside its parts ───────────────────────────────────────────────


def read_weights(home: Home, name: str) -> bytes:
    """Return the weights of a model that was trained here. Raises NotFoundError without them."""
    file = weights_file(home, name)
    try:
        return file.read_bytes()
    except OSError as error:
        raise NotFoundError(
            f"the weights of the model {name!r} cannot be read ({error.strerror})",
            where=str(file),
            advice="Train it with `studyattn gpt train`; `studyattn gpt list` lists what is there.",
        ) from error


def weights_file(home: Home, name: str) -> Path:
    """Return the file with the weights of a model that was trained here."""
    return home.models / f"{name}.pt"


def read_puts(home: Home, given: Iterable[str]) -> dict[str, Put]:
    """Return what is put into a model, by drill, of texts such as `quantized-linear:bits=4`.

    `gpt=NAME` is a model that was trained here, and drafts. Raises NotFoundError for a drill that
    has no place in a model and for a model that is not there, InputError for what is no number.
    """
    found = {}
    for text in given:
        drill, _, rest = text.partition(":")
        brief = find_drill(home, drill).brief
        if not brief.model:
            raise NotFoundError(
                f"the drill {brief.id!r} has no place in a real model",
                advice="`studyattn model say --help` names those that have one.",
            )
        numbers, drafts = {}, b""
        for each in filter(None, rest.split(",")):
            name, _, number = each.partition("=")
            if name == "gpt" and brief.model == "drafts":
                drafts = read_weights(home, number)
                continue
            try:
                numbers[name] = float(number)
            except ValueError:
                raise InputError(
                    f"{each!r} gives no number", advice=f"Write it as {brief.id}:name=8."
                ) from None
        found[brief.id] = Put(brief.model, brief.entry, numbers, drafts)
    places = {put.place: drill for drill, put in found.items()}
    caches = places.keys() & {"cache", "pages"}
    if "drafts" in places and caches:
        raise InputError(
            f"{places['drafts']} does not go with {places[caches.pop()]}: the cache would have to"
            " forget the tokens that are rejected",
            advice="Put in one of the two.",
        )
    return found


def with_puts(puts: Mapping[str, Put]) -> ModelKind:
    """Return the kind of a real model with the entries of what is put into it, and of a GPT."""
    entries = {entry: drill for drill, put in puts.items() for entry in put.entries}
    if any(put.gpt for put in puts.values()):
        entries |= {
            entry: GPT.drills[entry]
            for entry in ("embed", "layer_norm", "CachedAttention", "gelu_mlp")
        }
    return LLAMA._replace(drills={**LLAMA.drills, **entries})


def mistakes_of_puts(home: Home, puts: Mapping[str, Put]) -> Iterator[ModelMistake]:
    """Yield the misconceptions of drills that are put into a model; all entries make them."""
    for drill, put in puts.items():
        folder = find_drill(home, drill).brief.folder
        loaded = load_drill(folder)
        right = loaded.reference[put.entries[-1]].__module__.rpartition(".")[2]
        for each in loaded.misconceptions:
            if each.ways:
                reference = f"{PACK}.reference.{right}"
                yield _mistake(each, 0, put.entries, folder.parents[1], reference)


def whose(parts: Iterable[ModelPart], words: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the word of each origin, and its parts, if it has any."""
    known = tuple(parts)
    for origin, word in words.items():
        named = [part.entry for part in known if part.origin == origin]
        if named:
            yield word, ", ".join(named)


def summary(parts: Sequence[ModelPart]) -> str:
    """Return how many of the parts are whose: `2 parts yours, 8 of torch`."""
    words = {"yours": "yours", "lent": "lent", "mistaken": "with the mistake", "torch": "of torch"}
    counts = {word: sum(part.origin == origin for part in parts) for origin, word in words.items()}
    first, *rest = ((number, word) for word, number in counts.items() if number)
    begun = f"{first[0]} part{'' if first[0] == 1 else 's'} {first[1]}"
    return ", ".join([begun, *(f"{number} {word}" for number, word in rest)])
