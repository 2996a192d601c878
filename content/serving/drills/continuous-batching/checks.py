"""The checks of `continuous-batching`."""

import numpy as np

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space

from ...misconceptions import batching
from ...reference.batching import schedule
from ...shared import NO_GRADIENT, TWO_LAYOUTS, behaviour, by_keyword

PLENTY = 100_000


def ask(
    draw: Draw,
    *,
    n: int,
    slots: int = 3,
    longest: int = 6,
    room: str = "plenty",
    arrivals: str = "drawn",
) -> Call:
    """Requests with prompts and answers of up to `longest` tokens.

    `room`: "plenty", or "little": as much as the largest and another one
    need. `arrivals`:
    "drawn", "at once", in "reverse", or "late", after everything else has ended.
    """
    generator = draw.generator
    prompts = generator.integers(1, longest + 1, n)
    outputs = generator.integers(1, longest + 1, n)
    when = {
        "drawn": generator.integers(0, 2 * n, n),
        "at once": np.zeros(n, np.int64),
        "reverse": np.arange(n)[::-1],
        "late": 3 * longest * np.arange(n),
    }[arrivals]
    capacity = PLENTY
    if room == "little":
        needed = prompts + outputs
        capacity = int(needed.max() + generator.choice(needed))
    arrays = (
        with_values(draw.array(n), each.astype(np.int64)) for each in (when, prompts, outputs)
    )
    return Call("schedule", (*arrays, slots, capacity))


def _ties(call):
    return (
        call["arrivals"] is not None
        and len(np.unique(call["arrivals"].values)) < call["arrivals"].shape[0]
    )


drill = Drill(
    id="continuous-batching",
    reference={"schedule": schedule},
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": {"whole numbers": {"dtype": "int64"}},
                "layout": TWO_LAYOUTS,
                "requests": {
                    "eight requests": {"n": 8},
                    "one request": {"n": 1},
                    "thirty": {"n": 30},
                },
                "slots": {
                    "three slots": {},
                    "one slot": {"slots": 1},
                    "more slots than requests": {"slots": 32},
                },
                "lengths": {"short": {}, "long": {"longest": 40}, "of one token": {"longest": 1}},
                "room": {"plenty of room": {}, "little room": {"room": "little"}},
                "arrivals": {
                    "drawn": {},
                    "all at once": {"arrivals": "at once"},
                    "in reverse": {"arrivals": "reverse"},
                    "one after another": {"arrivals": "late"},
                },
                "passed": by_keyword("slots"),
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout="strided in memory",
                    requests="one request",
                ),
            ),
        ),
    ),
    cases=(
        case("the same call twice", dtype="int64", twice=True, n=6, room="little"),
        *(
            case("many, little room", dtype="int64", n=40, room="little", slots=8, longest=20)
            for _ in range(2)
        ),
    ),
    probes=(Probe("equal arrivals", _ties),),
    unasked=NO_GRADIENT | {"*float*": "requests are counted in whole numbers"},
    small=(
        {"dtype": "int64", "n": 2, "slots": 1, "longest": 2},
        {"dtype": "int64", "n": 2, "slots": 2, "longest": 3},
        {"dtype": "int64", "n": 3, "slots": 2, "longest": 3, "arrivals": "at once"},
        {"dtype": "int64", "n": 3, "slots": 2, "longest": 3, "arrivals": "reverse"},
        {"dtype": "int64", "n": 3, "slots": 3, "longest": 3, "room": "little"},
        {
            "dtype": "int64",
            "n": 4,
            "slots": 3,
            "longest": 4,
            "room": "little",
            "arrivals": "at once",
        },
    ),
    misconceptions=(
        *batching.OF_SCHEDULES,
        *(each for each in behaviour("continuous-batching") if each.id != "precision-lost"),
    ),
    axes=("request",),
    parts=("first", "last"),
    told_as={"room": "", "arrivals": ""},
)
