"""Mistakes with layer normalisation and RMSNorm."""

import dataclasses

import numpy as np

from studyattn.attention import STEPS, layer_norm, rms_norm
from studyattn.grading.misconception import Misconception

NORMED = r"\hat x = \frac{x - \mu}{\sqrt{\sigma^2 + \epsilon}}"
VARIANCE = r"\sigma^2 = \frac{1}{d} \sum_i (x_i - \mu)^2"
ROOT_MEAN_SQUARE = r"y = g \odot \frac{x}{\sqrt{\frac{1}{d} \sum_i x_i^2 + \epsilon}}"
OUTPUT = r"y = g \odot \hat x + b"


def _over(axis):
    """Return the changes by which a row is normalised with what these axes hold."""

    def centre(x):
        return x - np.mean(x, axis=axis, keepdims=True)

    def mean_square(x):
        return np.mean(x * x, axis=axis, keepdims=True)

    return {"centre": centre, "mean_square": mean_square}


def _one_less(centred):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.sum(centred * centred, axis=-1, keepdims=True) / np.subtract(centred.shape[-1], 1)


def _summed(x):
    return np.sum(x * x, axis=-1, keepdims=True)


def _variance(x):
    return STEPS.mean_square(STEPS.centre(x))


def _as_it_is(rows, *_):
    return rows


def _eps_outside(square, eps):
    return np.sqrt(square) + eps


def _without_eps(square, eps):
    return np.sqrt(square)


def _usual_eps(square, eps):
    return np.sqrt(square + 1e-5)


def _smaller_eps(square, eps):
    return np.sqrt(square + 1e-6)


def _layer_norm_by_default(default):
    def norm(x, gain, bias, eps=default, *, steps=STEPS):
        return layer_norm(x, gain, bias, eps, steps=steps)

    return {"layer_norm": norm}


def _rms_norm_by_default(default):
    def norm(x, gain, eps=default, *, steps=STEPS):
        return rms_norm(x, gain, eps, steps=steps)

    return {"rms_norm": norm}


def _without_root(square, eps):
    return square + eps


def _multiplied_bias(x, gain, bias, eps=1e-5, *, steps=STEPS):
    centred = steps.centre(x)
    return (centred / steps.root(steps.mean_square(centred), eps) + bias) * gain


def _uncentred_squares(x, gain, bias, eps=1e-5, *, steps=STEPS):
    rows = steps.centre(x) / steps.root(steps.mean_square(x), eps)
    return steps.shift(steps.stretch(rows, gain), bias)


def _one_plus_gain(rows, gain):
    return rows * (1 + gain)


variance_unbiased = Misconception(
    id="variance-unbiased",
    title="The variance is divided by d − 1; it should be divided by d.",
    formula=VARIANCE,
    concept="block-parts",
    ways=({"mean_square": _one_less},),
)

eps_outside = Misconception(
    id="eps-outside-root",
    title="Epsilon is added to the root; it should be added under it.",
    formula=NORMED,
    concept="block-parts",
    ways=({"root": _eps_outside},),
)

eps_unused = Misconception(
    id="eps-unused",
    title="The given epsilon is not used.",
    formula=NORMED,
    concept="block-parts",
    ways=({"root": _without_eps}, {"root": _usual_eps}, {"root": _smaller_eps}),
)

OTHER_DEFAULTS = (1e-6, 1e-8, 1e-12, 1e-3)

layer_norm_default = Misconception(
    id="norm-default-eps",
    title="If no epsilon is given, another one than 1e-5 is used.",
    formula=NORMED,
    concept="block-parts",
    ways=tuple(map(_layer_norm_by_default, OTHER_DEFAULTS)),
)

rms_norm_default = dataclasses.replace(
    layer_norm_default,
    id="rms-default-eps",
    formula=ROOT_MEAN_SQUARE,
    ways=tuple(map(_rms_norm_by_default, OTHER_DEFAULTS)),
)

norm_root_missing = Misconception(
    id="norm-root-missing",
    title="Each row is divided by its mean square; the square root is missing.",
    formula=NORMED,
    concept="block-parts",
    ways=({"root": _without_root},),
)

norm_over_positions = Misconception(
    id="norm-over-positions",
    title="Each feature is normalized over the positions or the batch; each row has its own scale.",
    formula=r"\mu = \frac{1}{d} \sum_i x_i",
    concept="block-parts",
    ways=(_over(-2), _over(0)),
)

norm_over_everything = Misconception(
    id="norm-over-everything",
    title="One scale is used for many rows; each row should have its own.",
    formula=r"\mu = \frac{1}{d} \sum_i x_i",
    concept="block-parts",
    ways=(_over((-2, -1)), _over(None)),
)

gain_missing = Misconception(
    id="norm-gain-missing",
    title="The gain is not used: each feature should be multiplied by its gain.",
    formula=OUTPUT,
    concept="block-parts",
    ways=({"stretch": _as_it_is},),
)

bias_missing = Misconception(
    id="norm-bias-missing",
    title="The bias is not used: each feature should have its bias added.",
    formula=OUTPUT,
    concept="block-parts",
    ways=({"shift": _as_it_is},),
)

bias_multiplied = Misconception(
    id="norm-bias-multiplied",
    title="The bias is added before the gain multiplies, so it is multiplied as well.",
    formula=OUTPUT,
    concept="block-parts",
    ways=({"layer_norm": _multiplied_bias},),
)

not_centred = Misconception(
    id="norm-not-centred",
    title="The mean is not subtracted from the row.",
    formula=NORMED,
    concept="block-parts",
    ways=({"centre": _as_it_is}, {"centre": _as_it_is, "mean_square": _variance}),
)

squares_not_centred = Misconception(
    id="norm-squares-not-centred",
    title="The squares are of the row itself; the variance is of its distances from the mean.",
    formula=VARIANCE,
    concept="block-parts",
    ways=({"layer_norm": _uncentred_squares},),
)

OF_LAYER_NORM = (
    variance_unbiased,
    eps_outside,
    norm_over_positions,
    norm_over_everything,
    eps_unused,
    gain_missing,
    bias_missing,
    not_centred,
    squares_not_centred,
    norm_root_missing,
    bias_multiplied,
    layer_norm_default,
)


def _centred_first(x, gain, eps=1e-5, *, steps=STEPS):
    centred = steps.centre(x)
    return steps.stretch(centred / steps.root(steps.mean_square(centred), eps), gain)


rms_centred = Misconception(
    id="rms-centred",
    title="The mean is subtracted, from the rows or in their squares; RMSNorm subtracts none.",
    formula=ROOT_MEAN_SQUARE,
    concept="llama-block",
    ways=({"rms_norm": _centred_first}, {"mean_square": _variance}),
)

rms_summed = Misconception(
    id="rms-summed",
    title="Each row is divided by its length: the squares are summed, not averaged.",
    formula=ROOT_MEAN_SQUARE,
    concept="llama-block",
    ways=({"mean_square": _summed},),
)

rms_one_plus_gain = Misconception(
    id="rms-one-plus-gain",
    title="The rows are multiplied by 1 + gain; here the gain is the factor itself.",
    formula=ROOT_MEAN_SQUARE,
    concept="llama-block",
    ways=({"stretch": _one_plus_gain},),
)

OF_RMS_NORM = (
    eps_outside,
    norm_over_positions,
    norm_over_everything,
    norm_root_missing,
    rms_centred,
    eps_unused,
    rms_summed,
    gain_missing,
    rms_one_plus_gain,
    rms_norm_default,
)

READY_MADE = (
    "layer_norm",
    "native_layer_norm",
    "rms_norm",
    "fused_rms_norm",
    "group_norm",
    "native_group_norm",
    "batch_norm",
    "native_batch_norm",
    "instance_norm",
)
"""Library functions that normalise by themselves."""
