"""The checks of `sample`."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from studyattn.attention import SAMPLING_STEPS, next_probabilities, sample
from studyattn.grading.call_plan import ArrayInput, Call, Layout
from studyattn.grading.drawn_case import formed
from studyattn.grading.drill import EXPANDABLE, Draw, Drill, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded
from studyattn.grading.tolerance import rounded

from ...conditions import BATCHES, by_keyword, space
from ...misconceptions import behaviour, sampling
from ...probes import entry
from ...shared import FORBIDDEN

STEP = 0.55
"""From one logit to the next: no rounding changes their order."""

CANDIDATES = np.arange(0.01, 0.98, 0.01)
MARGIN = 0.025
"""Between top-p and any sum of shares: half precision decides no cut."""

LAST_FIRST = 256
"""In a vocabulary of more tokens, the last one is the likeliest: its place needs two bytes."""

MANY, FEW = 1000, 20
"""Of more than so many tokens, a few have shares."""

NEXT_TO_1 = 1 - 2**-24
"""The largest float32 below 1, above which rounding may leave no sum."""

EQUAL = 400
ACROSS = next(
    number
    for number in (place / EQUAL + 1e-4 for place in range(EQUAL // 2, EQUAL))
    if float(np.float16(number)) < number - 2e-4
)
"""A number above a sum of so many equal shares, which half precision moves below it."""

DRAWN = 50
"""Draws of the logits, of which the one is asked in which the shares sum to least."""

WALKS = 2
"""Tokens that are chosen in each question."""


def ask(
    draw: Draw,
    *,
    v: int,
    batch: tuple[int, ...] = (),
    temperature: float | None = 1.0,
    k: int | None = None,
    p: bool = False,
    top_p: float | None = None,
    ties: bool = False,
    uniform: float | None = None,
    exact: bool = False,
) -> list[Call]:
    """The shares of a batch, and tokens chosen from one row; by `uniform`, or by drawn numbers.

    With `p`, or a `top_p` that is not 1, it is well away from every sum of shares, as are the drawn
    numbers: on which side of a sum a number lies is then no matter of rounding. With `temperature`
    None only the logits are given. A `uniform` of 0 lies on the sum of a first token without a
    share, so the least likely token is first then. NEXT_TO_1 is above the sum of
    what float32 keeps of the shares.
    """
    logits = draw.array(*batch, v)
    many_tied = k is not None and k < v and not p
    logits = with_values(logits, _values(draw, logits, ties=ties, many_tied=many_tied))
    if v > LAST_FIRST:
        places = np.argsort(logits.values, axis=-1)
        logits = with_values(logits, np.take_along_axis(logits.values, places, axis=-1))
    if uniform == NEXT_TO_1:
        drawn = (draw.generator.standard_normal((*batch, v)) for _ in range(DRAWN))
        values = [rounded(each, draw.case.dtype) for each in drawn]
        logits = with_values(logits, min(values, key=lambda each: _largest_sum(each, k)))
    if uniform == 0:
        values = logits.values
        logits = with_values(logits, np.roll(values, -int(np.argmin(values)), axis=-1))
    cut: tuple[float | int | None, ...] = () if temperature is None else (temperature, k, top_p)
    if (p or (top_p and top_p != 1 and not exact)) and temperature is not None:
        cut = (temperature, k, _top_p(draw, logits.values, temperature, k, top_p))
    if exact:  # zeros have shares without a rounding
        logits = with_values(logits, np.zeros_like(logits.values))
    logits = cast(ArrayInput, formed(logits, draw.case.forms.get("logits")))
    row = with_values(logits, logits.values.reshape(-1, v)[-1])
    sums = _sums(next_probabilities(row.values, *cut))
    others = [
        _sums(next_probabilities(row.values, *cut[:place], None, *cut[place + 1 :]))
        for place in (1, 2)
        if cut and cut[place] is not None
    ]
    calls = [Call("next_probabilities", (logits, *cut), into="shares")]
    for number in range(1, WALKS + 1):
        numbers = draw.generator.uniform(0.02, 0.98, 12).round(3)
        chosen = uniform
        if uniform is None or number > 1:
            chosen = _telling(numbers, sums, others)
        calls.append(Call("sample", (row, chosen, *cut), into=f"token {number}"))
    return calls


def _values(draw: Draw, logits: ArrayInput, *, ties: bool, many_tied: bool) -> NDArray[Any]:
    """Logits of which no two are alike; with `ties`, those of the second to fourth rank are 0.

    With `many_tied`, half of a vocabulary are: a sort that keeps three of them in order may fail
    to keep many. Only zeros stay alike when they are moved by a rounding.
    """
    *batch, v = logits.values.shape
    if draw.case.layout is Layout.EXPANDED and logits.values.ndim >= EXPANDABLE:
        batch[0] = 1
    step = 1.0 if draw.case.whole else STEP if v < 20 else 8 / v
    ladder = step * (2 - np.arange(v)) if draw.case.whole else step * (1.3 - np.arange(v))
    if v > MANY:  # nearly all of them have next to no share: no sum of many decides a choice
        ladder = np.where(np.arange(v) < FEW, STEP * (1.3 - np.arange(v)), -25 - ladder[::-1])
    if ties:
        tied = max(3.0, v // 2) if many_tied else 3.0
        first = 2.0 * step if draw.case.whole else 1.5 * step
        ladder = np.where(np.arange(v) == 0, first, step * np.minimum(tied - np.arange(v), 0.0))
    rows = draw.generator.permuted(np.broadcast_to(ladder, (*batch, v)), axis=-1)
    values = rounded(draw.case.spread * rows, draw.case.dtype)
    return np.broadcast_to(values, logits.values.shape).copy()


def _sums(shares: NDArray[Any]) -> NDArray[Any]:
    return np.cumsum(shares, axis=-1).reshape(-1)


def _largest_sum(logits: NDArray[Any], k: int | None) -> float:
    """The largest sum that float32 may give of the shares of the last row."""
    narrow = logits.reshape(-1, logits.shape[-1])[-1].astype(np.float32)
    narrow = np.where(narrow >= np.sort(narrow)[-(k or 0)], narrow, np.float32(-np.inf))
    exact, made = (np.exp(each - each.max()) for each in (narrow.astype(np.float64), narrow))
    rounded_off = (exact / exact.sum()).astype(np.float32)
    return float(max(np.cumsum(each)[-1] for each in (rounded_off, made / made.sum())))


def _top_p(
    draw: Draw, logits: NDArray[Any], temperature: float, k: int | None, near: float | None
) -> float:
    """A number `near` what is wanted, or one that needs two tokens that have a share.

    Where the latter can, it is one by which the shares before top-k, and those at a temperature of
    1, keep other tokens.
    """
    sums, *others = (
        _sums(-np.sort(-next_probabilities(logits, warmth, limit), axis=-1))
        for warmth, limit in ((temperature, k), (temperature, None), (1.0, k))
    )
    away = np.abs(CANDIDATES[:, None] - np.concatenate([sums, *others])).min(axis=-1) > MARGIN
    if near is not None:
        clear = CANDIDATES[away]
        return round(float(clear[np.argmin(np.abs(clear - near))]), 3)
    kept, *kept_otherwise = (_kept(each[: logits.shape[-1]], k) for each in (sums, *others))
    told_apart = sum((each != kept).astype(int) for each in kept_otherwise)
    worth = np.where(away, 1 + (sums[0] < CANDIDATES) * (1 + told_apart), 0)
    return round(float(draw.generator.choice(CANDIDATES[worth == worth.max()])), 3)


def _kept(sums: NDArray[Any], k: int | None) -> NDArray[Any]:
    """The number of tokens, but the first, that each of the candidates keeps."""
    return np.minimum(np.searchsorted(sums, CANDIDATES), (k or len(sums)) - 1)


def _farthest(numbers: NDArray[Any], sums: NDArray[Any]) -> float:
    """The one of `numbers` that is farthest from all `sums`."""
    distances = np.abs(numbers[:, None] - sums).min(axis=-1)
    return round(float(numbers[np.argmax(distances)]), 3)


def _telling(numbers: NDArray[Any], sums: NDArray[Any], others: list[NDArray[Any]]) -> float:
    """The one of `numbers` that is clear of all `sums`, and chooses another token by `others`."""
    told_apart = np.zeros(len(numbers))
    for each in others:
        told_apart += np.searchsorted(each, numbers) != np.searchsorted(sums, numbers)
    clear = np.abs(numbers[:, None] - sums).min(axis=-1) > MARGIN
    best = np.where(clear, told_apart, 0)
    return _farthest(numbers[best == best.max()], sums)


def _cut(words: str, holds: Any) -> Probe:
    return Probe(words, lambda call: call["logits"] is not None and bool(holds(call)))


drill = Drill(
    id="sample",
    reference={"next_probabilities": next_probabilities, "sample": sample},
    steps=SAMPLING_STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "without a batch, the logits are a vector",
                layout="transposed in memory",
                batch="no batch",
            ),
            Excluded(
                "with one batch axis, the logits have no axis before their last two",
                layout=("permuted as by split_heads", "expanded along the first axis"),
                batch="one batch axis",
            ),
            Excluded(
                "the axes that would be swapped have size 1",
                layout="permuted as by split_heads",
                batch="three batch axes",
            ),
            Excluded("a single token cannot tie with another", ties="ties", vocabulary="one"),
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                vocabulary="one",
            ),
            Excluded(
                "an argument that is not passed has no keyword",
                temperature="only the logits",
                passed="top_k by keyword",
            ),
            Excluded(
                "with only the logits given, nothing is cut off",
                temperature="only the logits",
                k=("the first", "the first two", "more than there are"),
            ),
            Excluded(
                "with only the logits given, nothing is cut off",
                temperature="only the logits",
                p="top-p",
            ),
            batch=BATCHES,
            vocabulary={
                "five tokens": {"v": 5},
                "six tokens": {"v": 6},
                "one": {"v": 1},
            },
            temperature={
                "a temperature of 1": {},
                "colder": {"temperature": 0.5},
                "warmer": {"temperature": 2.0},
                "only the logits": {"temperature": None},
            },
            k={
                "no top-k": {},
                "the first two": {"k": 2},
                "the first": {"k": 1},
                "more than there are": {"k": 400},
            },
            p={"no top-p": {}, "top-p": {"p": True}},
            ties={"all different": {}, "ties": {"ties": True}},
            values={
                "drawn": {},
                "large numbers": {"spread": 1e3},
                "huge numbers": {"dtype": "float64", "spread": 1e5},
            },
            passed=by_keyword("top_k"),
        ),
    ),
    cases=(
        case("three of six, then top-p", v=6, k=3, p=True, batch=(3,)),
        case("three of six, higher temperature, then top-p", v=6, k=3, p=True, temperature=2.0),
        case("four of six, then top-p", v=6, k=4, p=True, dtype="float64"),
        case("a uniform number of 0", v=6, k=2, uniform=0.0),
        case("a uniform number of 0, top-p", v=5, p=True, uniform=0.0),
        case("a uniform number of 0, all left", v=5, uniform=0.0),
        case("a vocabulary of 300", v=300, k=1),
        *(
            case("a sum of exactly p", dtype=dtype, v=4, top_p=0.5, exact=True)
            for dtype in ("float32", "float64")
        ),
        case("nearly all of the uniform numbers", v=6, uniform=0.9999),
        *(
            case(
                f"{v} tokens and the largest uniform number below 1",
                v=v,
                uniform=NEXT_TO_1,
                by_rounding=True,
            )
            for v in (19, 29, 41, 53)
        ),
        case(
            "top-k and the largest uniform number below 1",
            v=7,
            k=3,
            uniform=NEXT_TO_1,
            by_rounding=True,
        ),
        case("a uniform number next to a sum", v=EQUAL, exact=True, uniform=ACROSS),
        case("many ties", v=150, k=40, ties=True, batch=(4,)),
        case("a temperature of 0.7", v=6, temperature=0.7, p=True),
        case("everything by keyword", v=5, k=3, p=True, keywords=("temperature",)),
        case("the same call twice", twice=True, v=5, temperature=2.0, batch=(2,)),
    ),
    probes=(
        entry("logits", "above 1,000", lambda z: z > 1e3),
        _cut("temperature not given", lambda call: call["temperature"] is None),
        _cut("top-k alone", lambda call: call["top_k"] and not call["top_p"]),
        _cut("top-p alone", lambda call: call["top_p"] and not call["top_k"]),
        _cut("top-k and top-p", lambda call: call["top_p"] and call["top_k"]),
        _cut("top-p by keyword", lambda call: "top_p" in call.keywords),
        _cut(
            "top-k beyond the vocabulary",
            lambda call: call["top_k"] and call["top_k"] > call["logits"].shape[-1],
        ),
        _cut("equal logits", lambda call: np.sum(call["logits"].values == 0) > 1),
        Probe("uniform of 0", lambda call: call["uniform"] == 0),
    ),
    unasked={
        "*gradient*": "sampling probabilities are not differentiated",
    },
    small=(
        {"v": 2, "temperature": 2.0},
        {"v": 3, "k": 1},
        {"v": 3, "k": 2},
        {"v": 3, "p": True},
        {"v": 4, "k": 3, "p": True, "temperature": 2.0},
        {"v": 4, "k": 2, "ties": True},
    ),
    misconceptions=(
        *sampling.OF_SAMPLING,
        *(each for each in behaviour.of("sampling") if "gradient" not in each.id),
    ),
    axes=("row", "token"),
    told_as={"k": "top_k", "p": "", "ties": "", "exact": ""},
    exact_zeros=True,
    forbidden=FORBIDDEN,
)
