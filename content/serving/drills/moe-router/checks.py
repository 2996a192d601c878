"""The checks of `moe-router`."""

import numpy as np

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space
from studyattn.grading.tolerance import rounded

from ...misconceptions import experts
from ...reference.experts import STEPS, balance_loss, route
from ...shared import FLOATS, LAYOUTS, NO_GRADIENT, NO_HALVES, behaviour, by_keyword


def ask(
    draw: Draw,
    *,
    t: int,
    e: int,
    top_k: int = 2,
    capacity: int = 3,
    crowded: bool = False,
    above: float = 0.0,
) -> list[Call]:
    """Logits of which no two of a token are alike; with `crowded`, most tokens want the same.

    All stand so much `above` 0: a softmax does not see it, and exponentials overflow.
    """
    generator = draw.generator
    top_k = min(top_k, e)
    ladder = np.linspace(3.0, -3.0, e) if e > 1 else np.zeros(1)
    if draw.case.whole:
        ladder = np.arange(e, dtype=float)[::-1]
    rows = generator.permuted(np.broadcast_to(ladder, (t, e)), axis=-1)
    if crowded:
        same = generator.random(t) < 0.8
        rows = np.where(same[:, None], ladder, rows)
    if not draw.case.whole:
        rows = rows + generator.uniform(-1, 1, (t, e)) / (e + 1)
    logits = with_values(
        draw.array(t, e), rounded(rows * draw.case.spread + above, draw.case.dtype)
    )
    return [
        Call("route", (logits, top_k, capacity), into="weights"),
        Call("balance_loss", (logits, top_k), into="balance"),
    ]


drill = Drill(
    id="moe-router",
    reference={"route": route, "balance_loss": balance_loss},
    steps=STEPS,
    ask=ask,
    exact_zeros=True,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": LAYOUTS,
                "tokens": {
                    "nine tokens": {"t": 9},
                    "one token": {"t": 1},
                    "as many as experts": {"t": 5},
                    "forty tokens": {"t": 40},
                    "three tokens": {"t": 3},
                },
                "experts": {
                    "five experts": {"e": 5},
                    "two experts": {"e": 2},
                    "one expert": {"e": 1},
                    "nine experts": {"e": 9},
                },
                "chosen": {"two": {}, "one": {"top_k": 1}, "four": {"top_k": 4}},
                "capacity": {
                    "three places": {},
                    "one place": {"capacity": 1},
                    "plenty": {"capacity": 100},
                },
                "wanted": {"drawn": {}, "most want the same": {"crowded": True}},
                "passed": by_keyword("top_k"),
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    experts="one expert",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout="transposed in memory",
                    tokens="one token",
                ),
            ),
        ),
    ),
    cases=(
        case("the same calls twice", twice=True, t=4, e=3),
        case("huge logits", dtype="float64", above=1e3, t=4, e=3),
        case("many of three places, crowded", t=30, e=6, top_k=3, capacity=7, crowded=True),
    ),
    probes=(Probe("more choices than places", lambda call: call["capacity"] == 1),),
    unasked=NO_GRADIENT | NO_HALVES,
    small=(
        {"t": 2, "e": 2, "top_k": 1, "capacity": 1},
        {"t": 2, "e": 2, "top_k": 2, "capacity": 1},
        {"t": 3, "e": 3, "top_k": 2, "capacity": 1},
        {"t": 3, "e": 3, "top_k": 2, "capacity": 2},
    ),
    misconceptions=(*experts.OF_ROUTERS, *behaviour("expert-capacity")),
    axes=("token", "expert"),
    told_as={"crowded": ""},
)
