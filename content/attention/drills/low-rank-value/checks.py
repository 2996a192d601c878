"""The checks of `low-rank-value`."""

from studyattn.attention import STEPS, low_rank_value
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, Measured, case
from studyattn.grading.space import Excluded

from ...conditions import BATCHES, SEQUENCE, TOKEN_VALUES, gradients_space, space
from ...misconceptions import behaviour, low_rank, projecting
from ...probes import entry, zeros
from ...shared import FORBIDDEN, unevenly


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    n: int,
    d_model: int,
    d: int,
    uneven: bool = False,
    zeros: bool = False,
) -> Call:
    """With `uneven`, the first tokens are small and the last ones large; `zeros`: one is zero."""
    x = draw.array(*batch, n, d_model, sharp=True)
    if zeros:
        x.values[..., 0, :] = 0.0
    if uneven:
        x = unevenly(x, axis=-2)
    return Call("low_rank_value", (x, draw.weight(d_model, d), draw.weight(d, d_model)))


def matrix_made(measured: Measured) -> bool:
    """Return whether the large matrix was made, or as much work was done as using it takes."""
    return any(
        (usage.largest_array >= sizes["d_model"] ** 2 and sizes["n"] < sizes["d_model"])
        or usage.flops >= 2 * sizes["n"] * sizes["d_model"] ** 2
        for sizes, usage in measured
    )


drill = Drill(
    id="low-rank-value",
    reference={"low_rank_value": low_rank_value},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout=("transposed in memory", "strided in memory"),
                widths="rank one",
            ),
            batch=BATCHES,
            tokens=SEQUENCE,
            widths={
                "d_model > r": {"d_model": 7, "d": 5},
                "as wide as the stream": {"d_model": 4, "d": 4},
                "rank one": {"d_model": 5, "d": 1},
                "wider than the stream": {"d_model": 3, "d": 5},
                "one feature": {"d_model": 1, "d": 1},
            },
            values=TOKEN_VALUES,
        ),
        gradients_space(
            {
                "a batch": {"batch": (2,), "n": 2, "d_model": 2, "d": 1},
                "no batch": {"n": 2, "d_model": 3, "d": 2},
            }
        ),
    ),
    cases=(
        case("the same call twice", twice=True, n=3, d_model=5, d=2),
        case("cost", costed=True, n=3, d_model=64, d=2),
        case("cost, more tokens than features", costed=True, n=96, d_model=64, d=2),
    ),
    probes=(zeros("x"), entry("x", "above 1,000", lambda x: x > 1000)),
    small=(
        {"n": 1, "d_model": 2, "d": 1},
        {"n": 2, "d_model": 2, "d": 1},
        {"n": 2, "d_model": 3, "d": 2},
    ),
    misconceptions=(
        low_rank.low_rank_materialised,
        low_rank.low_rank_up_missing,
        projecting.projection_transposed,
        *behaviour.of("low-rank"),
    ),
    told_as={"d": "r"},
    axes=("token", "feature"),
    growth=Growth(
        counts="features",
        sizes=lambda n: {"n": 1, "d_model": n, "d": 4},
        contrasts=(Contrast("the factors first"),),
        at=(32, 64, 128, 256, 512, 1024),
    ),
    limit=Limit(
        low_rank.low_rank_materialised,
        flops=lambda sizes: 4 * (2 * sizes["n"] * sizes["d_model"] * sizes["d"] * 2),
        # Products may be spelled out; where they take more than the large matrix, that costs more.
        largest_array=lambda sizes: max(
            sizes["d_model"] ** 2 // 2, 2 * sizes["n"] * sizes["d_model"] * sizes["d"]
        ),
        claim=matrix_made,
    ),
    forbidden=FORBIDDEN,
)
