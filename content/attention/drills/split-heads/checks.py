"""How `split-heads` is checked."""

from studyattn.attention import STEPS, merge_heads, split_heads
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case

from ...misconceptions import behaviour, heads
from ...shared import FORBIDDEN


def ask(draw: Draw, *, batch: tuple[int, ...] = (), n: int, h: int, d: int) -> tuple[Call, Call]:
    return (
        Call("split_heads", (draw.array(*batch, n, h * d, sharp=True), h), into="split_heads"),
        Call("merge_heads", (draw.array(*batch, h, n, d, sharp=True),), into="merge_heads"),
    )


SIZES = {"batch": (2, 3), "n": 4, "h": 5, "d": 6}

drill = Drill(
    id="split-heads",
    reference={"split_heads": split_heads, "merge_heads": merge_heads},
    steps=STEPS,
    ask=ask,
    cases=(
        case("all sizes different", **SIZES),
        case("float64", dtype="float64", batch=(3,), n=5, h=2, d=4),
        case("as many tokens as heads", batch=(2,), n=3, h=3, d=4),
        case("as many tokens as heads as features", n=3, h=3, d=3),
        case("as many batch entries as heads", batch=(4,), n=3, h=4, d=2),
        case("no batch", n=5, h=2, d=3),
        case("one token", batch=(2,), n=1, h=3, d=2),
        case("one head", batch=(2,), n=4, h=1, d=3),
        case("one feature a head", n=4, h=3, d=1),
        case("odd sizes", batch=(2, 1, 3), n=11, h=5, d=7),
        case("one batch entry", batch=(1,), n=2, h=4, d=3),
        case("as many tokens as features", n=4, h=3, d=4),
        case("many tokens", n=131, h=2, d=3),
        case("many heads", n=2, h=33, d=3),
        case("wide heads", n=2, h=3, d=67),
        case("large numbers", spread=1e6, n=3, h=2, d=2),
        case("transposed in memory", layout=Layout.TRANSPOSED, **SIZES),
        case("strided in memory", layout=Layout.STRIDED, **SIZES),
        case("the same call twice", twice=True, batch=(2,), n=3, h=2, d=4),
        case("gradients", gradients=True, dtype="float64", n=3, h=2, d=2),
    ),
    small=(
        {"n": 1, "h": 2, "d": 1},
        {"n": 2, "h": 2, "d": 1},
        {"n": 2, "h": 2, "d": 2},
        {"n": 3, "h": 2, "d": 2},
    ),
    misconceptions=(
        heads.heads_reshaped_without_transpose,
        heads.heads_merged_without_transpose,
        heads.heads_interleaved,
        heads.heads_ignored,
        heads.heads_averaged,
        heads.heads_summed,
        heads.heads_in_reverse,
        *behaviour.BEHAVIOUR,
    ),
    axes=("head", "token", "feature"),
    forbidden=FORBIDDEN,
)
