"""The checks of `delta-rule`."""

import numpy as np

from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import (
    Contrast,
    Draw,
    Drill,
    Growth,
    Limit,
    Measured,
    case,
    with_values,
)
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import recurrent
from ...reference.recurrent import STEPS, delta_rule
from ...shared import FLOATS, NO_GRADIENT, NO_HALVES, NOT_EXPANDED, OF_HEADS, behaviour


def ask(
    draw: Draw,
    *,
    n: int,
    d_k: int,
    d_v: int,
    batch: tuple[int, ...] = (),
    begins: bool = True,
    again: bool = False,
    gates: str = "drawn",
    rates: str = "drawn",
) -> Call:
    """Tokens after a state; with `begins`, the first ones of a text.

    With `again`, tokens take turns with two keys. `gates` and `rates` are "drawn" or all "one".
    """
    generator = draw.generator
    q, v = draw.array(*batch, n, d_k), draw.array(*batch, n, d_v)
    k = draw.array(*batch, n, d_k)
    keys = k.values
    if draw.case.whole:
        keys = np.eye(d_k)[generator.integers(0, d_k, (*batch, n))]
    if again:
        keys = keys[..., np.arange(n) % min(2, n), :]
    lengths = np.linalg.norm(keys, axis=-1, keepdims=True)
    k = with_values(k, rounded(keys / lengths, draw.case.dtype))
    shape = (*batch, n)
    numbers = []
    for how, low in ((gates, 0.5), (rates, 0.1)):
        values = np.ones(shape) if how == "one" else generator.uniform(low, 0.95, shape)
        if draw.case.whole and how != "one":
            values = generator.choice([0.25, 0.5, 0.75], shape)
        numbers.append(with_values(draw.array(*shape), rounded(values, draw.case.dtype)))
    state = () if begins else (draw.array(*batch, d_k, d_v),)
    return Call("delta_rule", (q, k, v, *numbers, *state))


def is_quadratic(measured: Measured) -> bool:
    """Return whether a matrix of all pairs was made, or the work of a triangle of them done."""
    return any(
        usage.largest_array >= sizes["n"] ** 2 // 2
        or usage.flops >= sizes["n"] ** 2 // 2 * sizes["d_k"]
        for sizes, usage in measured
    )


HEADS = {"batch": (2, 3), "n": 5, "d_k": 3, "d_v": 4}

COSTED = {"d_k": 4, "d_v": 4, "begins": False}

drill = Drill(
    id="delta-rule",
    reference={"delta_rule": delta_rule},
    steps=STEPS,
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": OF_HEADS,
                "batch": {
                    "one batch axis": {"batch": (2,)},
                    "no batch": {},
                    "batch and heads": {"batch": (2, 3)},
                    "a batch of one": {"batch": (1,)},
                },
                "tokens": {"five tokens": {"n": 5}, "one token": {"n": 1}, "twenty": {"n": 20}},
                "widths": {
                    "wider values": {"d_k": 3, "d_v": 4},
                    "all alike": {"d_k": 5, "d_v": 5},
                    "wider keys": {"d_k": 6, "d_v": 2},
                    "one feature": {"d_k": 1, "d_v": 1},
                },
                "state": {"after a state": {"begins": False}, "from the beginning": {}},
                "keys": {"drawn keys": {}, "keys that come again": {"again": True}},
                "gates": {"drawn gates": {}, "nothing decays": {"gates": "one"}},
                "rates": {"drawn rates": {}, "all is written": {"rates": "one"}},
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=(
                        "transposed in memory",
                        "strided in memory",
                        "permuted as by split_heads",
                    ),
                    widths="one feature",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout=("transposed in memory", "permuted as by split_heads"),
                    tokens="one token",
                ),
                Excluded(
                    "a vector has no second axis to transpose",
                    layout=("transposed in memory", "permuted as by split_heads"),
                    batch="no batch",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout=("transposed in memory", "permuted as by split_heads"),
                    batch="a batch of one",
                ),
            ),
        ),
    ),
    cases=(
        case("the same call twice", twice=True, batch=(2,), n=4, d_k=3, d_v=2, begins=False),
        *(
            case(f"{dtype}, {layout.value}", dtype=dtype, layout=layout, begins=False, **HEADS)
            for dtype in ("float32", "float64")
            for layout in (Layout.PERMUTED, Layout.STRIDED)
        ),
        case("cost", costed=True, n=520, **COSTED),
        case("cost of more tokens", costed=True, n=1040, **COSTED),
    ),
    probes=(
        Probe("a state that is given", lambda call: call["state"] is not None),
        Probe("no state", lambda call: call["state"] is None),
    ),
    unasked=NO_GRADIENT
    | NO_HALVES
    | NOT_EXPANDED
    | {"*[345] axes in front*": "further axes in front are as two"},
    small=(
        {"n": 1, "d_k": 1, "d_v": 1},
        {"n": 2, "d_k": 1, "d_v": 1},
        {"n": 1, "d_k": 1, "d_v": 1, "begins": False},
        {"n": 2, "d_k": 2, "d_v": 1},
        {"n": 2, "d_k": 2, "d_v": 2, "begins": False},
        {"n": 3, "d_k": 2, "d_v": 2},
    ),
    misconceptions=(*recurrent.OF_DELTA, recurrent.delta_quadratic, *behaviour("delta-rule")),
    axes=("token", "value"),
    parts=("readings", "state"),
    told_as={"begins": "", "again": "", "gates": "", "rates": ""},
    growth=Growth(
        counts="tokens",
        sizes=lambda n: {"n": n, "d_k": 8, "d_v": 8, "begins": False},
        contrasts=(Contrast("no state"),),
        at=(64, 128, 256, 512),
    ),
    limit=Limit(
        recurrent.delta_quadratic,
        flops=lambda sizes: 160 * sizes["n"] * sizes["d_k"] * sizes["d_v"],
        largest_array=lambda sizes: sizes["n"] ** 2 // 4,
        grows_with=lambda sizes: int(sizes["n"]),
        claim=is_quadratic,
    ),
)
