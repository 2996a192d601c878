"""The checks of `quantized-linear`."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from studyattn.grading.call_plan import Call, Register
from studyattn.grading.drill import Draw, Drill, Limit, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import quantization
from ...reference.quantization import LINEAR, quantize, quantized_linear
from ...shared import FLOATS, LAYOUTS, behaviour, by_keyword

CLEAR = 0.35
"""How far a quotient is from a whole number at most: no rounding decides which is nearest."""


def ask(
    draw: Draw,
    *,
    n: int,
    group: int,
    d_out: int,
    bits: int | None = 8,
    batch: tuple[int, ...] = (),
    zeros: bool = False,
    negative: bool = False,
    uneven: float = 1.0,
) -> list[Call]:
    """Weights whose quotients are clear of the middle, and a product by them.

    With `zeros`, the first group of the last column is zero; with `negative`, the largest absolute
    value of each group is below 0. Scales differ by as much as `uneven` between the groups.
    """
    top = 2 ** ((bits or 8) - 1) - 1
    generator = draw.generator
    shape, d_in = (n, group, d_out), n * group
    off = generator.choice([-0.25, 0.0, 0.25], shape)
    if not draw.case.whole:
        off = generator.uniform(-CLEAR, CLEAR, shape)
    wholes = generator.integers(-top + 1, top, shape).astype(float)
    place = generator.integers(0, group, (n, 1, d_out))
    signs = -np.ones((n, 1, d_out)) if negative else generator.choice([-1.0, 1.0], (n, 1, d_out))
    is_peak = np.arange(group)[None, :, None] == place
    quotients = np.where(is_peak, signs * top, wholes + off)
    scales = np.exp2(generator.integers(-6, 3, (n, 1, d_out)) * uneven)
    if draw.case.whole:
        scales = np.exp2(generator.integers(0, 3, (n, 1, d_out)))
    values = quotients * scales
    if zeros:
        values[0, :, -1] = 0.0
    w = draw.array(d_in, d_out)
    w = with_values(w, rounded(values.reshape(d_in, d_out), draw.case.dtype))
    cut = () if bits is None else (bits,)
    return [
        Call("quantize", (w, group, *cut), into="packed"),
        Call(
            "quantized_linear",
            (draw.array(*batch, d_in), Register("packed", 0), Register("packed", 1)),
            into="y",
        ),
    ]


def weights(sizes: Mapping[str, Any]) -> int:
    return int(sizes["n"] * sizes["group"] * sizes["d_out"])


def kept(sizes: Mapping[str, Any]) -> int:
    """Half as many bytes again as whole numbers and scales of 8 bytes take, and some for Python."""
    return int(1.5 * (weights(sizes) + 8 * sizes["n"] * sizes["d_out"])) + 100_000


drill = Drill(
    id="quantized-linear",
    reference={"quantize": quantize, "quantized_linear": quantized_linear},
    steps=LINEAR,
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": LAYOUTS,
                "sizes": {
                    "three groups of four": {"n": 3, "group": 4, "d_out": 5},
                    "four groups of three": {"n": 4, "group": 3, "d_out": 3},
                    "one group": {"n": 1, "group": 6, "d_out": 4},
                    "a square of groups": {"n": 3, "group": 3, "d_out": 9},
                    "groups of one": {"n": 4, "group": 1, "d_out": 3},
                    "one column": {"n": 4, "group": 2, "d_out": 1},
                },
                "bits": {
                    "8 bits": {},
                    "4 bits": {"bits": 4},
                    "3 bits": {"bits": 3},
                    "bits not given": {"bits": None},
                },
                "batch": {
                    "one batch axis": {"batch": (3,)},
                    "no batch": {"batch": ()},
                    "two batch axes": {"batch": (2, 3)},
                    "a batch of one": {"batch": (1,)},
                },
                "values": {
                    "drawn": {},
                    "a group of zeros": {"zeros": True},
                    "the largest below zero": {"negative": True},
                },
                "passed": by_keyword("group"),
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    sizes="one column",
                ),
                Excluded(
                    "a vector has no second axis to transpose",
                    layout="transposed in memory",
                    batch="no batch",
                ),
            ),
        ),
    ),
    cases=(
        case("the same calls twice", twice=True, n=3, group=2, d_out=3, batch=(2,)),
        case("tiny weights", dtype="float64", n=2, group=3, d_out=3, uneven=8.0, batch=(2,)),
        case("wide", n=6, group=50, d_out=7, batch=(2,)),
        case("bytes of half a million weights", costed=True, n=16, group=64, d_out=512, batch=(2,)),
    ),
    probes=(
        Probe(
            "a group of zeros",
            lambda call: (
                call["w"] is not None
                and bool(
                    np.any(
                        np.all(
                            call["w"].values.reshape(-1, call["group"], call["w"].shape[-1]) == 0,
                            axis=1,
                        )
                    )
                )
            ),
        ),
        Probe("4 bits", lambda call: call["bits"] == 4),
        Probe("bits not given", lambda call: call["w"] is not None and call["bits"] is None),
    ),
    small=(
        {"n": 1, "group": 2, "d_out": 1, "bits": 3},
        {"n": 2, "group": 1, "d_out": 2, "bits": 4},
        {"n": 2, "group": 2, "d_out": 2, "bits": 4},
        {"n": 2, "group": 2, "d_out": 2, "bits": 8},
        {"n": 2, "group": 2, "d_out": 2, "bits": 4, "zeros": True},
    ),
    limit=Limit(quantization.quantize_floats_kept, kept=kept, kept_for=("weight", weights)),
    misconceptions=(*quantization.OF_LINEAR, *behaviour("quantization-groups")),
    axes=("input", "output"),
    parts=("whole numbers", "scales"),
    told_as={"zeros": "", "negative": "", "uneven": ""},
)
