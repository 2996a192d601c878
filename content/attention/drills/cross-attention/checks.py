"""The checks of `cross-attention`."""

import numpy as np

from studyattn.attention import STEPS, cross_attention
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import OF_TOKENS, by_keyword, gradients_space, space
from ...misconceptions import behaviour, heads, masks, projecting, scores, weights
from ...probes import OF_HEADS, gradient_beside_large, masks_of, one_array, zeros
from ...shared import FORBIDDEN, HUGE, lower_scores, projections
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    b: int,
    m: int,
    n: int,
    d_model: int,
    d_context: int,
    h: int,
    d: int,
    d_v: int,
    masked: bool = False,
    says: str = "some",
    lowered: float = 0.0,
    zeros: bool = False,
    alike: bool = False,
) -> Call:
    """A mask `says` which positions are real; x is the context where they are `alike`.

    All scores stand `lowered` below what was drawn; with `zeros`, the first token and the first
    position of the context are nothing but zeros.
    """
    x = draw.array(b, m, d_model, sharp=True)
    same = alike and (m, d_model) == (n, d_context)
    context = x if same else draw.array(b, n, d_context, sharp=True)
    weights = projections(draw, d_model=d_model, h=h, d=d, d_v=d_v, d_context=d_context)
    if lowered:
        lower_scores(x, context, *weights[:2], h, lowered)
    if zeros:
        x.values[:, 0], context.values[:, 0] = 0.0, 0.0
    arrays = (x, context, *weights, h)
    if not masked:
        return Call("cross_attention", arrays)
    mask = draw.mask(b, n)
    allowed = np.array(mask.values)
    match says:
        case "an entry":
            allowed[-1] = False
        case "nothing" | "everything":
            allowed[:] = says == "everything"
        case "not the first" | "not the last":
            allowed[:] = True
            allowed[:, 0 if "first" in says else -1] = False
        case "one":
            allowed[:] = False
            allowed[:, n // 2] = True
    return Call("cross_attention", (*arrays, with_values(mask, allowed)))


SAME = {"d_model": 6, "d_context": 6, "h": 3, "d": 2, "d_v": 2}

drill = Drill(
    id="cross-attention",
    reference={"cross_attention": cross_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                stream=("a stream of one", "a narrower context"),
            ),
            Excluded(
                "without a mask, nothing is hidden",
                mask="no mask",
                says=("an entry without context", "nothing allowed"),
            ),
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("permuted as by split_heads", "expanded along the first axis"),
                batch="one batch entry",
            ),
            Excluded(
                "a single array has a single shape",
                arrays="x is the context",
                tokens=(
                    "shorter than the context",
                    "one query",
                    "longer than the context",
                    "several queries, one key",
                ),
            ),
            Excluded(
                "a single array has a single shape",
                arrays="x is the context",
                stream=("a wider context", "a narrower context", "a stream of one"),
            ),
            Excluded(
                "queries and keys have their own entries",
                arrays="x is the context",
                values="scores far below zero",
            ),
            batch={
                "several batch entries": {"b": 2},
                "one batch entry": {"b": 1},
                "batch = heads": {"b": 3},
            },
            tokens={
                "shorter than the context": {"m": 4, "n": 5},
                "as long as the context": {"m": 5, "n": 5},
                "one query": {"m": 1, "n": 7},
                "one query and key": {"m": 1, "n": 1},
                "longer than the context": {"m": 9, "n": 3},
                "several queries, one key": {"m": 4, "n": 1},
            },
            stream={
                "a wider context": {"d_model": 6, "d_context": 7},
                "as wide as the context": {"d_model": 6, "d_context": 6},
                "a narrower context": {"d_model": 5, "d_context": 1},
                "a stream of one": {"d_model": 1, "d_context": 4},
            },
            heads={
                "several heads": {"h": 3, "d": 4, "d_v": 7},
                "d = d_v": {"h": 2, "d": 3, "d_v": 3},
                "one head": {"h": 1, "d": 4, "d_v": 4},
                "an odd number of heads": {"h": 5, "d": 3, "d_v": 2},
                "one feature per head": {"h": 2, "d": 1, "d_v": 1},
            },
            mask={"no mask": {}, "a mask": {"masked": True}},
            says={
                "some positions": {},
                "an entry without context": {"says": "an entry"},
                "nothing allowed": {"says": "nothing"},
                "everything allowed": {"masked": True, "says": "everything"},
                "all but the first position": {"masked": True, "n": 21, "says": "not the first"},
                "all but the last position": {"masked": True, "n": 21, "says": "not the last"},
                "one position": {"masked": True, "says": "one"},
            },
            values=OF_TOKENS,
            passed=by_keyword("num_heads", "context_mask"),
            arrays={"x and context": {}, "x is the context": {"alike": True}},
        ),
        gradients_space(
            {
                "no mask": {
                    "b": 2,
                    "m": 2,
                    "n": 2,
                    "d_model": 1,
                    "d_context": 2,
                    "h": 1,
                    "d": 1,
                    "d_v": 1,
                },
                "with an empty context": {
                    "b": 2,
                    "m": 2,
                    "n": 2,
                    "d_model": 2,
                    "d_context": 1,
                    "h": 2,
                    "d": 1,
                    "d_v": 1,
                    "masked": True,
                    "says": "an entry",
                },
            },
            large={
                "b": 12,
                "m": 2,
                "n": 4,
                "d_model": 2,
                "d_context": 2,
                "h": 1,
                "d": 2,
                "d_v": 1,
                "masked": True,
            },
        ),
    ),
    cases=(
        case("huge scores, one key", **HUGE, masked=True, b=16, m=2, n=2, **SAME),
        case("batch = heads, masked", masked=True, b=3, m=4, n=5, **SAME),
        case("as long as the context, masked", masked=True, b=4, m=5, n=5, **SAME),
        case("the same call twice", twice=True, masked=True, b=2, m=4, n=3, **SAME),
    ),
    probes=(
        gradient_beside_large("x", "context"),
        *OF_HEADS,
        *masks_of("context_mask", "context"),
        one_array("x", "context"),
        zeros("x"),
        zeros("context"),
    ),
    unasked={
        "a gradient of w_*": "the weights may be copied into a module's parameters",
    },
    small=(
        {"b": 1, "m": 1, "n": 1, "d_model": 2, "d_context": 2, "h": 1, "d": 2, "d_v": 2},
        {"b": 1, "m": 2, "n": 2, "d_model": 2, "d_context": 2, "h": 2, "d": 1, "d_v": 1},
        {"b": 1, "m": 2, "n": 2, "d_model": 2, "d_context": 2, "h": 2, "d": 2, "d_v": 2},
        {
            "b": 2,
            "m": 2,
            "n": 2,
            "d_model": 2,
            "d_context": 2,
            "h": 2,
            "d": 1,
            "d_v": 1,
            "masked": True,
        },
    ),
    misconceptions=(
        *projecting.CROSS,
        *heads.HEADS,
        *projecting.PROJECTIONS,
        heads.output_projection_missing,
        heads.output_transposed,
        heads.residual_added,
        heads.scores_averaged_over_heads,
        scores.scale_by_d_model,
        *masks.APPLIED,
        masks.mask_batch_as_heads,
        masks.mask_repeated_in_wrong_order,
        masks.mask_on_queries,
        masks.mask_first_batch,
        *weights.ATTENTION,
        *scores.SCALE_BY_LENGTH,
        *behaviour.of("cross-attention"),
    ),
    variants=(ROUNDED_ROOT,),
    told_as={"d": "d_head"},
    axes=("batch", "query", "feature"),
    forbidden=FORBIDDEN,
)
