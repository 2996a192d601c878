"""The checks of `swiglu`."""

from studyattn.attention import STEPS, swiglu
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...conditions import LAYOUTS, gradients_space, mlp_space
from ...misconceptions import behaviour, feed_forward
from ...probes import zeros
from ...shared import FORBIDDEN, rows_to_normalise


def ask(draw: Draw, *, f: int, **sizes: int) -> Call:
    x, d = rows_to_normalise(draw, **sizes), sizes["d"]
    return Call("swiglu", (x, draw.weight(d, f), draw.weight(d, f), draw.weight(f, d)))


drill = Drill(
    id="swiglu",
    reference={"swiglu": swiglu},
    steps=STEPS,
    ask=ask,
    spaces=(
        mlp_space(),
        gradients_space({"a batch": {"batch": (2,), "n": 2, "d": 2, "f": 3}}, LAYOUTS),
    ),
    cases=(case("the same call twice", twice=True, n=4, d=5, f=6),),
    probes=(zeros("x"),),
    small=({"n": 1, "d": 1, "f": 1}, {"n": 1, "d": 1, "f": 2}, {"n": 2, "d": 2, "f": 2}),
    misconceptions=(*feed_forward.OF_SWIGLU, *behaviour.of("llama-block")),
    axes=("row", "feature"),
    forbidden=FORBIDDEN,
)
