"""The checks of `chunked-prefill`."""

import numpy as np

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space

from ...misconceptions import batching
from ...reference.batching import chunked_steps
from ...shared import NO_GRADIENT, TWO_LAYOUTS, behaviour, by_keyword


def ask(draw: Draw, *, n: int, longest: int = 12, answers: int = 6, budget: int = 0) -> Call:
    """Prompts of up to `longest` tokens, answers of up to `answers`; without a budget, one of n to
    twice as much.
    """
    prompts = draw.generator.integers(1, longest + 1, n)
    outputs = draw.generator.integers(1, answers + 1, n)
    budget = max(budget, n) if budget else int(draw.generator.integers(n, 2 * n + 1))
    arrays = (with_values(draw.array(n), each.astype(np.int64)) for each in (prompts, outputs))
    return Call("chunked_steps", (*arrays, budget))


drill = Drill(
    id="chunked-prefill",
    reference={"chunked_steps": chunked_steps},
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": {"whole numbers": {"dtype": "int64"}},
                "layout": TWO_LAYOUTS,
                "requests": {
                    "six requests": {"n": 6},
                    "one request": {"n": 1},
                    "twenty": {"n": 20},
                },
                "prompts": {"short": {}, "long": {"longest": 60}, "of one token": {"longest": 1}},
                "answers": {
                    "six at most": {},
                    "one token": {"answers": 1},
                    "long": {"answers": 25},
                },
                "budget": {"a small budget": {}, "a large budget": {"budget": 100}},
                "passed": by_keyword("budget"),
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
        case("the same call twice", dtype="int64", twice=True, n=5),
        case("a budget of exactly n", dtype="int64", n=5, budget=1),
        case("many requests", dtype="int64", n=40, longest=100, budget=64),
    ),
    probes=(
        Probe(
            "a budget of exactly n",
            lambda call: call["prompts"] is not None and call["budget"] == call["prompts"].shape[0],
        ),
    ),
    unasked=NO_GRADIENT | {"*float*": "tokens are counted in whole numbers"},
    small=(
        {"dtype": "int64", "n": 1, "longest": 3, "answers": 2},
        {"dtype": "int64", "n": 2, "longest": 4, "answers": 3},
        {"dtype": "int64", "n": 2, "longest": 6, "answers": 3},
        {"dtype": "int64", "n": 3, "longest": 5, "answers": 2},
        {"dtype": "int64", "n": 3, "longest": 3, "answers": 3},
    ),
    misconceptions=(
        *batching.OF_CHUNKS,
        *(each for each in behaviour("chunked-prefill") if each.id != "precision-lost"),
    ),
    axes=("step", "request"),
    told_as={"answers": ""},
)
