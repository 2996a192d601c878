"""The checks of `multi-head-attention`."""

import numpy as np

from studyattn.attention import STEPS, multi_head_attention
from studyattn.grading.call_plan import ArrayInput, Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.space import Excluded

from ...conditions import OF_TOKENS, by_keyword, gradients_space, space
from ...misconceptions import behaviour, heads, masks, projecting, scores, weights
from ...probes import OF_HEADS, gradient_beside_large, masks_of, zeros
from ...shared import FORBIDDEN, HUGE, lower_scores, projections
from ...variants import ROUNDED_ROOT


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    n: int,
    d_model: int,
    h: int,
    d: int,
    d_v: int,
    form: str = "",
    says: str = "some",
    lowered: float = 0.0,
    zeros: bool = False,
) -> Call:
    """The mask has the `form` of its axes, none where it is empty, and `says` who may meet.

    All scores stand `lowered` below what was drawn; with `zeros`, the first token is all zeros.
    """
    x = draw.array(*batch, n, d_model, sharp=True)
    weights = projections(draw, d_model=d_model, h=h, d=d, d_v=d_v)
    if lowered:
        lower_scores(x, x, *weights[:2], h, lowered)
    if zeros:
        x.values[..., 0, :] = 0.0
    arrays = (x, *weights, h)
    if not form:
        return Call("multi_head_attention", arrays)
    ones = (1,) * len(batch)
    over = {"all": (), "ones": (*ones, 1), "heads": (*ones, h), "each": (*batch, h)}
    mask = draw.mask(*over.get(form, (*batch, 1)), 1 if form == "queries" else n, n)
    return Call("multi_head_attention", (*arrays, _saying(mask, says)))


def _saying(mask: ArrayInput, says: str) -> ArrayInput:
    allowed = np.array(mask.values)
    match says:
        case "a row":
            allowed[..., -1, :] = False
        case "a row of one head":
            allowed[..., -1, 0] = True
            allowed[..., 0, -1, :] = False
        case "nothing" | "everything":
            allowed[:] = says == "everything"
        case "not the first" | "not the last":
            allowed[:] = True
            allowed.flat[0 if "first" in says else -1] = False
        case "one":
            allowed[:] = False
            allowed.flat[allowed.size // 2] = True
    return with_values(mask, allowed)


drill = Drill(
    id="multi-head-attention",
    reference={"multi_head_attention": multi_head_attention},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                stream="a stream of one",
            ),
            Excluded(
                "without a mask there is nothing to leave out",
                mask="no mask",
                says=("a row hides everything", "nothing allowed"),
            ),
            Excluded(
                "without a mask, nothing is passed",
                mask="no mask",
                passed="num_heads by keyword",
            ),
            Excluded(
                "without a batch there is only one mask",
                batch="no batch",
                mask=("for each batch entry", "for each entry and head"),
            ),
            batch={
                "one batch axis": {"batch": (2,)},
                "no batch": {"batch": ()},
                "two batch axes": {"batch": (2, 3)},
                "batch = heads": {"batch": (3,)},
                "three batch axes": {"batch": (2, 1, 2)},
                "four batch axes": {"batch": (1, 2, 1, 2)},
                "five batch axes": {"batch": (2, 1, 1, 2, 1)},
            },
            tokens={
                "several tokens": {"n": 5},
                "n = 3": {"n": 3},
                "one token": {"n": 1},
                "an odd number of tokens": {"n": 7},
            },
            stream={
                "a stream of six": {"d_model": 6},
                "a stream of one": {"d_model": 1},
            },
            heads={
                "several heads": {"h": 3, "d": 4, "d_v": 7},
                "d = d_v": {"h": 2, "d": 3, "d_v": 3},
                "one head": {"h": 1, "d": 4, "d_v": 4},
                "an odd number of heads": {"h": 5, "d": 3, "d_v": 2},
                "one feature per head": {"h": 2, "d": 1, "d_v": 1},
            },
            mask={
                "no mask": {},
                "for all": {"form": "all"},
                "with axes of one entry": {"form": "ones"},
                "for each batch entry": {"form": "entries"},
                "for each head": {"form": "heads"},
                "for each entry and head": {"form": "each"},
                "for all queries": {"form": "queries"},
            },
            says={
                "some pairs": {},
                "a row hides everything": {"says": "a row"},
                "nothing allowed": {"says": "nothing"},
                "everything allowed": {"form": "all", "says": "everything"},
                "all but the first pair": {"form": "entries", "says": "not the first"},
                "all but the last pair": {"form": "entries", "says": "not the last"},
                "one pair": {"form": "all", "says": "one"},
            },
            values=OF_TOKENS,
            passed=by_keyword("num_heads", "mask"),
        ),
        gradients_space(
            {
                "no mask": {"n": 2, "d_model": 2, "h": 2, "d": 1, "d_v": 1},
                "with an empty row": {
                    "batch": (2,),
                    "n": 2,
                    "d_model": 2,
                    "h": 2,
                    "d": 1,
                    "d_v": 1,
                    "form": "entries",
                    "says": "a row",
                },
            },
            of={"all inputs": {"gradients": True}},  # x is the only one
            large={
                "batch": (6,),
                "n": 4,
                "d_model": 2,
                "h": 2,
                "d": 1,
                "d_v": 1,
                "form": "entries",
            },
        ),
    ),
    cases=(
        case(
            "huge scores, one key",
            **HUGE,
            form="entries",
            batch=(16,),
            n=2,
            d_model=6,
            h=3,
            d=2,
            d_v=2,
        ),
        case(
            "a mask per batch entry and head, as many entries as heads",
            batch=(3,),
            n=5,
            d_model=6,
            h=3,
            d=4,
            d_v=7,
            form="each",
        ),
        case(
            "one head's row hides everything",
            batch=(2,),
            n=4,
            d_model=5,
            h=3,
            d=2,
            d_v=2,
            form="each",
            says="a row of one head",
        ),
        *(
            case(f"no batch, a mask {form}", n=5, d_model=6, h=3, d=4, d_v=7, form=form)
            for form in ("heads", "queries")
        ),
        case("square weights", batch=(2,), n=5, d_model=6, h=3, d=2, d_v=2),
        case("the same call twice", twice=True, batch=(2,), n=4, d_model=6, h=2, d=3, d_v=3),
    ),
    probes=(
        gradient_beside_large("x"),
        *OF_HEADS,
        *masks_of("mask", "x"),
        zeros("x"),
    ),
    unasked={
        "a gradient of w_*": "the weights may be copied into a module's parameters",
        "no gradient of x, but of another input": "no other gradient is required",
    },
    small=(
        {"n": 1, "d_model": 2, "h": 2, "d": 1, "d_v": 1},
        {"n": 2, "d_model": 2, "h": 2, "d": 1, "d_v": 1},
        {"n": 2, "d_model": 2, "h": 2, "d": 2, "d_v": 2},
        {"n": 2, "d_model": 2, "h": 2, "d": 2, "d_v": 2, "form": "all"},
    ),
    misconceptions=(
        *heads.HEADS,
        *projecting.PROJECTIONS,
        heads.output_projection_missing,
        heads.output_transposed,
        heads.residual_added,
        heads.scores_averaged_over_heads,
        scores.scale_by_d_model,
        *masks.APPLIED,
        masks.mask_transposed,
        masks.mask_repeated_in_wrong_order,
        *weights.ATTENTION,
        *behaviour.of("output-matrix"),
    ),
    variants=(ROUNDED_ROOT,),
    told_as={"d": "d_head"},
    axes=("token", "feature"),
    forbidden=FORBIDDEN,
)
