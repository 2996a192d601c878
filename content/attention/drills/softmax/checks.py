"""How `softmax` is checked."""

from studyattn.attention import STEPS, softmax
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case, with_values

from ...misconceptions import behaviour, weights
from ...shared import FAR_BELOW, FORBIDDEN


def ask(draw: Draw, *, shape: tuple[int, ...], lowered: float = 0.0, zeros: bool = False) -> Call:
    """`lowered` is taken from all entries but the first of a row, of which it is taken twice.

    With `zeros`, the last row is nothing but zeros.
    """
    x = draw.array(*shape, sharp=True)
    values = x.values - lowered
    values[..., 0] -= lowered
    if zeros:
        values[..., -1, :] = 0.0
    return Call("softmax", (with_values(x, values),))


drill = Drill(
    id="softmax",
    reference={"softmax": softmax},
    steps=STEPS,
    ask=ask,
    cases=(
        case("a matrix", shape=(3, 5)),
        case("float64", dtype="float64", shape=(4, 6)),
        case("float64, tiny shares", dtype="float64", spread=3.5, shape=(6, 40)),
        case("one row", shape=(7,)),
        case("a batch of matrices", shape=(2, 3, 4)),
        case("batch and heads", shape=(3, 2, 5, 4)),
        case("as many rows as columns", shape=(4, 4)),
        case("one entry in a row", shape=(3, 1)),
        case("large numbers", spread=1e3, shape=(4, 6)),
        case("large negative and positive rows", spread=300.0, dtype="float64", shape=(6, 4)),
        case("huge numbers", dtype="float64", spread=1e7, shape=(6, 4)),
        case("a row of zeros", shape=(3, 4), zeros=True),
        case("rows far below zero", **FAR_BELOW, shape=(3, 5)),
        case("odd sizes", shape=(2, 1, 3, 11, 13)),
        case("long rows", shape=(3, 1030)),
        case("many rows", shape=(130, 3)),
        case("transposed in memory", layout=Layout.TRANSPOSED, shape=(3, 4, 5)),
        case("strided in memory", layout=Layout.STRIDED, shape=(3, 4, 5)),
        case("the same call twice", twice=True, shape=(5, 6)),
        case("gradients", gradients=True, dtype="float64", shape=(3, 4)),
    ),
    small=({"shape": (2,)}, {"shape": (2, 2)}, {"shape": (2, 3)}, {"shape": (2, 2, 2)}),
    misconceptions=(*weights.OF_ROWS, *behaviour.BEHAVIOUR),
    axes=("row", "entry"),
    forbidden=(*FORBIDDEN, "softmax", "scipy"),
)
