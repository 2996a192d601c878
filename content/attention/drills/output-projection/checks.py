"""How `output-projection` is checked."""

from studyattn.attention import STEPS, head_updates
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case

from ...misconceptions import behaviour, heads
from ...shared import FORBIDDEN


def ask(draw: Draw, *, batch: tuple[int, ...] = (), h: int, n: int, d: int, d_model: int) -> Call:
    return Call(
        "head_updates", (draw.array(*batch, h, n, d, sharp=True), draw.weight(h * d, d_model))
    )


SIZES = {"batch": (2,), "h": 3, "n": 4, "d": 5, "d_model": 6}

drill = Drill(
    id="output-projection",
    reference={"head_updates": head_updates},
    steps=STEPS,
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", batch=(3,), h=2, n=5, d=4, d_model=7),
        case("square output matrix", batch=(2,), h=2, n=4, d=3, d_model=6),
        case("as many tokens as heads", h=3, n=3, d=2, d_model=6),
        case("heads as wide as the stream", h=2, n=3, d=4, d_model=4),
        case("no batch", h=2, n=3, d=4, d_model=5),
        case("two batch axes", batch=(2, 3), h=2, n=3, d=2, d_model=4),
        case("one head", batch=(2,), h=1, n=4, d=3, d_model=3),
        case("one token", batch=(2,), h=3, n=1, d=2, d_model=4),
        case("odd sizes", batch=(2, 1, 3), h=5, n=11, d=7, d_model=13),
        case("many heads, wide stream", h=33, n=2, d=3, d_model=67),
        case("many tokens, wide heads", h=2, n=131, d=67, d_model=3),
        case("large numbers", spread=1e4, batch=(1,), h=2, n=3, d=4, d_model=5),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, h=2, n=3, d=4, d_model=5),
        case("gradients", gradients=True, dtype="float64", h=2, n=2, d=2, d_model=3),
    ),
    small=(
        {"h": 2, "n": 1, "d": 1, "d_model": 2},
        {"h": 2, "n": 2, "d": 1, "d_model": 2},
        {"h": 2, "n": 1, "d": 2, "d_model": 4},
        {"h": 2, "n": 2, "d": 2, "d_model": 2},
    ),
    misconceptions=(
        heads.output_first_rows,
        heads.output_rows_interleaved,
        heads.output_transposed,
        heads.output_projection_missing,
        heads.updates_summed,
        heads.updates_shared,
        heads.updates_in_reverse,
        *behaviour.BEHAVIOUR,
    ),
    axes=("head", "token", "feature"),
    forbidden=FORBIDDEN,
)
