"""How `single-query` is checked."""

from studyattn.attention import STEPS, attend
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case, with_values

from ...misconceptions import behaviour, scores, weights
from ...shared import FAR_BELOW, FORBIDDEN, HUGE, queries_keys_values
from ...variants import ROUNDED_ROOT


def ask(draw: Draw, **sizes: int) -> Call:
    q, k, v = queries_keys_values(draw, m=1, **sizes)
    return Call("attend", (with_values(q, q.values[0]), k, v))


drill = Drill(
    id="single-query",
    reference={"attend": attend},
    steps=STEPS,
    exponents="scale",
    ask=ask,
    cases=(
        case("all sizes different", n=5, d=4, d_v=3),
        case("float64", dtype="float64", n=6, d=5, d_v=2),
        case("as many keys as their width", n=4, d=4, d_v=4),
        case("one key", n=1, d=3, d_v=2),
        case("one feature in a value", n=4, d=3, d_v=1),
        case("large scores", spread=100.0, n=6, d=4, d_v=3),
        case("huge scores", **HUGE, n=40, d=4, d_v=3),
        case("scores far below zero", **FAR_BELOW, n=6, d=5, d_v=3),
        case("values large and small", dtype="float64", n=6, d=3, d_v=3, uneven=True),
        case("zeros for query, key and value", n=6, d=4, d_v=3, zeros=True),
        case("many keys, many features", dtype="float64", n=131, d=130, d_v=5),
        case("more than a thousand keys", dtype="float64", n=1030, d=3, d_v=2),
        case("tiny weights", dtype="float64", spread=3.5, n=40, d=5, d_v=3),
        case("odd sizes", n=17, d=11, d_v=9),
        case("transposed in memory", layout=Layout.TRANSPOSED, n=5, d=4, d_v=3),
        case("strided in memory", layout=Layout.STRIDED, n=5, d=4, d_v=3),
        case("the same call twice", twice=True, n=5, d=3, d_v=4),
        case("gradients", gradients=True, dtype="float64", n=4, d=3, d_v=9),
    ),
    small=({"n": 2, "d": 2, "d_v": 1}, {"n": 2, "d": 2, "d_v": 2}, {"n": 3, "d": 2, "d_v": 2}),
    misconceptions=(
        *scores.SCALE,
        weights.softmax_missing,
        weights.softmax_unstable,
        weights.softmax_not_divided,
        weights.softmax_without_exponential,
        weights.softmax_dropped,
        weights.softmax_underflow_of_a_row,
        *weights.ROWS_WRONG[2:],
        scores.values_are_keys,
        scores.keys_are_values,
        *behaviour.BEHAVIOUR,
    ),
    variants=(ROUNDED_ROOT,),
    axes=("value",),
    forbidden=FORBIDDEN,
)
