"""The checks of `normalise-tokens`. Its steps know nothing of attention."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case
from studyattn.grading.misconception import Misconception

Array = np.ndarray


def mean(x: Array) -> Array:
    """The mean of each token's features: (tokens, features) to (tokens, 1)."""
    return x.mean(axis=-1, keepdims=True)


def variance(centred: Array) -> Array:
    """The mean square of each token's centred features, divided by their number."""
    return (centred**2).mean(axis=-1, keepdims=True)


def deviation(variance: Array, eps: float) -> Array:
    """What a token is divided by."""
    return np.sqrt(variance + eps)


@dataclass(frozen=True)
class Steps:
    """What misconceptions exchange."""

    mean: Callable[[Array], Array] = mean
    variance: Callable[[Array], Array] = variance
    deviation: Callable[[Array, float], Array] = deviation


STEPS = Steps()


def layer_norm(x: Array, gain: Array, bias: Array, eps: float, *, steps: Steps = STEPS) -> Array:
    """Return the right answer."""
    centred = x - steps.mean(x)
    return gain * centred / steps.deviation(steps.variance(centred), eps) + bias


def ask(draw: Draw, *, tokens: int, features: int, eps: float) -> Call:
    """Call the submission with fresh numbers."""
    x = draw.array(tokens, features, sharp=True)
    return Call("layer_norm", (x, draw.array(features), draw.array(features), eps))


drill = Drill(
    id="normalise-tokens",
    reference={"layer_norm": layer_norm},
    steps=STEPS,
    ask=ask,
    cases=(
        case("all sizes different", tokens=4, features=6, eps=1e-5),
        case("as many tokens as features", tokens=5, features=5, eps=1e-5),
        case("features nearly equal", spread=1e-3, tokens=3, features=4, eps=1e-5),
        case("one token", tokens=1, features=8, eps=1e-5),
        case("float64", dtype="float64", tokens=2, features=7, eps=1e-5),
    ),
    small=(
        {"tokens": 1, "features": 2, "eps": 1.0},
        {"tokens": 2, "features": 2, "eps": 1.0},
        {"tokens": 3, "features": 3, "eps": 1.0},
    ),
    misconceptions=(
        Misconception(
            id="variance-unbiased",
            title="The variance is divided by d - 1, as an estimate would be.",
            formula=r"\sigma^2 = \frac{1}{d} \sum_i (x_i - \mu)^2",
            concept="variance",
            ways=(
                {
                    "variance": lambda centred: (
                        (centred**2).sum(axis=-1, keepdims=True) / max(centred.shape[-1] - 1, 1)
                    )
                },
            ),
        ),
        Misconception(
            id="epsilon-outside-root",
            title="Epsilon is added to the root, not to the variance under it.",
            formula=r"\sqrt{\sigma^2 + \epsilon}",
            concept="layer-norm",
            ways=({"deviation": lambda variance, eps: np.sqrt(variance) + eps},),
        ),
        Misconception(
            id="normalised-over-tokens",
            title="Mean and variance run over the tokens, not over the features of each token.",
            formula=r"\mu = \frac{1}{d} \sum_i x_i",
            concept="layer-norm",
            ways=(
                {
                    "mean": lambda x: x.mean(axis=0, keepdims=True),
                    "variance": lambda centred: (centred**2).mean(axis=0, keepdims=True),
                },
            ),
        ),
    ),
    axes=("token", "feature"),
    backends=("numpy",),
)
