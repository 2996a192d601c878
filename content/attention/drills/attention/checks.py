"""How `attention` is checked."""

from studyattn.attention import attention
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.program import Call, Layout

from ...misconceptions import behaviour, weights
from ...shared import FORBIDDEN


def ask(draw: Draw, *, batch=(), m, n, d, d_v) -> Call:
    q = draw.array(*batch, m, d, sharp=True)
    k = draw.array(*batch, n, d, sharp=True)
    v = draw.array(*batch, n, d_v)
    return Call("attention", (q, k, v))


drill = Drill(
    id="attention",
    reference={"attention": attention},
    ask=ask,
    cases=(
        case("all sizes different", batch=(2, 3), m=4, n=5, d=6, d_v=7),
        case("float64", dtype="float64", batch=(2, 3), m=5, n=7, d=4, d_v=3),
        case("as many queries as keys", batch=(2, 4), m=5, n=5, d=5, d_v=5),
        case("batch = heads", batch=(3, 3), m=4, n=4, d=5, d_v=5),
        case("no batch", m=3, n=5, d=4, d_v=2),
        case("one query", batch=(2,), m=1, n=6, d=3, d_v=4),
        case("one key", batch=(2,), m=4, n=1, d=3, d_v=5),
        case("large scores", spread=100.0, batch=(2,), m=5, n=6, d=4, d_v=3),
        case("odd sizes", batch=(1, 5), m=17, n=13, d=11, d_v=9),
        case("transposed in memory", layout=Layout.TRANSPOSED, batch=(2, 3), m=4, n=5, d=6, d_v=7),
        case("strided in memory", layout=Layout.STRIDED, batch=(2, 3), m=4, n=5, d=6, d_v=7),
        case("the same call twice", twice=True, batch=(3, 2), m=5, n=4, d=6, d_v=3),
        case("gradients", gradients=True, dtype="float64", m=3, n=4, d=3, d_v=2),
    ),
    small=(
        {"m": 1, "n": 2, "d": 2, "d_v": 1},
        {"m": 2, "n": 2, "d": 2, "d_v": 2},
        {"m": 2, "n": 3, "d": 2, "d_v": 2},
        {"batch": (2, 2), "m": 2, "n": 2, "d": 2, "d_v": 2},
    ),
    misconceptions=(*weights.ATTENTION, *behaviour.BEHAVIOUR),
    axes=("head", "query", "value"),
    forbidden=FORBIDDEN,
)
