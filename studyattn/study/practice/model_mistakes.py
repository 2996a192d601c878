"""The mistakes that a model can make: misconceptions of the attention drills that change it.

Each is tried on a few numbers with the reference in numpy. One that cannot be computed with the
shapes of a model, or that changes nothing where every query sees itself, is left out.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from studyattn.attention import STEPS, CachedAttention, Steps, multi_head_attention
from studyattn.errors import NotFoundError
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.misconception import Misconception, Way, change_of
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


def mistakes(home: Home) -> dict[str, ModelMistake]:
    """Return the mistakes that a model can make, by id, the clearest ones first."""
    found: dict[str, ModelMistake] = {}
    for name in (*DRILLS.values(), "causal-attention"):
        folder = find_drill(home, name).brief.solution("torch").parent
        for each in load_drill(folder).misconceptions:
            run = None if each.id in found else _run_of(each)
            if run is not None:
                pack = folder.parents[1]
                found[each.id] = ModelMistake(each.id, each.title, each.concept, run, pack)
    first = [found.pop(name) for name in CLEAREST if name in found]
    return {**{each.id: each for each in first}, **found}


def find_mistake(home: Home, name: str) -> ModelMistake:
    """Return the mistake with this id. Raises NotFoundError if no model can make it."""
    known = mistakes(home)
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    raise NotFoundError(
        f"there is no mistake {name!r} that a model can make",
        advice=f"Did you mean {near[0]!r}?" if near else "`studyattn gpt mistakes` lists them.",
    )


def _run_of(misconception: Misconception) -> Mistake | None:
    """Return how a worker finds the misconception; None if it changes nothing in a model."""
    place = Path(misconception.place.rpartition(":")[0])
    if place.parent.name != "misconceptions":
        return None
    module = f"{PACK}.misconceptions.{place.stem}"
    for number, way in enumerate(misconception.ways):
        if makes_a_difference(way):
            return Mistake(module, misconception.id, number)
    return None


def makes_a_difference(way: Way) -> bool:
    """Return whether the attention of a model can be computed in this way, and is another then."""
    if not change_of(way).keys() <= ATTENTION_STEPS:
        return False
    try:
        with np.errstate(all="ignore"):
            pairs = list(zip(answers(_changed(way)), answers(STEPS), strict=True))
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
