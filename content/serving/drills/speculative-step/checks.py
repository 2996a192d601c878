"""The checks of `speculative-step`: by the tokens for given numbers, which give its law."""

import numpy as np

from studyattn.grading.call_plan import ArrayInput, Call
from studyattn.grading.drill import Draw, Drill, case, given, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import speculation
from ...reference.speculation import STEPS, residual, speculative_step
from ...shared import FLOATS, NO_GRADIENT, NO_HALVES, TWO_LAYOUTS, behaviour

MARGIN = 0.02
"""Between a number and what it is compared with: no rounding decides."""

STEPS_ASKED = 3


def ask(draw: Draw, *, k: int, v: int, ends: str = "drawn") -> list[Call]:
    """Steps on drawn distributions.

    `ends`: "accepted", if all stay, "at once", if the first one is rejected, "later", if the last
    one is, "excluded", if the target gives that one 0 and its number and the last one are 0, or
    "drawn".
    """
    generator = draw.generator
    p, q = _shares(draw, (2, v))
    if np.allclose(p, q):  # of which no residual is left
        p = np.eye(2, v)[0] * 0.5 + p / 2
    calls = [Call("residual", (_as(draw, (v,), p), _as(draw, (v,), q)), into="residual")]
    for number in range(STEPS_ASKED):
        draft, target = _shares(draw, (k, v)), _shares(draw, (k + 1, v))
        tokens = np.array([generator.choice(v, p=row / row.sum()) for row in draft], np.int64)
        wanted = {"drawn": int(generator.integers(0, k + 1)), "accepted": k, "at once": 0}
        stop = wanted.get(ends, k - 1)
        if stop < k:  # there the draft says more of its token than the target
            _swap_if(draft[stop], target[stop], tokens[stop])
        uniforms = np.empty(k + 1)
        for i, token in enumerate(tokens):
            ratio = min(1.0, target[i, token] / draft[i, token])
            low, high = (ratio, 1.0) if i == stop else (0.0, ratio)
            room = max(0.0, min(MARGIN, (high - low) / 3))
            uniforms[i] = generator.uniform(low + room, high - room)
        if ends == "excluded" and v > 1:
            target[stop] += 1e-3
            target[stop, tokens[stop]] = uniforms[stop] = 0.0
            target[stop] = rounded(target[stop] / target[stop].sum(), draw.case.dtype)
        shares = target[-1] if stop == k else residual(target[stop], draft[stop])
        uniforms[-1] = 0.0 if ends == "excluded" else _clear(draw, shares)
        calls.append(
            Call(
                "speculative_step",
                (
                    _as(draw, (k, v), draft),
                    _as(draw, (k + 1, v), target),
                    given(tokens),
                    _as(draw, (k + 1,), uniforms),
                ),
                into=f"step {number + 1}",
            )
        )
    return calls


def _shares(draw: Draw, shape: tuple[int, ...]) -> np.ndarray:
    """Distributions, of which a large vocabulary has only a few tokens that are likely."""
    weights = draw.generator.gamma(0.7, size=shape) + 0.02
    if draw.case.whole:
        weights = draw.generator.integers(1, 9, shape).astype(float)
    if shape[-1] > 40:
        weights[..., 20:-20] *= 1e-6
    shares = weights / weights.sum(axis=-1, keepdims=True)
    return rounded(shares, draw.case.dtype)


def _swap_if(draft: np.ndarray, target: np.ndarray, token: int) -> None:
    if draft[token] < target[token] * (1 + 3 * MARGIN):
        draft[:], target[:] = target.copy(), draft.copy()
    if draft[token] < target[token] * (1 + 3 * MARGIN):  # nearly alike: make them differ
        target[:] = np.where(np.arange(len(target)) == token, 0.2 * target, target)
        target /= target.sum()


def _clear(draw: Draw, shares: np.ndarray) -> float:
    """A number that is as far from all sums as one of a few drawn ones is."""
    sums = np.concatenate([[0.0], np.cumsum(shares)])
    drawn = draw.generator.uniform(0.01, 0.99, 30)
    return float(drawn[np.argmax(np.minimum(np.abs(drawn[:, None] - sums).min(axis=1), MARGIN))])


def _as(draw: Draw, shape: tuple[int, ...], values: np.ndarray) -> ArrayInput:
    return with_values(draw.array(*shape), rounded(values, draw.case.dtype))


drill = Drill(
    id="speculative-step",
    reference={"residual": residual, "speculative_step": speculative_step},
    steps=STEPS,
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": TWO_LAYOUTS,
                "draft": {"four tokens": {"k": 4}, "one token": {"k": 1}, "seven tokens": {"k": 7}},
                "vocabulary": {
                    "five": {"v": 5},
                    "two": {"v": 2},
                    "three": {"v": 3},
                    "nine": {"v": 9},
                },
                "ends": {
                    "rejected anywhere or not": {},
                    "all accepted": {"ends": "accepted"},
                    "the first rejected": {"ends": "at once"},
                    "the last rejected": {"ends": "later"},
                    "the last excluded by the target": {"ends": "excluded"},
                },
            },
        ),
    ),
    cases=(
        case("the same calls twice", twice=True, k=3, v=4),
        case("a vocabulary of 500", k=3, v=500),
    ),
    probes=(
        Probe(
            "one drafted token",
            lambda call: call["tokens"] is not None and call["tokens"].shape[0] == 1,
        ),
    ),
    unasked=NO_GRADIENT | NO_HALVES | {"*v = 1*": "a single token is never rejected"},
    small=(
        {"k": 1, "v": 2},
        {"k": 1, "v": 3, "ends": "at once"},
        {"k": 2, "v": 2, "ends": "later"},
        {"k": 2, "v": 2, "ends": "accepted"},
        {"k": 1, "v": 2, "ends": "excluded"},
        {"k": 2, "v": 3},
    ),
    misconceptions=(*speculation.OF_STEPS, *behaviour("speculative-decoding")),
    axes=("place", "token"),
    told_as={"ends": ""},
)
