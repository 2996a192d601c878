"""How `attention-backward` is checked."""

from studyattn.attention import attention_backward
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.program import Call

from ...misconceptions import behaviour, efficient, weights
from ...shared import FORBIDDEN, MEMORY, SMALL, queries_keys_values


def ask(draw: Draw, **sizes: int) -> Call:
    q, k, v = queries_keys_values(draw, **sizes)
    grad_output = draw.array(*sizes.get("batch", ()), sizes["m"], sizes["d_v"])
    return Call("attention_backward", (q, k, v, grad_output))


drill = Drill(
    id="attention-backward",
    reference={"attention_backward": attention_backward},
    ask=ask,
    cases=(
        case("all sizes different", batch=(2, 3), m=4, n=5, d=6, d_v=7),
        case("float64", dtype="float64", batch=(2, 3), m=5, n=7, d=4, d_v=3),
        case("as many queries as keys", batch=(2,), m=5, n=5, d=4, d_v=3),
        case("all sizes the same", m=4, n=4, d=4, d_v=4),
        case("no batch", m=3, n=5, d=4, d_v=2),
        case("one query", batch=(2,), m=1, n=6, d=3, d_v=4),
        case("one key", batch=(2,), m=4, n=1, d=3, d_v=5),
        case("large scores", spread=30.0, batch=(2,), m=5, n=6, d=4, d_v=3),
        case("odd sizes", batch=(3,), m=13, n=11, d=7, d_v=5),
        *MEMORY,
        case("the same call twice", twice=True, batch=(2,), m=3, n=4, d=3, d_v=2),
    ),
    small=SMALL,
    misconceptions=(
        *efficient.BACKWARD,
        *weights.SCALE[:3],
        *weights.SOFTMAX,
        *behaviour.BEHAVIOUR,
    ),
    axes=("batch", "head", "row", "feature"),
    parts=("dq", "dk", "dv"),
    forbidden=(*FORBIDDEN, "backward", "grad", "autograd"),
)
