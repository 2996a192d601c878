"""The mistakes that a model can make: misconceptions of the attention drills that change it.

A GPT of the learner's and a real model have their attention from other drills (`Attention`). Each
mistake is tried on a few numbers with the reference in numpy. One that cannot be computed with the
shapes of a model, or that changes nothing where every query sees itself, is left out.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from studyattn.attention import (
    STEPS,
    CachedAttention,
    Steps,
    causal_attention,
    grouped_query_attention,
    multi_head_attention,
    rope,
)
from studyattn.errors import NotFoundError
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.misconception import Misconception, Way, change_of
from studyattn.lm.llama import parts as llama
from studyattn.lm.parts import ATTENTION_STEPS, DRILLS
from studyattn.lm.records import Mistake
from studyattn.lm.sources import PACK
from studyattn.study.practice.drill_log import find_drill

if TYPE_CHECKING:
    from studyattn.home import Home

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


@dataclass(frozen=True, slots=True)
class ModelMistake:
    """A misconception that the attention of a model can make.

    Attributes:
        run: how a worker finds it.
        pack: the folder of its pack.
    """

    id: str
    title: str
    concept: str
    run: Mistake
    pack: Path


@dataclass(frozen=True, slots=True)
class Attention:
    """The attention of a kind of model, as far as a mistake may change it.

    Attributes:
        drills: whose misconceptions are looked at.
        steps: of the reference, which it uses.
        answers: what it says with some steps, on a few numbers.
        command: lists its mistakes.
    """

    drills: tuple[str, ...]
    steps: frozenset[str]
    answers: Callable[[Steps], Iterator[NDArray[Any]]]
    command: str


def mistakes(home: Home, of: Attention | None = None) -> dict[str, ModelMistake]:
    """Return the mistakes that a model can make, by id, the clearest ones first."""
    of = of or OF_GPT
    found: dict[str, ModelMistake] = {}
    for name in of.drills:
        folder = find_drill(home, name).brief.solution("torch").parent
        for each in load_drill(folder).misconceptions:
            run = None if each.id in found else _run_of(each, of)
            if run is not None:
                pack = folder.parents[1]
                found[each.id] = ModelMistake(each.id, each.title, each.concept, run, pack)
    first = [found.pop(name) for name in CLEAREST if name in found]
    return {**{each.id: each for each in first}, **found}


def find_mistake(home: Home, name: str, of: Attention | None = None) -> ModelMistake:
    """Return the mistake with this id. Raises NotFoundError if no model can make it."""
    of = of or OF_GPT
    known = mistakes(home, of)
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    raise NotFoundError(
        f"there is no mistake {name!r} that a model can make",
        advice=f"Did you mean {near[0]!r}?" if near else f"`{of.command}` lists them.",
    )


def _run_of(misconception: Misconception, of: Attention) -> Mistake | None:
    """Return how a worker finds the misconception; None if it changes nothing in a model."""
    place = Path(misconception.place.rpartition(":")[0])
    if place.parent.name != "misconceptions":
        return None
    module = f"{PACK}.misconceptions.{place.stem}"
    for number, way in enumerate(misconception.ways):
        if makes_a_difference(way, of):
            return Mistake(module, misconception.id, number)
    return None


def makes_a_difference(way: Way, of: Attention) -> bool:
    """Return whether the attention of a model can be computed in this way, and is another then."""
    if not change_of(way).keys() <= of.steps:
        return False
    try:
        with np.errstate(all="ignore"):
            pairs = list(zip(of.answers(_changed(way)), of.answers(STEPS), strict=True))
    except (ValueError, IndexError, TypeError):
        return False
    fit = all(given.shape == right.shape for given, right in pairs)
    return fit and not all(np.allclose(given, right) for given, right in pairs)


def _changed(way: Way) -> Steps:
    return dataclasses.replace(STEPS, **change_of(way))


def answers(steps: Steps) -> Iterator[NDArray[Any]]:
    """Yield what attention says with these steps: of five tokens at once, and of three and two."""
    generator = np.random.default_rng(7)
    x = generator.standard_normal((2, _TOKENS, _WIDTH))
    w_q, w_k, w_v, w_o = (generator.standard_normal((_WIDTH, _WIDTH)) / 3 for _ in range(4))
    allowed = steps.causal(_TOKENS, _TOKENS, x)
    yield multi_head_attention(x, w_q, w_k, w_v, w_o, _HEADS, allowed, steps=steps)
    cache = CachedAttention(w_q, w_k, w_v, w_o, _HEADS, steps=steps)
    yield np.concatenate([cache(x[:, :_FIRST]), cache(x[:, _FIRST:])], axis=1)
    cache.reset()
    yield cache(x[:1])


def answers_of_llama(steps: Steps) -> Iterator[NDArray[Any]]:
    """Yield what the attention of a real model says: of five tokens at once, then of one more."""
    generator = np.random.default_rng(7)
    q, k, v = (generator.standard_normal((1, 2 * _HEADS, _TOKENS, _WIDTH)) for _ in range(3))
    q, k = (rope(each, np.arange(_TOKENS), 100.0, steps=steps) for each in (q, k))
    yield causal_attention(q, k, v, steps=steps)
    k, v = k[:, :_HEADS], v[:, :_HEADS]
    yield grouped_query_attention(q[..., -1:, :], k, v, steps=steps)


OF_GPT: Final = Attention(
    (*DRILLS.values(), "causal-attention"), ATTENTION_STEPS, answers, "studyattn gpt mistakes"
)
OF_LLAMA: Final = Attention(
    tuple(llama.DRILLS.values()), llama.STEPS, answers_of_llama, "studyattn model mistakes"
)
