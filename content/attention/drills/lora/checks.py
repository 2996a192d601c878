"""How `lora` is checked."""

from studyattn.attention import STEPS, lora_linear
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, Limit, case

from ...misconceptions import behaviour, heads, low_rank
from ...shared import FORBIDDEN, unevenly


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    d_in: int,
    d_out: int,
    r: int,
    alpha: float,
    uneven: bool = False,
    named: bool = False,
) -> Call:
    """With `uneven`, the first tokens are small and the last ones large.

    With `named`, alpha is given by its name.
    """
    x, w = draw.array(*batch, d_in), draw.weight(d_in, d_out, frozen=True)
    if uneven:
        x = unevenly(x, axis=-2)
    arrays = (x, w, draw.weight(d_in, r), draw.weight(r, d_out))
    if named:
        return Call("lora_linear", arrays, {"alpha": alpha})
    return Call("lora_linear", (*arrays, alpha))


SIZES = {"batch": (2, 4), "d_in": 5, "d_out": 6, "r": 3, "alpha": 7.0}

drill = Drill(
    id="lora",
    reference={"lora_linear": lora_linear},
    steps=STEPS,
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", batch=(3,), d_in=6, d_out=4, r=3, alpha=16.0),
        case("square", batch=(4,), d_in=4, d_out=4, r=4, alpha=8.0),
        case("one vector", d_in=5, d_out=3, r=2, alpha=0.5, named=True),
        case("rank one", batch=(3,), d_in=4, d_out=5, r=1, alpha=4.0),
        case("alpha below the rank", batch=(2,), d_in=7, d_out=6, r=4, alpha=1.0),
        case("alpha far above the rank", batch=(2,), d_in=5, d_out=4, r=2, alpha=4096.0),
        case(
            "alpha far below the rank",
            dtype="float64",
            batch=(2,),
            d_in=5,
            d_out=4,
            r=4,
            alpha=1e-4,
        ),
        case("alpha is a whole number", batch=(2,), d_in=5, d_out=4, r=3, alpha=8),
        case("alpha is zero", batch=(2,), d_in=5, d_out=4, r=3, alpha=0.0),
        case("alpha below zero", batch=(2,), d_in=4, d_out=3, r=2, alpha=-3.0),
        case("odd sizes", batch=(3, 1, 7), d_in=13, d_out=11, r=5, alpha=32.0),
        case("wide", batch=(2,), d_in=130, d_out=70, r=67, alpha=5.0),
        case(
            "tokens large and small",
            dtype="float64",
            batch=(2, 3),
            d_in=5,
            d_out=4,
            r=2,
            alpha=3.0,
            uneven=True,
        ),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, batch=(3,), d_in=4, d_out=5, r=2, alpha=6.0),
        case(
            "gradients",
            gradients=True,
            dtype="float64",
            batch=(2,),
            d_in=3,
            d_out=2,
            r=3,
            alpha=2.0,
        ),
        case("cost", costed=True, batch=(3,), d_in=48, d_out=40, r=4, alpha=8.0),
        case("cost, more tokens", costed=True, batch=(16,), d_in=96, d_out=90, r=24, alpha=8.0),
    ),
    small=(
        {"d_in": 1, "d_out": 1, "r": 1, "alpha": 2.0},
        {"batch": (1,), "d_in": 2, "d_out": 1, "r": 2, "alpha": 4.0},
        {"batch": (2,), "d_in": 2, "d_out": 2, "r": 2, "alpha": 3.0},
    ),
    misconceptions=(
        *low_rank.LORA,
        heads.projection_transposed,
        low_rank.low_rank_materialised,
        *behaviour.BEHAVIOUR,
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
    ),
    forbidden=FORBIDDEN,
)
