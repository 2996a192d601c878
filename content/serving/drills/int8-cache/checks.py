"""The checks of `int8-cache`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, Limit, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import quantization
from ...reference.quantization import CACHE, Int8Cache
from ...shared import FLOATS, NO_GRADIENT, NO_HALVES, NOT_EXPANDED, OF_HEADS, behaviour

CLEAR = 0.35
"""How far a quotient is from a whole number at most: no rounding decides which is nearest."""


def rows(draw: Draw, *shape: int, zeros: bool = False, largest: float = 3.0):
    """Rows whose quotients are clear of the middle, each with a scale of its own."""
    generator = draw.generator
    off = generator.choice([-0.25, 0.0, 0.25], shape)
    if not draw.case.whole:
        off = generator.uniform(-CLEAR, CLEAR, shape)
    place = generator.integers(0, shape[-1], (*shape[:-1], 1))
    signs = generator.choice([-1.0, 1.0], (*shape[:-1], 1))
    inner = generator.integers(-126, 127, shape) + off
    quotients = np.where(np.arange(shape[-1]) == place, 127 * signs, inner)
    scales = generator.choice([0.5, 1.0, 2.0], (*shape[:-1], 1)) / 64
    if draw.case.whole:
        scales = np.ones_like(scales) / 4
    values = quotients * scales * largest / 3
    if zeros:
        values[..., 0, :] = 0.0
    return with_values(draw.array(*shape), rounded(values, draw.case.dtype))


def ask(
    draw: Draw,
    *,
    b: int,
    h: int,
    d: int,
    t: int = 0,
    m: int = 2,
    chunks: tuple[int, ...] = (2, 3, 1),
    second: tuple[int, ...] = (),
    zeros: bool = False,
    growing: bool = False,
) -> list[Call]:
    """Feed `chunks` of tokens, and those of a `second` cache in between; with `t`, as many more.

    With `growing`, later tokens are larger.
    """
    chunks = (*chunks[:-1], t) if t else chunks
    calls = [Call("Int8Cache", into="_cache")]
    if second:
        calls.append(Call("Int8Cache", into="_other"))
    for i, length in enumerate(chunks):
        for name, size in (
            ("_cache", length),
            *([("_other", second[i])] if i < len(second) else []),
        ):
            k, v = (
                rows(draw, b, h, size, d, zeros=zeros, largest=3.0 * (1 + 3 * i * growing))
                for _ in range(2)
            )
            calls.append(Call("append", (k, v), on=name, into="_appended"))
        if draw.case.costed and i + 1 < len(chunks):
            continue
        q = draw.array(b, h, m, d, sharp=True)
        calls.append(Call("attend", (q,), on="_cache", into=f"attended, {i + 1}"))
        if i < len(second):
            calls.append(Call("attend", (q,), on="_other", into=f"other cache, {i + 1}"))
    if not draw.case.costed:
        calls.append(Call("stored", on="_cache", into="stored"))
    return calls


def kept(sizes: Mapping[str, Any]) -> int:
    """Half as many bytes again as whole numbers and scales of 8 bytes take, and some for Python."""
    rows = 2 * sizes["b"] * sizes["h"] * sum(sizes["chunks"])
    return int(1.5 * rows * (sizes["d"] + 8)) + 100_000


drill = Drill(
    id="int8-cache",
    reference={"Int8Cache": Int8Cache},
    steps=CACHE,
    exponents="scores",
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": OF_HEADS,
                "batch": {
                    "two entries": {"b": 2},
                    "one entry": {"b": 1},
                    "as many as heads": {"b": 3},
                },
                "heads": {"three heads": {"h": 3}, "one head": {"h": 1}},
                "width": {
                    "five features": {"d": 5},
                    "one feature": {"d": 1},
                    "as wide as tokens": {"d": 6},
                },
                "chunks": {
                    "chunks of all lengths": {},
                    "one token at a time": {"chunks": (1, 1, 1)},
                    "all at once": {"chunks": (4,)},
                    "a prompt, then a token": {"chunks": (5, 1)},
                },
                "queries": {"two queries": {}, "one query": {"m": 1}, "six queries": {"m": 6}},
                "caches": {"one cache": {}, "two caches in turn": {"second": (1, 2)}},
                "values": {
                    "drawn": {},
                    "a token of zeros": {"zeros": True},
                    "later tokens larger": {"growing": True},
                },
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    width="one feature",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout="permuted as by split_heads",
                    heads="one head",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout=("transposed in memory", "permuted as by split_heads"),
                    chunks="one token at a time",
                ),
            ),
        ),
    ),
    cases=(
        case("the same calls twice", twice=True, b=1, h=2, d=3, chunks=(2, 1)),
        case("huge scores", dtype="float64", spread=1e4, b=1, h=2, d=3),
        case("float64, permuted", dtype="float64", layout=Layout.PERMUTED, b=2, h=3, d=4, m=5),
        case("bytes of 64 tokens", costed=True, b=4, h=16, d=64, m=1, chunks=(8,) * 8),
    ),
    probes=(
        Probe(
            "a key of zeros",
            lambda call: (
                call["k"] is not None and bool(np.any(np.all(call["k"].values == 0, axis=-1)))
            ),
        ),
        Probe(
            "a value of zeros",
            lambda call: (
                call["v"] is not None and bool(np.any(np.all(call["v"].values == 0, axis=-1)))
            ),
        ),
    ),
    unasked=NO_GRADIENT
    | NO_HALVES
    | NOT_EXPANDED
    | {"m ? t": "queries and new tokens come in different calls"},
    small=(
        {"b": 1, "h": 1, "d": 2, "m": 1, "chunks": (1,)},
        {"b": 1, "h": 1, "d": 2, "m": 1, "chunks": (2,)},
        {"b": 1, "h": 1, "d": 2, "m": 1, "chunks": (1, 1)},
        {"b": 1, "h": 1, "d": 2, "m": 1, "chunks": (1, 1), "growing": True},
        {"b": 1, "h": 2, "d": 2, "m": 1, "chunks": (1, 1)},
    ),
    misconceptions=(*quantization.OF_CACHE, *behaviour("int8-cache")),
    limit=Limit(
        quantization.cache_floats_kept,
        kept=kept,
        kept_for=("token", lambda sizes: sum(sizes["chunks"])),
    ),
    axes=("batch", "head", "token", "feature"),
    parts=("keys", "their scales", "values", "their scales"),
    told_as={"zeros": "", "growing": "", "chunks": "", "second": ""},
)
