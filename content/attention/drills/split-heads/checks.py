"""The checks of `split-heads`."""

from studyattn.attention import STEPS, merge_heads, split_heads
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.space import Excluded

from ...conditions import BATCHES, DTYPES, by_keyword, gradients_space, space
from ...misconceptions import behaviour, heads
from ...probes import whole
from ...shared import FORBIDDEN


def ask(draw: Draw, *, batch: tuple[int, ...] = (), n: int, h: int, d: int) -> tuple[Call, Call]:
    return (
        Call("split_heads", (draw.array(*batch, n, h * d, sharp=True), h), into="split_heads"),
        Call("merge_heads", (draw.array(*batch, h, n, d, sharp=True),), into="merge_heads"),
    )


drill = Drill(
    id="split-heads",
    reference={"split_heads": split_heads, "merge_heads": merge_heads},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                heads="one feature per head",
            ),
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout="permuted as by split_heads",
                heads="one head",
            ),
            dtype={**DTYPES, "whole numbers": {"dtype": "int64"}},
            batch=BATCHES,
            tokens={
                "several tokens": {"n": 4},
                "n = h": {"n": 3},
                "one token": {"n": 1},
                "odd number of tokens": {"n": 7},
            },
            heads={
                "several heads": {"h": 3, "d": 5},
                "h = d": {"h": 3, "d": 3},
                "even numbers": {"h": 2, "d": 4},
                "one head": {"h": 1, "d": 3},
                "one feature per head": {"h": 3, "d": 1},
            },
            passed=by_keyword("num_heads"),
        ),
        gradients_space(
            {
                "two heads": {"n": 3, "h": 2, "d": 1},
                "a batch": {"batch": (2,), "n": 2, "h": 2, "d": 1},
            }
        ),
    ),
    cases=(
        case("all sizes different", batch=(2, 3), n=4, h=5, d=6),
        case("as many batch entries as heads", batch=(4,), n=3, h=4, d=2),
        case("large numbers", spread=1e6, n=3, h=2, d=2),
        case("the same call twice", twice=True, batch=(2,), n=3, h=2, d=4),
    ),
    probes=(whole("x"),),
    small=(
        {"n": 1, "h": 2, "d": 1},
        {"n": 2, "h": 2, "d": 1},
        {"n": 2, "h": 2, "d": 2},
        {"n": 3, "h": 2, "d": 1},
    ),
    misconceptions=(
        heads.heads_reshaped_without_transpose,
        heads.heads_merged_without_transpose,
        heads.heads_interleaved,
        heads.heads_ignored,
        heads.heads_averaged,
        heads.heads_summed,
        heads.heads_in_reverse,
        *behaviour.of("heads"),
    ),
    told_as={"d": "d_head"},
    views=True,
    axes=("head", "token", "feature"),
    forbidden=FORBIDDEN,
)
