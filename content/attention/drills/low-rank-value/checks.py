"""How `low-rank-value` is checked."""

from studyattn.attention import STEPS, low_rank_value
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Contrast, Draw, Drill, Growth, Limit, case

from ...misconceptions import behaviour, heads, low_rank
from ...shared import FORBIDDEN, unevenly


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    n: int,
    d_model: int,
    d: int,
    uneven: bool = False,
) -> Call:
    """With `uneven`, the first tokens are small and the last ones large."""
    x = draw.array(*batch, n, d_model)
    if uneven:
        x = unevenly(x, axis=-2)
    return Call("low_rank_value", (x, draw.weight(d_model, d), draw.weight(d, d_model)))


SIZES = {"batch": (2, 3), "n": 4, "d_model": 7, "d": 5}

drill = Drill(
    id="low-rank-value",
    reference={"low_rank_value": low_rank_value},
    steps=STEPS,
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", batch=(3,), n=5, d_model=6, d=2),
        case("as wide as the stream", batch=(2,), n=3, d_model=4, d=4),
        case("as many tokens as features", n=4, d_model=4, d=2),
        case("no batch", n=3, d_model=6, d=2),
        case("one token", n=1, d_model=5, d=3),
        case("rank one", batch=(2,), n=3, d_model=5, d=1),
        case("odd sizes", batch=(3,), n=11, d_model=13, d=5),
        case("a wide bottleneck", n=5, d_model=140, d=70),
        case("many tokens", n=130, d_model=4, d=2),
        case("three axes of batches", batch=(2, 1, 3), n=2, d_model=5, d=3),
        case(
            "tokens large and small",
            dtype="float64",
            batch=(2, 3),
            n=3,
            d_model=6,
            d=2,
            uneven=True,
        ),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, n=3, d_model=5, d=2),
        case("gradients", gradients=True, dtype="float64", n=2, d_model=3, d=2),
        case("cost", costed=True, n=3, d_model=64, d=2),
        case("cost, more tokens than features", costed=True, n=96, d_model=64, d=2),
    ),
    small=(
        {"n": 1, "d_model": 2, "d": 1},
        {"n": 2, "d_model": 2, "d": 1},
        {"n": 2, "d_model": 3, "d": 2},
    ),
    misconceptions=(
        low_rank.low_rank_materialised,
        low_rank.low_rank_up_missing,
        heads.projection_transposed,
        *behaviour.BEHAVIOUR,
    ),
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
    ),
    forbidden=FORBIDDEN,
)
