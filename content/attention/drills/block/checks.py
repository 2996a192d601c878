"""The checks of `block`."""

import dataclasses

import numpy as np

from studyattn.attention import STEPS, block
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, given, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded

from ...conditions import BATCHES, gradients_space, space
from ...misconceptions import (
    behaviour,
    blocks,
    feed_forward,
    heads,
    masks,
    normalisation,
    scores,
    weights,
)
from ...probes import zeros
from ...shared import FORBIDDEN, rows_to_normalise


def ask(
    draw: Draw, *, h: int, d: int, f: int, mask: str = "causal", sharp: float = 1.0, **sizes: int
) -> Call:
    """Ask for one block. `mask` is "causal", "drawn", or empty where there is none.

    Its scores are as many times as large as is `sharp`.
    """
    x = rows_to_normalise(draw, d=d * h, **sizes)
    width, n = d * h, sizes["n"]
    norms = [(draw.array(width), draw.array(width)) for _ in range(2)]
    w_q, *others = (draw.weight(width, width) for _ in range(4))
    attention = (with_values(w_q, w_q.values * sharp), *others)
    mlp = (draw.weight(width, f), draw.array(f), draw.weight(f, width), draw.array(width))
    arrays = (x, *norms[0], *attention, *norms[1], *mlp, h)
    if not mask:
        return Call("block", arrays)
    allowed = given(np.tri(n, dtype=bool)) if mask == "causal" else draw.mask(n, n)
    allowed = dataclasses.replace(allowed, layout=draw.case.layout)
    return Call("block", (*arrays, allowed))


drill = Drill(
    id="block",
    reference={"block": block},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        space(
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("transposed in memory", "permuted as by split_heads"),
                rows="one row",
            ),
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                widths="one feature in between",
            ),
            batch=BATCHES,
            rows={
                "several rows": {"n": 5},
                "n = d": {"n": 6},
                "one row": {"n": 1},
            },
            widths={
                "two heads": {"h": 2, "d": 3, "f": 7},
                "one head": {"h": 1, "d": 4, "f": 3},
                "three heads of one feature": {"h": 3, "d": 1, "f": 3},
                "one feature": {"h": 1, "d": 1, "f": 2},
                "one feature in between": {"h": 1, "d": 3, "f": 1},
            },
            masks={"causal": {}, "no mask": {"mask": ""}, "any mask": {"mask": "drawn"}},
            values={
                "drawn": {},
                "a row of equal entries": {"flat": True},
                "a row of zeros": {"zeros": True},
                "large numbers": {"spread": 100.0},
            },
        ),
        # Of two features a norm leaves only signs: its gradient is what is left of two large terms.
        gradients_space({"two rows": {"n": 2, "h": 1, "d": 4, "f": 2}}, {"contiguous": {}}),
    ),
    cases=(
        case("huge scores", dtype="float64", sharp=1e4, n=4, h=2, d=3, f=3),
        case("mask by keyword", keywords=("mask",), n=4, h=2, d=2, f=3),
        case("the same call twice", twice=True, n=4, h=2, d=2, f=3),
    ),
    probes=(
        zeros("x"),
        Probe("no mask", lambda call: call["mask"] is None),
        Probe("mask by keyword", lambda call: "mask" in call.keywords),
    ),
    unasked={
        "*gradient of mask*": "a mask has no gradient",
        "*, mask spread in memory": "a mask's layout does not depend on the numbers' dtype",
    },
    small=(
        {"n": 1, "h": 1, "d": 2, "f": 1, "mask": ""},
        {"n": 2, "h": 1, "d": 2, "f": 2},
        {"n": 3, "h": 1, "d": 3, "f": 3},
    ),
    misconceptions=(
        *blocks.OF_BLOCKS,
        masks.mask_missing,
        masks.mask_inverted,
        masks.mask_transposed,
        feed_forward.gelu_exact,
        feed_forward.activation_other,
        feed_forward.activation_missing,
        normalisation.variance_unbiased,
        normalisation.eps_outside,
        scores.scale_missing,
        weights.softmax_unstable,
        scores.scale_by_d_model,
        heads.heads_ignored,
        heads.output_projection_missing,
        *behaviour.of("block-parts"),
    ),
    axes=("position", "feature"),
    told_as={"h": "num_heads", "d": "d_head"},
    slack=4.0,  # each of its parts rounds what the one before has rounded
    forbidden=FORBIDDEN,
)
