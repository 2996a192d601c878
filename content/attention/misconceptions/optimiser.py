"""Mistakes with a step of AdamW."""

import numpy as np

from studyattn.attention import OPTIMISER_STEPS, adamw_step
from studyattn.grading.misconception import Misconception

CONCEPT = "adamw"
DECAY = r"w \leftarrow (1 - \eta \lambda) w - \dots"
CORRECTED = r"\hat m = \frac{m}{1 - \beta^t}"
DIRECTION = r"\frac{\hat m}{\sqrt{\hat s} + \epsilon}"
MEANS = r"m \leftarrow \beta_1 m + (1 - \beta_1) g"


def _uncorrected(moment, beta, step):
    return moment


def _one_step_early(moment, beta, step):
    return np.divide(moment, 1.0 - beta ** (step - 1))


def _one_step_late(moment, beta, step):
    return moment / (1.0 - beta ** (step + 1))


def _always_the_first(moment, beta, step):
    return moment / (1.0 - beta)


def _decay_after(weights, gradient, mean, square, step, rate, *settings, **named):
    """The decay takes its share of the weights that were moved."""
    beta_1, beta_2, epsilon, decay = _settings(settings, named)
    moved, *means = adamw_step(
        weights, gradient, mean, square, step, rate, beta_1, beta_2, epsilon, 0.0
    )
    return (moved * (1.0 - rate * decay), *means)


def _decay_in_direction(weights, gradient, mean, square, step, rate, *settings, **named):
    """The decay is added before the rate has been applied twice."""
    beta_1, beta_2, epsilon, decay = _settings(settings, named)
    moved, *means = adamw_step(
        weights, gradient, mean, square, step, rate, beta_1, beta_2, epsilon, 0.0
    )
    return (moved - rate * rate * decay * weights, *means)


def _betas_swapped(weights, gradient, mean, square, step, rate, *settings, **named):
    beta_1, beta_2, epsilon, decay = _settings(settings, named)
    return adamw_step(weights, gradient, mean, square, step, rate, beta_2, beta_1, epsilon, decay)


def _epsilon_first(weights, gradient, mean, square, step, rate, *settings, **named):
    """Add ε to the root of the running mean, of which the correction is taken afterwards."""
    beta_1, beta_2, epsilon, decay = _settings(settings, named)
    larger = epsilon / np.sqrt(1.0 - beta_2**step)
    return adamw_step(weights, gradient, mean, square, step, rate, beta_1, beta_2, larger, decay)


def _settings(given, named):
    defaults = {"beta_1": 0.9, "beta_2": 0.999, "epsilon": 1e-8, "decay": 0.01}
    return {**defaults, **dict(zip(defaults, given, strict=False)), **named}.values()


def _sum_instead_of_mean(mean, gradient, beta):
    return beta * mean + gradient


decay_in_gradient = Misconception(
    id="decay-in-gradient",
    title="The decay is added to the gradient, where the root divides it: that is Adam with L2.",
    formula=DECAY,
    concept=CONCEPT,
    ways=(
        {
            "regularise": lambda gradient, weights, decay: gradient + decay * weights,
            "shrink": lambda weights, rate, decay: weights,
        },
        {"regularise": lambda gradient, weights, decay: gradient + decay * weights},
    ),
)

decay_missing = Misconception(
    id="decay-missing",
    title="The weights do not decay.",
    formula=DECAY,
    concept=CONCEPT,
    ways=({"shrink": lambda weights, rate, decay: weights},),
)

decay_without_rate = Misconception(
    id="decay-without-rate",
    title="The decay is multiplied by the rate twice or not at all; it should be once.",
    formula=DECAY,
    concept=CONCEPT,
    ways=(
        {"shrink": lambda weights, rate, decay: weights * (1.0 - decay)},
        {"adamw_step": _decay_in_direction},
    ),
)

decay_after_step = Misconception(
    id="decay-after-step",
    title="The decay is applied after the step; it should be applied before.",
    formula=DECAY,
    concept=CONCEPT,
    ways=({"adamw_step": _decay_after},),
)

decay_grows = Misconception(
    id="decay-grows",
    title="The decay has the wrong sign: the weights grow.",
    formula=DECAY,
    concept=CONCEPT,
    ways=({"shrink": lambda weights, rate, decay: weights * (1.0 + rate * decay)},),
)

correction_missing = Misconception(
    id="correction-missing",
    title="A running mean is used without correction: it starts at 0 and is too small at first.",
    formula=CORRECTED,
    concept=CONCEPT,
    ways=(
        {"correct_first": _uncorrected, "correct_second": _uncorrected},
        {"correct_second": _uncorrected},
        {"correct_first": _uncorrected},
    ),
)

correction_off_by_one = Misconception(
    id="correction-off-by-one",
    title="The correction uses the wrong step number; the current step counts.",
    formula=CORRECTED,
    concept=CONCEPT,
    ways=tuple(
        {"correct_first": way, "correct_second": way}
        for way in (_one_step_early, _one_step_late, _always_the_first)
    ),
)

corrected_kept = Misconception(
    id="corrected-kept",
    title="The corrected means are returned, so the next step corrects them again.",
    formula=CORRECTED,
    concept=CONCEPT,
    ways=({"remember": lambda moment, corrected: corrected},),
)

epsilon_under_root = Misconception(
    id="epsilon-under-root",
    title="ε is added under the root; it should be added to the root.",
    formula=DIRECTION,
    concept=CONCEPT,
    ways=({"direction": lambda mean, square, epsilon: mean / np.sqrt(square + epsilon)},),
)

epsilon_before_correction = Misconception(
    id="epsilon-before-correction",
    title="ε is added before the correction, which enlarges it; add it to the corrected root.",
    formula=DIRECTION,
    concept=CONCEPT,
    ways=({"adamw_step": _epsilon_first},),
)

epsilon_missing = Misconception(
    id="epsilon-missing",
    title="ε is missing: if all gradients were 0, this divides 0 by 0.",
    formula=DIRECTION,
    concept=CONCEPT,
    ways=({"direction": lambda mean, square, epsilon: np.divide(mean, np.sqrt(square))},),
)

root_missing = Misconception(
    id="root-missing",
    title="The mean is divided by the squares; it should be divided by their root.",
    formula=DIRECTION,
    concept=CONCEPT,
    ways=({"direction": lambda mean, square, epsilon: mean / (square + epsilon)},),
)

square_missing = Misconception(
    id="square-missing",
    title="The second mean is not a mean of squares.",
    formula=r"s \leftarrow \beta_2 s + (1 - \beta_2) g^2",
    concept=CONCEPT,
    ways=(
        {"second": lambda square, gradient, beta: beta * square + (1.0 - beta) * np.abs(gradient)},
        {"second": OPTIMISER_STEPS.first},
    ),
)

means_swapped = Misconception(
    id="means-swapped",
    title="β₁ and β₂ are swapped, or β and 1 − β are.",
    formula=MEANS,
    concept=CONCEPT,
    ways=(
        {"adamw_step": _betas_swapped},
        {
            "first": lambda mean, gradient, beta: OPTIMISER_STEPS.first(mean, gradient, 1.0 - beta),
            "second": lambda square, gradient, beta: OPTIMISER_STEPS.second(
                square, gradient, 1.0 - beta
            ),
        },
    ),
)

mean_as_sum = Misconception(
    id="mean-as-sum",
    title="The full new gradient is added; a running mean takes only the fraction 1 − β of it.",
    formula=MEANS,
    concept=CONCEPT,
    ways=(
        {"first": _sum_instead_of_mean},
        {
            "first": _sum_instead_of_mean,
            "second": lambda square, gradient, beta: beta * square + gradient * gradient,
        },
    ),
)

step_uphill = Misconception(
    id="step-uphill",
    title="The weights move in the direction that increases the loss.",
    formula=DECAY,
    concept=CONCEPT,
    ways=({"move": lambda weights, direction, rate: weights + rate * direction},),
)

OF_ADAMW = (
    decay_in_gradient,
    decay_missing,
    decay_without_rate,
    decay_after_step,
    decay_grows,
    correction_missing,
    correction_off_by_one,
    corrected_kept,
    epsilon_under_root,
    epsilon_before_correction,
    epsilon_missing,
    root_missing,
    square_missing,
    means_swapped,
    mean_as_sum,
    step_uphill,
)
