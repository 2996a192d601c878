"""How `single-query` is checked."""

from studyattn.attention import attend
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.program import Call, Layout

from ...misconceptions import behaviour, weights
from ...shared import FORBIDDEN


def ask(draw: Draw, *, n: int, d: int, d_v: int) -> Call:
    q, k = draw.array(d, sharp=True), draw.array(n, d, sharp=True)
    return Call("attend", (q, k, draw.array(n, d_v)))


drill = Drill(
    id="single-query",
    reference={"attend": attend},
    ask=ask,
    cases=(
        case("all sizes different", n=5, d=4, d_v=3),
        case("float64", dtype="float64", n=6, d=5, d_v=2),
        case("as many keys as their width", n=4, d=4, d_v=4),
        case("one key", n=1, d=3, d_v=2),
        case("one feature in a value", n=4, d=3, d_v=1),
        case("large scores", spread=100.0, n=6, d=4, d_v=3),
        case("many keys", n=131, d=64, d_v=5),
        case("tiny weights", dtype="float64", spread=3.5, n=40, d=5, d_v=3),
        case("odd sizes", n=17, d=11, d_v=9),
        case("transposed in memory", layout=Layout.TRANSPOSED, n=5, d=4, d_v=3),
        case("strided in memory", layout=Layout.STRIDED, n=5, d=4, d_v=3),
        case("the same call twice", twice=True, n=5, d=3, d_v=4),
        case("gradients", gradients=True, dtype="float64", n=4, d=3, d_v=2),
    ),
    small=({"n": 2, "d": 2, "d_v": 1}, {"n": 2, "d": 2, "d_v": 2}, {"n": 3, "d": 2, "d_v": 2}),
    misconceptions=(
        *weights.SCALE,
        weights.softmax_missing,
        weights.softmax_unstable,
        weights.softmax_not_divided,
        weights.softmax_without_exponential,
        weights.softmax_dropped,
        weights.values_are_keys,
        weights.keys_are_values,
        *behaviour.BEHAVIOUR,
    ),
    axes=("value",),
    forbidden=FORBIDDEN,
)
