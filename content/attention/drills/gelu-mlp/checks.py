"""The checks of `gelu-mlp`."""

from studyattn.attention import STEPS, gelu_mlp
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...conditions import LAYOUTS, gradients_space, mlp_space
from ...misconceptions import behaviour, feed_forward
from ...probes import zeros
from ...shared import FORBIDDEN, rows_to_normalise


def ask(draw: Draw, *, f: int, **sizes: int) -> Call:
    x, d = rows_to_normalise(draw, **sizes), sizes["d"]
    w_1, b_1 = draw.weight(d, f), draw.array(f)
    return Call("gelu_mlp", (x, w_1, b_1, draw.weight(f, d), draw.array(d)))


drill = Drill(
    id="gelu-mlp",
    reference={"gelu_mlp": gelu_mlp},
    steps=STEPS,
    ask=ask,
    spaces=(
        mlp_space(),
        gradients_space({"a batch": {"batch": (2,), "n": 2, "d": 2, "f": 3}}, LAYOUTS),
    ),
    cases=(case("the same call twice", twice=True, n=4, d=5, f=6),),
    probes=(zeros("x"),),
    small=({"n": 1, "d": 1, "f": 1}, {"n": 1, "d": 1, "f": 2}, {"n": 2, "d": 2, "f": 2}),
    misconceptions=(*feed_forward.OF_MLP, *behaviour.of("block-parts")),
    axes=("row", "feature"),
    forbidden=FORBIDDEN,
)
