"""The checks of `embed`."""

import dataclasses

from studyattn.attention import STEPS, embed
from studyattn.grading.call_plan import Call, Layout
from studyattn.grading.drill import Draw, Drill, case, given
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded

from ...conditions import gradients_space, space
from ...misconceptions import behaviour, positions
from ...shared import FORBIDDEN

MANY = 32768
"""In a larger vocabulary, the last token is asked: its number needs more than two bytes."""


def ask(
    draw: Draw,
    *,
    n: int,
    d: int,
    v: int = 5,
    c: int = 9,
    batch: tuple[int, ...] = (),
    start: int | None = None,
) -> Call:
    tokens = given(draw.generator.integers(0, v, (*batch, n)))
    if draw.case.layout is Layout.EXPANDED and len(batch) > 1:
        tokens.values[:] = tokens.values[:1]
    tokens = dataclasses.replace(tokens, layout=draw.case.layout)
    if v > MANY:
        tokens.values[..., -1] = v - 1
    arrays = (tokens, draw.array(v, d, sharp=True), draw.array(max(c, n + (start or 0)), d))
    return Call("embed", arrays if start is None else (*arrays, start))


drill = Drill(
    id="embed",
    reference={"embed": embed},
    steps=STEPS,
    ask=ask,
    spaces=(
        space(
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "strided in memory"),
                widths="one feature",
            ),
            batch={
                "one batch axis": {"batch": (3,)},
                "no batch": {"batch": ()},
                "two batch axes": {"batch": (2, 3)},
                "three batch axes": {"batch": (2, 1, 3)},
                "four batch axes": {"batch": (1, 2, 1, 3)},
                "a batch of one": {"batch": (1,)},
                "five batch axes": {"batch": (2, 1, 1, 2, 1)},
            },
            lengths={
                "several tokens": {"n": 4},
                "one token": {"n": 1},
                "as many tokens as texts": {"n": 3},
                "more tokens than the vocabulary": {"n": 8},
            },
            widths={
                "several features": {"d": 6},
                "one feature": {"d": 1},
                "n = d": {"d": 4},
            },
            places={
                "from 0 on": {},
                "from 1 on": {"start": 1},
                "from 5 on": {"start": 5},
                "start 0": {"start": 0},
            },
            tables={
                "room behind": {"c": 17},
                "no row left after the last": {"c": 1},
                "c = d": {"c": 6},
                "c = v": {"c": 5, "v": 5},
                "a vocabulary of one": {"v": 1},
            },
        ),
        gradients_space(
            {"a batch": {"batch": (2,), "n": 2, "d": 2, "v": 3, "c": 4, "start": 1}},
            {"contiguous": {}},
        ),
    ),
    cases=(
        case("start by keyword", keywords=("start",), start=3, n=4, d=5, batch=(2,)),
        case("coarse and transposed", dtype="bfloat16", layout=Layout.TRANSPOSED, n=4, d=6),
        case("huge numbers", dtype="float64", spread=1e9, n=4, d=5, batch=(2,)),
        case("the same call twice", twice=True, start=2, n=4, d=5, batch=(2,)),
    ),
    probes=(
        Probe("no start", lambda call: call["start"] is None),
        Probe("start 0 is given", lambda call: call["start"] == 0),
        Probe("start by keyword", lambda call: "start" in call.keywords),
    ),
    unasked={
        "*gradient of tokens*": "integers have no gradient",
        "c < n": "each token has a position",
        "*, tokens * in memory": "the layout of integers does not depend on the tables' dtype",
        "*c = 1": "a single position means a single token, which is tested",
    },
    small=(
        {"n": 1, "d": 2, "v": 2, "c": 3, "start": 1},
        {"n": 2, "d": 2, "v": 3, "c": 4, "start": 1},
        {"n": 2, "d": 2, "v": 3, "c": 3},
        {"n": 3, "d": 2, "v": 4, "c": 4},
    ),
    misconceptions=(*positions.OF_EMBEDDINGS, *behaviour.of("positional-encoding")),
    axes=("position", "feature"),
    forbidden=FORBIDDEN,
)
