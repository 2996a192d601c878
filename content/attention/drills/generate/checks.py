"""The checks of `generate`: by the tokens, and by what the model was fed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studyattn.attention import GENERATION_STEPS, CachedModel, generate
from studyattn.grading.call_plan import ArrayInput, Call, Register
from studyattn.grading.drill import Draw, Drill, Limit, case
from studyattn.grading.seen_call import Probe, SeenCall
from studyattn.grading.space import Space
from studyattn.grading.tolerance import rounded

from ...conditions import LAYOUTS, by_keyword
from ...misconceptions import behaviour, generation
from ...shared import FORBIDDEN

MARGIN = 0.02
"""Between the two likeliest tokens, and between a uniform number and any sum of shares."""

TRIES = 200

LONG = 12
"""New tokens of which hardly ever each is a clear choice."""


def ask(
    draw: Draw,
    *,
    n: int,
    count: int,
    v: int = 5,
    d: int = 4,
    drawn: bool = False,
    ends: bool = False,
    second: bool = False,
    last: bool = False,
    zero: bool = False,
    raised: bool = False,
) -> list[Call]:
    """A fresh model writes up to `count` tokens after a prompt of `n`; then what it was fed.

    With `drawn`, uniform numbers choose other tokens than the likeliest, and in their own order;
    with `ends`, one of the tokens before the last is the end; with `zero`, that is token 0. With
    `last`, the first new token is one of the last 40 of the vocabulary. With `raised`, all logits
    are about 1,000. With a `second`, a fresh model of the same weights writes after another prompt.
    Weights are drawn until no choice is a matter of rounding; of many tokens, the numbers are.
    """
    shapes = ((v, d), (n + count, d), (d, d), (d, d), (d, v))
    for _ in range(TRIES):
        weights = [_weights(draw, shape) for shape in shapes]
        if raised:
            _raise(*weights)
        prompt = draw.generator.integers(0, v, n)
        numbers = _numbers(draw, weights, prompt, count, drawn=drawn)
        made, margin = _written(weights, prompt, count, numbers)
        if numbers is not None:
            misread = (None, np.flip(numbers), np.full(count, numbers[0]))
            others = [_written(weights, prompt, count, each)[0] for each in misread]
            if made in (others if count > 1 else others[:1]):
                continue
        places = [at for at in range(count - 1) if made[at] not in made[:at]]
        varied = count < 3 or len(set(made)) > 1
        if (last and made[0] < v - 40) or (zero and (not places or made[places[-1]] != 0)):
            continue
        other = draw.generator.integers(0, v, n)
        if second:
            other_made, other_margin = _written(weights, other, count, None)
            if other_margin < MARGIN or other_made == made:
                continue
        if margin > MARGIN and varied and (places[1:] or not ends or count < 3):
            break
    end = made[places[-1]] if ends and places else None
    layout = draw.case.layout
    uniforms = None if numbers is None else ArrayInput(numbers, "float64", layout)
    text = ArrayInput(prompt.astype(np.int64), "int64", layout)
    model = tuple(ArrayInput(each, "float32") for each in weights)
    calls = [
        Call("CachedModel", model, into="_model"),
        Call("generate", (Register("_model"), text, count, uniforms, end), into="tokens"),
        *([] if draw.case.costed else [Call("fed", on="_model", into="fed")]),
    ]
    if second:
        again = ArrayInput(other.astype(np.int64), "int64", layout)
        calls += [
            Call("CachedModel", model, into="_other"),
            Call("generate", (Register("_other"), again, count, None, None), into="other tokens"),
        ]
    return calls


def operations(sizes: Mapping[str, Any]) -> int:
    """Twice what it takes to feed each token once, all keys and values copied for each."""
    d, length = sizes["d"], sizes["n"] + sizes["count"]
    return int(2 * length * (4 * d * d + 10 * d + length * (6 * d + 10)))


def _weights(draw: Draw, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Drawn weights; whole numbers in the smallest questions."""
    if draw.case.whole:
        return draw.generator.integers(-2, 3, shape).astype(np.float64)
    return rounded(draw.generator.standard_normal(shape), "float32")


def _raise(
    embedding: NDArray[np.float64],
    positions: NDArray[np.float64],
    w_k: NDArray[np.float64],
    w_v: NDArray[np.float64],
    w_out: NDArray[np.float64],
) -> None:
    """Add 1,000 to all logits by a first feature that attention neither compares nor copies."""
    embedding[:, 0], positions[:, 0] = 32.0, 0.0
    for matrix in (w_k, w_v):
        matrix[0], matrix[:, 0] = 0.0, 0.0
    w_out[0] = 32.0


def _written(
    weights: list[NDArray[np.float64]],
    prompt: NDArray[np.int64],
    count: int,
    numbers: NDArray[np.float64] | None,
) -> tuple[list[int], float]:
    """The tokens that a model writes, and how clear the least clear choice was."""
    margins: list[float] = []

    def watched(logits: NDArray[np.float64], uniform: float | None) -> int:
        shares = np.exp(logits - logits.max())
        shares /= shares.sum()
        if uniform is None:
            first, second = -np.partition(-shares, 1)[:2]
            margins.append(float(first - second))
        else:
            margins.append(float(np.abs(np.cumsum(shares)[:-1] - uniform).min()))
        return GENERATION_STEPS.next_token(logits, uniform)

    steps = replace(GENERATION_STEPS, next_token=watched)
    model = CachedModel(*(each.astype(np.float64) for each in weights))
    made = generate(model, prompt, count, numbers, steps=steps)
    return [int(token) for token in made], min(margins)


def _numbers(
    draw: Draw,
    weights: list[NDArray[np.float64]],
    prompt: NDArray[np.int64],
    count: int,
    *,
    drawn: bool,
) -> NDArray[np.float64] | None:
    """Uniform numbers, if they are `drawn`; many are far from each sum of shares."""
    if count <= LONG:
        return draw.generator.uniform(0.05, 0.95, count).round(3) if drawn else None
    numbers: list[float] = []

    def chosen(logits: NDArray[np.float64], _uniform: float | None) -> int:
        shares = np.exp(logits - logits.max())
        sums = np.cumsum(shares / shares.sum())
        drawn = draw.generator.uniform(0.02, 0.98, 20).round(3)
        numbers.append(float(drawn[np.argmax(np.abs(drawn[:, None] - sums).min(axis=-1))]))
        return GENERATION_STEPS.next_token(logits, numbers[-1])

    model = CachedModel(*(each.astype(np.float64) for each in weights))
    generate(model, prompt, count, None, steps=replace(GENERATION_STEPS, next_token=chosen))
    return np.array(numbers)


def _asked(words: str, holds: Callable[[SeenCall], bool]) -> Probe:
    return Probe(words, lambda call: call["prompt"] is not None and holds(call))


drill = Drill(
    id="generate",
    reference={"CachedModel": CachedModel, "generate": generate},
    steps=GENERATION_STEPS,
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": {"whole numbers": {"dtype": "int64"}},
                "layout": {name: LAYOUTS[name] for name in ("contiguous", "strided in memory")},
                "prompt": {
                    "a prompt of three": {"n": 3},
                    "a prompt of one": {"n": 1},
                    "a prompt of eight": {"n": 8},
                },
                "count": {
                    "five tokens": {"count": 5},
                    "one token": {"count": 1},
                    "nine tokens": {"count": 9},
                },
                "chosen": {"the likeliest": {}, "drawn": {"drawn": True}},
                "end": {"no end": {}, "an end": {"ends": True}},
                "passed": by_keyword("uniforms"),
            },
        ),
    ),
    cases=(
        case("the same calls twice", dtype="int64", twice=True, n=3, count=4),
        case(
            "sampled, fewer new tokens than the prompt has", dtype="int64", n=8, count=3, drawn=True
        ),
        case("two models in turn", dtype="int64", n=3, count=4, second=True),
        case("a vocabulary of 300", dtype="int64", n=3, count=1, v=300, last=True),
        case("token 0 is the end", dtype="int64", n=3, count=4, ends=True, zero=True),
        case("cost", dtype="int64", costed=True, n=20, count=40, d=16),
        case("large logits", dtype="int64", n=3, count=4, drawn=True, raised=True),
    ),
    probes=(
        _asked("a prompt of one token", lambda call: call["prompt"].shape[-1] == 1),
        _asked("a single new token", lambda call: call["count"] == 1),
        _asked("uniform numbers", lambda call: call["uniforms"] is not None),
        _asked("an end", lambda call: call["end"] is not None),
    ),
    unasked={
        "float*": "tokens are integers",
        "bfloat16*": "tokens are integers",
        "*gradient*": "tokens are integers",
    },
    small=(
        {"dtype": "int64", "n": 1, "count": 1, "v": 2, "d": 2},
        {"dtype": "int64", "n": 2, "count": 1, "v": 2, "d": 2},
        {"dtype": "int64", "n": 1, "count": 2, "v": 3, "d": 2},
        {"dtype": "int64", "n": 2, "count": 2, "v": 3, "d": 2},
        {"dtype": "int64", "n": 1, "count": 3, "v": 3, "d": 2},
        {"dtype": "int64", "n": 1, "count": 3, "v": 3, "d": 2, "ends": True},
    ),
    misconceptions=(
        *generation.OF_GENERATION,
        *(each for each in behaviour.of("generation") if "gradient" not in each.id),
    ),
    axes=("place",),
    limit=Limit(generation.prompt_fed_again, flops=operations),
    told_as={
        "v": "",
        "d": "",
        "drawn": "",
        "ends": "",
        "second": "",
        "last": "",
        "zero": "",
        "raised": "",
    },
    forbidden=FORBIDDEN,
)
