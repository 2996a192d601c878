"""Mistakes that leave the values right, or wrong by a little, and show in what happened."""

from dataclasses import replace

from studyattn.grading.misconception import Misconception, Sign

GRADIENT = r"\frac{\partial L}{\partial x}"

OF_THE_DRILL = ""
"""The concept of a mistake that has none of its own."""

input_mutated = Misconception(
    id="input-mutated",
    title="It modifies its input arrays.",
    formula=r"f(x) \text{ leaves } x \text{ as it is}",
    concept=OF_THE_DRILL,
    sign=Sign.INPUT_CHANGED,
)

result_overwritten = Misconception(
    id="result-overwritten",
    title="A result is not kept: a later call, or new numbers in its input, overwrite it.",
    formula=r"y_1 = f(x_1) \text{ stays } y_1 \text{ after } y_2 = f(x_2)",
    concept=OF_THE_DRILL,
    sign=Sign.RESULT_CHANGED,
)

not_differentiable = Misconception(
    id="not-differentiable",
    title="No gradient reaches an input that needs one.",
    formula=GRADIENT,
    concept=OF_THE_DRILL,
    sign=Sign.NO_GRADIENT,
)

gradient_not_finite = Misconception(
    id="gradient-not-finite",
    title="The values are right, but their gradient is NaN or infinite.",
    formula=GRADIENT,
    concept=OF_THE_DRILL,
    sign=Sign.GRADIENT_NOT_FINITE,
)

gradient_wrong = Misconception(
    id="gradient-wrong",
    title="The values are right, but their gradient is not.",
    formula=GRADIENT,
    concept=OF_THE_DRILL,
    sign=Sign.WRONG_GRADIENT,
)

not_deterministic = Misconception(
    id="not-deterministic",
    title="The same call gives a different result the second time.",
    formula=r"x = y \Rightarrow f(x) = f(y)",
    concept=OF_THE_DRILL,
    sign=Sign.TWO_ANSWERS,
)

precision_lost = Misconception(
    id="precision-lost",
    title="Precision is lost: the numbers have fewer correct digits than required.",
    formula=r"|f(x) - \hat f(x)| \le c\,\varepsilon",
    concept="numerical-stability",
    sign=Sign.LOW_PRECISION,
)

state_kept = Misconception(
    id="state-kept",
    title="State leaks from one call to the next: the same input alone gives the correct result.",
    formula=r"x = y \Rightarrow f(x) = f(y)",
    concept=OF_THE_DRILL,
    sign=Sign.STATE_KEPT,
)

forbidden_call = Misconception(
    id="forbidden-call",
    title="It calls a library function that this drill bans: write that part yourself.",
    formula=r"f(x) \text{ is computed by your own code}",
    concept=OF_THE_DRILL,
    sign=Sign.FORBIDDEN_CALL,
)

_BEHAVIOUR = (
    forbidden_call,
    input_mutated,
    result_overwritten,
    state_kept,
    not_deterministic,
    not_differentiable,
    gradient_not_finite,
    gradient_wrong,
    precision_lost,
)
"""Those that can be made in every drill that returns arrays."""


def of(concept: str) -> tuple[Misconception, ...]:
    """Return them for a drill that trains a concept: it is what to review, where none is named."""
    return tuple(replace(each, concept=each.concept or concept) for each in _BEHAVIOUR)
