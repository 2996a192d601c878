"""The checks of `warmup-clip`."""

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space

from ...misconceptions import training
from ...reference.training import STEPS, clipped, rate
from ...shared import FLOATS, NO_GRADIENT, NO_HALVES, TWO_LAYOUTS, behaviour, by_keyword


def ask(
    draw: Draw,
    *,
    total: int,
    m: int,
    n: int,
    most: float = 1.0,
    part: float = 0.2,
    floor: float | None = 0.1,
) -> list[Call]:
    """Rates at the corners of a schedule and at a drawn step, and two gradients.

    The warm-up is this `part` of all steps; without a floor it is not given.
    """
    generator = draw.generator
    warmup = min(int(part * total), total - 2)
    peak = round(float(generator.uniform(0.5, 2.0)), 2)
    lowest = () if floor is None else (floor,)
    drawn = int(generator.integers(0, total))
    corners = {0, warmup, warmup + 1, total - 1, drawn} | ({warmup - 1} if warmup else set())
    calls = [
        Call("rate", (step, peak, warmup, total, *lowest), into=f"rate of step {step}")
        for step in sorted(corners)
    ]
    first, second = draw.array(m, sharp=True), draw.array(n, sharp=True)
    if draw.case.whole:
        first.values[0], second.values[0] = 3.0, 4.0
    calls.append(Call("clipped", (first, second, most), into="clipped"))
    return calls


drill = Drill(
    id="warmup-clip",
    reference={"rate": rate, "clipped": clipped},
    steps=STEPS,
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": TWO_LAYOUTS,
                "steps": {
                    "twenty steps": {"total": 20},
                    "three steps": {"total": 3},
                    "a thousand": {"total": 1000},
                },
                "warmup": {"a fifth": {}, "none": {"part": 0.0}, "most of it": {"part": 0.9}},
                "floor": {"a floor of 0.1": {}, "not given": {"floor": None}, "0": {"floor": 0.0}},
                "gradients": {
                    "four and six": {"m": 4, "n": 6},
                    "one and one": {"m": 1, "n": 1},
                    "seven and five": {"m": 7, "n": 5},
                    "alike": {"m": 5, "n": 5},
                },
                "most": {"1": {}, "far above": {"most": 100.0}, "far below": {"most": 0.01}},
                "values": {"drawn": {}, "tiny": {"spread": 1e-3}, "large": {"spread": 1e3}},
                "passed": by_keyword("most"),
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout="strided in memory",
                    gradients="one and one",
                ),
            ),
        ),
    ),
    cases=(case("the same calls twice", twice=True, total=9, m=3, n=2),),
    probes=(Probe("no warm-up", lambda call: call["peak"] is not None and call["warmup"] == 0),),
    unasked=NO_GRADIENT | NO_HALVES,
    small=(
        {"total": 4, "m": 1, "n": 1},
        {"total": 6, "m": 1, "n": 2, "part": 0.4},
        {"total": 5, "m": 2, "n": 2, "part": 0.0, "floor": None},
    ),
    misconceptions=(*training.OF_TRAINING, *behaviour("warmup-clipping")),
    axes=("entry",),
    parts=("first", "second"),
    told_as={"part": "", "floor": ""},
)
