"""Mistakes in calling PyTorch's scaled_dot_product_attention."""

import dataclasses
import math

import numpy as np

from studyattn.grading.misconception import Misconception, Sign

from .masks import mask_inverted

SCALED = r"\text{softmax}(c \, QK^T + M), \quad c = \frac{1}{\sqrt{d}} \text{ if none is given}"
MASK = r"M_{pj} = 0 \text{ where } j \le p + n - m \text{ and } j \text{ is real}"


def _root_too(scores, factor, width):
    return scores * factor / math.sqrt(width)


sdpa_scaled_twice = Misconception(
    id="sdpa-scaled-twice",
    title="Scores are scaled twice: the function already multiplies by 1/√d or `scale`.",
    formula=SCALED,
    concept="pytorch-attention",
    ways=(
        {"scale": lambda scores, width: scores / width, "scale_by": _root_too},
        {"scale_by": _root_too},
        {
            "scale": lambda scores, width: scores / width,
            "scale_by": lambda scores, factor, width: scores * factor * factor,
        },
        {"scale_by": lambda scores, factor, width: scores * factor * factor},
    ),
)

sdpa_scale_unused = Misconception(
    id="sdpa-scale-unused",
    title="The given scale is not used: scores are always multiplied by 1/√d.",
    formula=SCALED,
    concept="pytorch-attention",
    ways=({"scale_by": lambda scores, factor, width: scores / math.sqrt(width)},),
)

sdpa_scale_divides = Misconception(
    id="sdpa-scale-divides",
    title="The scores are divided by `scale` or multiplied by √d: it is the other way around.",
    formula=SCALED,
    concept="pytorch-attention",
    ways=(
        {"scale_by": lambda scores, factor, width: scores / factor},
        {
            "scale": lambda scores, width: scores * math.sqrt(width),
            "scale_by": lambda scores, factor, width: scores / factor,
        },
        {"scale": lambda scores, width: scores * math.sqrt(width)},
    ),
)

sdpa_padding_unused = Misconception(
    id="sdpa-padding-unused",
    title="Padding is visible: only the causal mask is used.",
    formula=MASK,
    concept="pytorch-attention",
    ways=({"spread": lambda real, heads: np.ones_like(real)[:, None, None, :]},),
)

sdpa_future_seen = Misconception(
    id="sdpa-future-seen",
    title="Later keys are visible: the mask hides only padding.",
    formula=MASK,
    concept="pytorch-attention",
    ways=({"causal": lambda m, n, like: np.ones((m, n), bool)},),
)

sdpa_by_hand = Misconception(
    id="sdpa-by-hand",
    title=(
        "It creates an array of all scores. The library function avoids this for inputs with "
        "four axes."
    ),
    formula=r"\text{largest array} \ll h \cdot m \cdot n",
    concept="flash-attention",
    sign=Sign.COST,
)

real_inverted = dataclasses.replace(
    mask_inverted,
    ways=(
        *mask_inverted.ways,
        {"spread": lambda real, heads: ~real[:, None, None, :]},
    ),
)
"""The mask as a whole, or the part that is about padding."""

OF_LIBRARY = (
    sdpa_scaled_twice,
    sdpa_scale_unused,
    sdpa_scale_divides,
    sdpa_padding_unused,
    sdpa_future_seen,
    real_inverted,
    sdpa_by_hand,
)
