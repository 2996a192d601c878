"""Mistakes with the loss of a language model."""

import numpy as np

from studyattn.attention import LOSS_STEPS
from studyattn.grading.misconception import Misconception

CONCEPT = "next-token-loss"
SHIFT = r"\ell_t = -\log p(x_t \mid x_0, \dots, x_{t-1})"
MEAN = r"\frac{1}{|C|} \sum_{t \in C} \ell_t"
LOG_SHARE = r"\ell = \log \sum_j e^{z_j} - z_x"


def _not_shifted(logits, tokens, counts):
    return logits, tokens, counts


def _not_shifted_without_the_last(logits, tokens, counts):
    return logits[..., :-1, :], tokens[..., :-1], None if counts is None else counts[..., :-1]


def _not_shifted_without_the_first(logits, tokens, counts):
    return logits[..., 1:, :], tokens[..., 1:], None if counts is None else counts[..., 1:]


def _backwards(logits, tokens, counts):
    return logits[..., 1:, :], tokens[..., :-1], None if counts is None else counts[..., :-1]


def _backwards_counting_places(logits, tokens, counts):
    return logits[..., 1:, :], tokens[..., :-1], None if counts is None else counts[..., 1:]


def _counts_left_behind(logits, tokens, counts):
    return logits[..., :-1, :], tokens[..., 1:], None if counts is None else counts[..., :-1]


def _rolled(logits, tokens, counts):
    return logits, np.roll(tokens, -1, axis=-1), counts


def _rolled_with_counts(logits, tokens, counts):
    return (
        logits,
        np.roll(tokens, -1, axis=-1),
        None if counts is None else np.roll(counts, -1, axis=-1),
    )


def _summed(losses, counts):
    return np.sum(losses if counts is None else np.where(counts, losses, 0.0))


def _mean(values):
    """The mean; NaN of nothing, without the warning that `np.mean` gives there."""
    return np.sum(values) / values.size


def _multiplied(losses, counts):
    """What does not count is multiplied by 0, which leaves NaN of what is infinite."""
    if counts is None:
        return _mean(losses)
    return np.sum(losses * counts) / np.sum(counts)


def _per_text(losses, counts):
    """Sum over all, divided by the number of texts."""
    return _summed(losses, counts) / max(1, int(np.prod(losses.shape[:-1])))


def _divided_by_all(losses, counts):
    return _summed(losses, counts) / losses.size


def _padding_too(losses, counts):
    return _mean(losses)


def _divided_by_n(losses, counts):
    """Divided by the number of tokens, of which the first is no target."""
    return _summed(losses, counts) / (losses.size + losses.size // losses.shape[-1])


def _mean_of_means(losses, counts):
    weights = np.ones(losses.shape) if counts is None else counts.astype(float)
    return _mean(np.sum(losses * weights, axis=-1) / np.sum(weights, axis=-1))


def _mean_of_means_without_empty(losses, counts):
    weights = np.ones(losses.shape) if counts is None else counts.astype(float)
    each = np.maximum(np.sum(weights, axis=-1), 1)
    return _mean(np.sum(losses * weights, axis=-1) / each)


def _picked(values, targets):
    return np.take_along_axis(values, targets[..., None], axis=-1)[..., 0]


def _share(logits, targets):
    exponentials = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return _picked(exponentials / np.sum(exponentials, axis=-1, keepdims=True), targets)


def _sum_of_exponentials(logits, targets):
    return np.log(np.sum(np.exp(logits), axis=-1)) - _picked(logits, targets)


def _softmax_overflows(logits, targets):
    exponentials = np.exp(logits)
    return -np.log(_picked(exponentials / np.sum(exponentials, axis=-1, keepdims=True), targets))


def _log_of_share(logits, targets):
    return -np.log(_share(logits, targets))


def _with_epsilon(epsilon):
    return lambda logits, targets: -np.log(_share(logits, targets) + epsilon)


def _clipped(least):
    return lambda logits, targets: -np.log(np.maximum(_share(logits, targets), least))


def _over_positions(logits, targets):
    peak = np.max(logits, axis=-2, keepdims=True)
    total = np.log(np.sum(np.exp(logits - peak), axis=-2, keepdims=True)) + peak
    return _picked(total - logits, targets)


loss_not_shifted = Misconception(
    id="loss-not-shifted",
    title=(
        "Each token's logits are compared with the token itself; they should predict the next one."
    ),
    formula=SHIFT,
    concept=CONCEPT,
    ways=(
        {"pair": _not_shifted},
        {"pair": _not_shifted_without_the_last},
        {"pair": _not_shifted_without_the_first},
    ),
)

loss_shifted_backwards = Misconception(
    id="loss-shifted-backwards",
    title="The shift goes the wrong way: the logits are compared with the previous token.",
    formula=SHIFT,
    concept=CONCEPT,
    ways=({"pair": _backwards}, {"pair": _backwards_counting_places}),
)

loss_last_wraps = Misconception(
    id="loss-last-wraps",
    title="The last logits are compared with the first token; nothing comes after the last.",
    formula=SHIFT,
    concept=CONCEPT,
    ways=({"pair": _rolled}, {"pair": _rolled_with_counts}),
)

loss_counts_not_shifted = Misconception(
    id="loss-counts-not-shifted",
    title="counts is cut at the wrong end: it belongs to the tokens that are predicted.",
    formula=MEAN,
    concept=CONCEPT,
    ways=({"pair": _counts_left_behind},),
)

loss_padding_counted = Misconception(
    id="loss-padding-counted",
    title="Tokens that should not count are included in the mean.",
    formula=MEAN,
    concept=CONCEPT,
    ways=({"average": _padding_too},),
)

loss_divided_by_all = Misconception(
    id="loss-divided-by-all",
    title="The sum over counted targets is divided by the number of all targets or of all tokens.",
    formula=MEAN,
    concept=CONCEPT,
    ways=({"average": _divided_by_all}, {"average": _divided_by_n}),
)

loss_summed = Misconception(
    id="loss-summed",
    title="The losses are summed but not divided by the number of counted targets.",
    formula=MEAN,
    concept=CONCEPT,
    ways=({"average": _summed}, {"average": _per_text}),
)

loss_mean_of_means = Misconception(
    id="loss-mean-of-means",
    title="Each text's mean is taken first, so tokens of short texts count more.",
    formula=MEAN,
    concept=CONCEPT,
    ways=({"average": _mean_of_means}, {"average": _mean_of_means_without_empty}),
)

loss_unstable = Misconception(
    id="loss-unstable",
    title="Exponentials overflow, or small probabilities lose their logarithm.",
    formula=LOG_SHARE,
    concept=CONCEPT,
    ways=(
        *(
            {"surprise": surprise, **average}
            for surprise in (_log_of_share, _softmax_overflows, _sum_of_exponentials)
            for average in ({}, {"average": _multiplied})
        ),
        *({"surprise": _with_epsilon(10.0**-digits)} for digits in (8, 9, 12, 10, 7, 6)),
        *({"surprise": _clipped(10.0**-digits)} for digits in (8, 9, 12, 10, 7, 6)),
    ),
)

loss_sign = Misconception(
    id="loss-sign",
    title="The sign is wrong: log-probabilities are negative, but the loss is not.",
    formula=LOG_SHARE,
    concept=CONCEPT,
    ways=({"surprise": lambda logits, targets: -LOSS_STEPS.surprise(logits, targets)},),
)

loss_without_logarithm = Misconception(
    id="loss-without-logarithm",
    title="The logarithm of the probability is not taken.",
    formula=LOG_SHARE,
    concept=CONCEPT,
    ways=(
        {"surprise": lambda logits, targets: 1.0 - _share(logits, targets)},
        {"surprise": lambda logits, targets: -_share(logits, targets)},
        {"surprise": lambda logits, targets: -_picked(logits, targets)},
    ),
)

loss_over_positions = Misconception(
    id="loss-over-positions",
    title="The softmax runs over the positions; it should run over the vocabulary.",
    formula=LOG_SHARE,
    concept="softmax",
    ways=({"surprise": _over_positions},),
)

OF_LOSSES = (
    loss_not_shifted,
    loss_shifted_backwards,
    loss_padding_counted,
    loss_divided_by_all,
    loss_summed,
    loss_counts_not_shifted,
    loss_mean_of_means,
    loss_last_wraps,
    loss_unstable,
    loss_sign,
    loss_without_logarithm,
    loss_over_positions,
)
