"""Mistakes with the online softmax and attention a block of keys at a time."""

import math

import numpy as np

from studyattn.attention import STEPS
from studyattn.grading.misconception import Misconception, Sign


def _block_peak(peak, scores):
    return np.max(scores, axis=-1, keepdims=True)


def _block_total(peak, scores):
    """log Σ eˢ of the block: relative to it, a block's weights sum to 1."""
    top = np.max(scores, axis=-1, keepdims=True)
    return top + np.log(np.sum(np.exp(scores - top), axis=-1, keepdims=True))


flash_running_max_missing = Misconception(
    id="flash-running-max-missing",
    title="Each block subtracts its own maximum; all need the same one, the running maximum.",
    formula=r"m \leftarrow \max(m, \max_j s_j)",
    concept="online-softmax",
    ways=({"running_peak": _block_peak, "rescale": lambda total, old, new: total},),
)

flash_not_rescaled = Misconception(
    id="flash-not-rescaled",
    title="When a larger score arrives, the earlier sums are not rescaled.",
    formula=r"\ell \leftarrow e^{m_{old} - m_{new}} \ell + \sum_j e^{s_j - m_{new}}",
    concept="online-softmax",
    ways=({"rescale": lambda total, old, new: total},),
)

flash_blocks_averaged = Misconception(
    id="flash-blocks-averaged",
    title="Each block is normalized separately; there should be one sum for all blocks.",
    formula=r"O = \frac{\sum_B e^{S_B - m} V_B}{\sum_B e^{S_B - m} 1}",
    concept="online-softmax",
    ways=({"running_peak": _block_total, "rescale": lambda total, old, new: total},),
)


def _online(
    *,
    total_factor=lambda old, new: np.exp(old - new),
    output_factor=lambda old, new: np.exp(old - new),
    peaks=lambda peak, scores: np.maximum(peak, np.max(scores, axis=-1, keepdims=True)),
    kept=lambda new, scores: new,
    blocks=lambda n, size: range(0, n, size),
    first=-math.inf,
):
    """The online softmax with one of its parts exchanged."""

    def flash_attention(q, k, v, block_size, *, steps=STEPS):
        q, k, v = steps.roles(q, k, v)
        peak = np.full((*q.shape[:-1], 1), first, q.dtype)
        numerator, denominator = 0.0, 0.0
        for start in blocks(k.shape[-2], block_size):
            block = slice(start, start + block_size)
            scores = steps.scale(steps.scores(q, k[..., block, :]), q.shape[-1])
            new = peaks(peak, scores)
            exponentials = np.exp(scores - new)
            numerator = output_factor(peak, new) * numerator + exponentials @ v[..., block, :]
            denominator = total_factor(peak, new) * denominator
            denominator = denominator + np.sum(exponentials, axis=-1, keepdims=True)
            peak = kept(new, scores)
        if isinstance(denominator, float):  # no block at all
            return np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)
        return steps.share(numerator, denominator)

    return {"flash_attention": flash_attention}


def _one(old, new):
    return 1.0


def _upside_down(old, new):
    """e^(new − old), and 0 before anything was summed."""
    return np.where(old == -math.inf, 0.0, np.exp(new - np.where(old == -math.inf, new, old)))


flash_sum_not_rescaled = Misconception(
    id="flash-sum-not-rescaled",
    title="When a larger score arrives, the output is rescaled but the sum of weights is not.",
    formula=r"\ell \leftarrow e^{m_{old} - m_{new}} \ell + \sum_j e^{s_j - m_{new}}",
    concept="online-softmax",
    ways=(_online(total_factor=_one),),
)

flash_output_not_rescaled = Misconception(
    id="flash-output-not-rescaled",
    title="When a larger score arrives, the sum of weights is rescaled but the output is not.",
    formula=r"O \leftarrow e^{m_{old} - m_{new}} O + \sum_j e^{s_j - m_{new}} v_j",
    concept="online-softmax",
    ways=(_online(output_factor=_one),),
)

flash_factor_inverted = Misconception(
    id="flash-factor-inverted",
    title="The rescaling factor is inverted: e^(new − old) makes old sums larger.",
    formula=r"e^{m_{old} - m_{new}} \le 1",
    concept="online-softmax",
    ways=(
        _online(total_factor=_upside_down, output_factor=_upside_down),
        {"rescale": lambda total, old, new: total * np.exp(new - old)},
    ),
)

flash_last_block_dropped = Misconception(
    id="flash-last-block-dropped",
    title="A partial last block is left out.",
    formula=r"\lceil n / B \rceil \text{ blocks}",
    concept="flash-attention",
    ways=(_online(blocks=lambda n, size: range(0, n - n % size, size)),),
)

flash_only_last_block = Misconception(
    id="flash-only-last-block",
    title="Only the last block counts: the earlier sums are lost.",
    formula=r"\ell \leftarrow e^{m_{old} - m_{new}} \ell + \sum_j e^{s_j - m_{new}}",
    concept="online-softmax",
    ways=(_online(total_factor=lambda old, new: 0.0, output_factor=lambda old, new: 0.0),),
)

flash_block_maximum_kept = Misconception(
    id="flash-block-maximum-kept",
    title="The maximum of the last block is kept; it must be the largest score so far.",
    formula=r"m \leftarrow \max(m, \max_j s_j)",
    concept="online-softmax",
    ways=(
        _online(kept=lambda new, scores: np.max(scores, axis=-1, keepdims=True)),
        _online(peaks=lambda peak, scores: np.max(scores, axis=-1, keepdims=True)),
    ),
)

flash_maximum_not_updated = Misconception(
    id="flash-maximum-not-updated",
    title="The first block's maximum is used for all blocks, so larger scores overflow.",
    formula=r"m \leftarrow \max(m, \max_j s_j)",
    concept="online-softmax",
    ways=(
        _online(
            peaks=lambda peak, scores: np.where(
                peak == -math.inf, np.max(scores, axis=-1, keepdims=True), peak
            )
        ),
    ),
)

flash_maximum_starts_high = Misconception(
    id="flash-maximum-starts-high",
    title="The running maximum does not start at −∞, so very low scores give 0/0.",
    formula=r"m_0 = -\infty",
    concept="online-softmax",
    ways=tuple(_online(first=first) for first in (0.0, -100.0, -1e3, -1e4, -1e5)),
)

flash_not_divided = Misconception(
    id="flash-not-divided",
    title="At the end the output is not divided by the sum of the weights.",
    formula=r"O = \frac{\sum_j e^{s_j - m} v_j}{\sum_j e^{s_j - m}}",
    concept="online-softmax",
    ways=({"share": lambda numerator, denominator: numerator},),
)

flash_materialises = Misconception(
    id="flash-materialises",
    title="It keeps more numbers at a time than one block's scores, in arrays or as Python's own.",
    formula=r"O(m \cdot \text{block}) \text{ numbers, not } O(m \cdot n)",
    concept="flash-attention",
    sign=Sign.COST,
)

FLASH = (
    flash_not_rescaled,
    flash_running_max_missing,
    flash_blocks_averaged,
    flash_sum_not_rescaled,
    flash_output_not_rescaled,
    flash_factor_inverted,
    flash_last_block_dropped,
    flash_only_last_block,
    flash_block_maximum_kept,
    flash_maximum_starts_high,
    flash_maximum_not_updated,
    flash_not_divided,
    flash_materialises,
)
