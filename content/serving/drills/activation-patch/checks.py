"""The checks of `activation-patch`."""

import numpy as np

from studyattn.grading.call_plan import Call, Register
from studyattn.grading.drill import Draw, Drill, case, given, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import patching
from ...reference.patching import STEPS, Stack, patched, restored, same
from ...shared import FLOATS, TWO_LAYOUTS, behaviour

PLACES = {"first": 0, "last": -1}

APART = 0.05
"""How far the answers to the two prompts are apart at least."""

TRIES = 200


def ask(
    draw: Draw, *, layers: int, n: int, d: int, v: int, layer: str = "drawn", at: str = "drawn"
) -> list[Call]:
    """A fresh model, two prompts that differ in half of their places at least, and a patch.

    `layer` and `at`: "first", "last" or "drawn". The answers that are compared are those that the
    two prompts tell apart best.
    """
    generator = draw.generator
    for _ in range(TRIES):
        arrays, values = _model(draw, layers, n, d, v)
        clean = generator.integers(0, v, n)
        differ = generator.random(n) < 0.5
        differ[generator.permutation(n)[: (n + 1) // 2]] = True
        corrupted = np.where(differ, (clean + generator.integers(1, v, n)) % v, clean)
        wide = Stack(*(each.astype(np.float64) for each in values))
        apart = wide.run(clean, same) - wide.run(corrupted, same)
        right, wrong = int(apart.argmax()), int(apart.argmin())
        if apart[right] - apart[wrong] > APART:
            break
    number, position = (
        int(generator.integers(0, count)) if how == "drawn" else PLACES[how] % count
        for how, count in ((layer, layers), (at, n))
    )
    prompts = tuple(given(each.astype(np.int64)) for each in (clean, corrupted))
    model = Register("_model")
    return [
        Call("Stack", arrays, into="_model"),
        Call("patched", (model, *prompts, number, position), into="scores"),
        Call("restored", (model, *prompts, right, wrong), into="shares"),
    ]


def _model(draw: Draw, layers: int, n: int, d: int, v: int):
    """The arrays of a model, and their values; each token looks back only."""
    weights = (draw.array(v, d), draw.array(layers, n, n), draw.array(layers, d, d))
    weights = (*weights, draw.array(d, v))
    embedding, looks, w, out = (each.values for each in weights)
    looks = np.tril(np.exp(looks))
    looks = looks / looks.sum(axis=-1, keepdims=True)
    w = w if draw.case.whole else w * 1.5 / np.sqrt(d)
    values = [rounded(each, draw.case.dtype) for each in (embedding, looks, w, out)]
    return tuple(map(with_values, weights, values)), values


drill = Drill(
    id="activation-patch",
    reference={"Stack": Stack, "patched": patched, "restored": restored},
    steps=STEPS,
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": TWO_LAYOUTS,
                "layers": {
                    "three layers": {"layers": 3},
                    "one layer": {"layers": 1},
                    "as many as tokens": {"layers": 4},
                },
                "tokens": {"four tokens": {"n": 4}, "one token": {"n": 1}, "seven": {"n": 7}},
                "width": {"five": {"d": 5}, "two": {"d": 2}, "as wide as tokens": {"d": 4}},
                "vocabulary": {"six": {"v": 6}, "two tokens": {"v": 2}, "thirty": {"v": 30}},
                "patched layer": {
                    "drawn layer": {},
                    "the first": {"layer": "first"},
                    "the last": {"layer": "last"},
                },
                "position": {
                    "drawn position": {},
                    "at the first": {"at": "first"},
                    "at the last": {"at": "last"},
                },
            },
        ),
    ),
    cases=(case("the same calls twice", twice=True, layers=2, n=3, d=3, v=5),),
    probes=(
        Probe("the first layer", lambda call: call["layer"] == 0),
        Probe(
            "the last position",
            lambda call: (
                call["position"] is not None and call["position"] == call["clean"].shape[0] - 1
            ),
        ),
    ),
    small=(
        {"layers": 1, "n": 2, "d": 1, "v": 2},
        {"layers": 2, "n": 2, "d": 1, "v": 2},
        {"layers": 2, "n": 2, "d": 2, "v": 3},
        {"layers": 2, "n": 3, "d": 2, "v": 3},
    ),
    misconceptions=(*patching.OF_PATCHES, *behaviour("activation-patching")),
    axes=("layer", "position"),
    told_as={"layer": "", "at": ""},
)
