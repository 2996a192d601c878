"""The checks of `rope`."""

from typing import Any

from studyattn.attention import STEPS, rope
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case

from ...conditions import position_spaces
from ...misconceptions import behaviour, positions
from ...probes import zeros
from ...shared import FORBIDDEN, rows_at_positions


def ask(draw: Draw, *, base: float | None = None, **sizes: Any) -> Call:
    x, where = rows_at_positions(draw, **sizes)
    return Call("rope", (x, where) if base is None else (x, where, base))


drill = Drill(
    id="rope",
    reference={"rope": rope},
    steps=STEPS,
    ask=ask,
    spaces=position_spaces(),
    cases=(
        case("the same call twice", twice=True, positions=2, n=4, d=6),
        case("base by keyword", keywords=("base",), base=500.0, n=4, d=6),
    ),
    probes=(zeros("x"),),
    unasked={
        "*gradient of positions*": "integers have no gradient",
        "no gradient of x, but of another input": "integers have no gradient",
        "*d = 1": "d is even",
    },
    small=(
        {"n": 1, "d": 2, "positions": 1},
        {"n": 2, "d": 2},
        {"n": 2, "d": 4},
        {"n": 2, "d": 4, "positions": 1},
    ),
    misconceptions=(*positions.OF_ROPE, *behaviour.of("rope")),
    axes=("position", "entry"),
    told_as={"positions": "", "step": ""},
    rounded="speeds",  # an angle has as many digits less as its position has before the point
    forbidden=FORBIDDEN,
)
