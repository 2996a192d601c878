"""The checks of `lora`."""

from studyattn.attention import STEPS, lora_linear
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, Limit, Measured, case
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded

from ...conditions import BATCHES, by_keyword, gradients_space, space
from ...misconceptions import behaviour, low_rank, projecting
from ...probes import zeros
from ...shared import FORBIDDEN, unevenly


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    d_in: int,
    d_out: int,
    r: int,
    alpha: float | None,
    uneven: bool = False,
    zeros: bool = False,
    b_zero: bool = False,
) -> Call:
    """Without `alpha`, it is r. With `uneven`, the first tokens are small and the last ones large.

    With `zeros`, the first token is zero; with `b_zero`, b is, as it is before any training.
    """
    x, w = draw.array(*batch, d_in), draw.weight(d_in, d_out, frozen=True)
    if uneven:
        x = unevenly(x, axis=-2)
    if zeros:
        x.values[..., 0, :] = 0.0
    a, b = draw.weight(d_in, r), draw.weight(r, d_out)
    if b_zero:
        b.values[:] = 0.0
    return Call("lora_linear", (x, w, a, b, float(r) if alpha is None else alpha))


def matrix_made(measured: Measured) -> bool:
    """Return whether the update was made as a matrix, or as much work was done as that takes."""
    return any(
        usage.largest_product >= sizes["d_in"] * sizes["d_out"]
        or usage.flops >= 2 * sizes["d_in"] * sizes["d_out"] * (sizes["r"] + sizes["batch"][0])
        for sizes, usage in measured
    )


drill = Drill(
    id="lora",
    reference={"lora_linear": lora_linear},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "the only token is neither zero nor small",
                batch="no batch",
                values=("zeros among the tokens", "tokens large and small"),
            ),
            Excluded(
                "a vector has no second axis, and a matrix has no leading axis",
                layout=("permuted as by split_heads", "expanded along the first axis"),
                batch=("no batch", "one batch axis"),
            ),
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout="permuted as by split_heads",
                batch="three batch axes",
            ),
            Excluded(
                "a vector has no second axis to transpose",
                layout="transposed in memory",
                batch="no batch",
            ),
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("transposed in memory", "strided in memory"),
                widths="rank one",
            ),
            batch=BATCHES,
            widths={
                "all widths different": {"d_in": 5, "d_out": 6, "r": 3},
                "square": {"d_in": 4, "d_out": 4, "r": 4},
                "narrower": {"d_in": 7, "d_out": 3, "r": 2},
                "rank one": {"d_in": 4, "d_out": 5, "r": 1},
                "a rank above both widths": {"d_in": 3, "d_out": 2, "r": 5},
                "one feature": {"d_in": 1, "d_out": 1, "r": 1},
                "more than 140 features": {"batch": (), "d_in": 150, "d_out": 2, "r": 2},
                "more than 140 output features": {"batch": (), "d_in": 2, "d_out": 150, "r": 1},
                "a rank of more than 140": {"batch": (2,), "d_in": 153, "d_out": 152, "r": 151},
                "more than 2,048 tokens": {"batch": (2053,), "d_in": 3, "d_out": 2, "r": 2},
            },
            alpha={
                "alpha above the rank": {"alpha": 7.0},
                "alpha = r": {"alpha": None},
                "alpha below one": {"alpha": 0.5},
                "a whole number for alpha": {"alpha": 8},
                "alpha of zero": {"alpha": 0.0},
                "alpha below zero": {"alpha": -3.0},
                "alpha far above the rank": {"alpha": 4096.0},
                "alpha far below the rank": {"dtype": "float64", "alpha": 1e-4},
            },
            values={
                "drawn": {},
                "b of zeros": {"b_zero": True},
                "zeros among the tokens": {"zeros": True},
                "tokens large and small": {"uneven": True},
            },
            passed=by_keyword("alpha"),
        ),
        gradients_space(
            {
                "a batch": {"batch": (2,), "d_in": 2, "d_out": 2, "r": 1, "alpha": 3.0},
                "b of zeros": {
                    "batch": (2, 2),
                    "d_in": 2,
                    "d_out": 1,
                    "r": 2,
                    "alpha": 3.0,
                    "b_zero": True,
                },
            }
        ),
    ),
    cases=(
        case("the same call twice", twice=True, batch=(3,), d_in=4, d_out=5, r=2, alpha=3.0),
        case("cost", costed=True, batch=(3,), d_in=48, d_out=40, r=4, alpha=8.0),
        case("cost, a large rank", costed=True, batch=(2,), d_in=24, d_out=20, r=48, alpha=8.0),
        case("cost, more tokens", costed=True, batch=(16,), d_in=96, d_out=90, r=24, alpha=8.0),
        case("cost, many tokens", costed=True, batch=(270,), d_in=300, d_out=290, r=4, alpha=8.0),
    ),
    probes=(
        zeros("x"),
        zeros("b"),
        Probe("alpha = r", lambda call: call["alpha"] == call["a"].shape[-1]),
        Probe("alpha = 0", lambda call: call["alpha"] == 0),
        Probe("alpha < 0", lambda call: call["alpha"] < 0),
        Probe("alpha is an int", lambda call: isinstance(call["alpha"], int)),
        Probe("alpha by keyword", lambda call: "alpha" in call.keywords),
        Probe("alpha by position", lambda call: "alpha" not in call.keywords),
    ),
    unasked={"*gradient of w*": "w is frozen: no gradient is required for it"},
    small=(
        {"d_in": 1, "d_out": 1, "r": 1, "alpha": 2.0},
        {"batch": (1,), "d_in": 2, "d_out": 1, "r": 2, "alpha": 4.0},
        {"batch": (2,), "d_in": 2, "d_out": 2, "r": 2, "alpha": 3.0},
    ),
    misconceptions=(
        *low_rank.LORA,
        projecting.projection_transposed,
        low_rank.low_rank_materialised,
        *behaviour.of("lora"),
    ),
    axes=("token", "feature"),
    limit=Limit(
        low_rank.low_rank_materialised,
        flops=lambda sizes: int(
            1.6
            * 2
            * sizes["batch"][0]
            * (sizes["d_in"] * sizes["d_out"] + sizes["r"] * (sizes["d_in"] + sizes["d_out"]))
        ),
        # Merging many tokens' update takes fewer operations: what is banned is the matrix itself.
        largest_product=lambda sizes: sizes["d_in"] * sizes["d_out"] - 1,
        claim=matrix_made,
    ),
    forbidden=FORBIDDEN,
)
