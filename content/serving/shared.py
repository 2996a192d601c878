"""The common parts of the checks of drills: axes of conditions, and mistakes of any code."""

from dataclasses import replace

import numpy as np

from studyattn.grading.call_plan import Layout
from studyattn.grading.misconception import Misconception, Sign

FLOATS = {"float32": {}, "float64": {"dtype": "float64"}}

LAYOUTS = {
    "contiguous": {},
    "transposed in memory": {"layout": Layout.TRANSPOSED},
    "strided in memory": {"layout": Layout.STRIDED},
}

OF_HEADS = {**LAYOUTS, "permuted as by split_heads": {"layout": Layout.PERMUTED}}
"""Of arrays with an axis of heads."""

TWO_LAYOUTS = {name: LAYOUTS[name] for name in ("contiguous", "strided in memory")}


def by_keyword(name):
    """The axis of whether the arguments from `name` on are passed by keyword."""
    return {"by position": {}, f"{name} by keyword": {"keywords": (name,)}}


NO_GRADIENT = {"*gradient*": "no gradients are asked in this course"}
NOT_EXPANDED = {"*expanded*": "what is kept or generated has numbers of its own in each entry"}
NO_HALVES = {"*float16*": "float32 or float64, by the brief"}


def softmax(scores):
    """The shares of the last axis; those of -inf are 0."""
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


_BEHAVIOUR = tuple(
    Misconception(id=name, title=title, formula=formula, concept="", sign=sign)
    for name, title, formula, sign in (
        (
            "forbidden-call",
            "It calls a library function that this drill bans: write that part yourself.",
            r"f(x) \text{ is computed by your own code}",
            Sign.FORBIDDEN_CALL,
        ),
        (
            "input-mutated",
            "It modifies its input arrays.",
            r"f(x) \text{ leaves } x \text{ as it is}",
            Sign.INPUT_CHANGED,
        ),
        (
            "result-overwritten",
            "A result is not kept: a later call, or new numbers in its input, overwrite it.",
            r"y_1 = f(x_1) \text{ stays } y_1 \text{ after } y_2 = f(x_2)",
            Sign.RESULT_CHANGED,
        ),
        (
            "state-kept",
            "State leaks from one call to the next: the same input alone gives the correct result.",
            r"x = y \Rightarrow f(x) = f(y)",
            Sign.STATE_KEPT,
        ),
        (
            "not-deterministic",
            "The same call gives a different result the second time.",
            r"x = y \Rightarrow f(x) = f(y)",
            Sign.TWO_ANSWERS,
        ),
        (
            "precision-lost",
            "Precision is lost: the numbers have fewer correct digits than required.",
            r"|f(x) - \hat f(x)| \le c\,\varepsilon",
            Sign.LOW_PRECISION,
        ),
    )
)


def behaviour(concept):
    """The mistakes that any code can make and that leave the values right, or nearly so."""
    return tuple(replace(each, concept=concept) for each in _BEHAVIOUR)
