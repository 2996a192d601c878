"""The checks of `output-projection`."""

from studyattn.attention import STEPS, head_updates
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.space import Excluded

from ...conditions import BATCHES, SEQUENCE, TOKEN_VALUES, gradients_space, space
from ...misconceptions import behaviour, heads
from ...probes import entry, zeros
from ...shared import FORBIDDEN, unevenly


def ask(
    draw: Draw,
    *,
    batch: tuple[int, ...] = (),
    h: int,
    n: int,
    d: int,
    d_model: int,
    uneven: bool = False,
    zeros: bool = False,
) -> Call:
    """With `uneven`, the first tokens are small and the last ones large; `zeros`: one is zero."""
    heads = draw.array(*batch, h, n, d, sharp=True)
    if zeros:
        heads.values[..., 0, :] = 0.0
    if uneven:
        heads = unevenly(heads, axis=-2)
    return Call("head_updates", (heads, draw.weight(h * d, d_model)))


drill = Drill(
    id="output-projection",
    reference={"head_updates": head_updates},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "the layout of an axis of size 1 makes no difference",
                layout="permuted as by split_heads",
                heads="one head",
            ),
            batch=BATCHES,
            tokens=SEQUENCE,
            heads={
                "several heads": {"h": 3},
                "two heads": {"h": 2},
                "one head": {"h": 1},
                "as many heads as tokens": {"h": 5},
            },
            widths={
                "narrow heads": {"d": 5, "d_model": 6},
                "heads as wide as the stream": {"d": 4, "d_model": 4},
                "heads wider than the stream": {"d": 7, "d_model": 3},
                "one feature": {"d": 1, "d_model": 1},
            },
            values=TOKEN_VALUES,
        ),
        gradients_space(
            {
                "two heads": {"h": 2, "n": 2, "d": 2, "d_model": 2},
                "a batch": {"batch": (2,), "h": 2, "n": 2, "d": 1, "d_model": 2},
            }
        ),
    ),
    cases=(
        case("square output matrix", batch=(2,), h=2, n=4, d=3, d_model=6),
        case("the same call twice", twice=True, h=2, n=3, d=4, d_model=5),
    ),
    probes=(
        zeros("heads"),
        entry("heads", "above 1,000", lambda heads: heads > 1000),
    ),
    small=(
        {"h": 2, "n": 1, "d": 1, "d_model": 2},
        {"h": 2, "n": 2, "d": 1, "d_model": 2},
        {"h": 2, "n": 1, "d": 2, "d_model": 2},
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
        *behaviour.of("output-matrix"),
    ),
    told_as={"d": "d_head"},
    axes=("head", "token", "feature"),
    forbidden=FORBIDDEN,
)
