"""Mistakes with linear and blockwise attention, low rank, gradients and counting."""

import math

import numpy as np

from studyattn.grading.misconception import Misconception, Sign

from .weights import over_queries

# ── linear attention ─────────────────────────────────────────────────────────────────────────────

linear_normaliser_missing = Misconception(
    id="linear-normaliser-missing",
    title="The sum is not divided by the sum of its weights.",
    formula=r"\frac{\phi(q)\,\phi(K)^T V}{\phi(q) \sum_j \phi(k_j)}",
    concept="linear-attention",
    ways=({"share": lambda numerator, denominator: numerator},),
)

linear_feature_map_missing = Misconception(
    id="linear-feature-map-missing",
    title="Queries and keys are used without the feature map elu + 1: weights can be negative.",
    formula=r"\phi(x) = \text{elu}(x) + 1",
    concept="linear-attention",
    ways=({"feature": lambda x: x},),
)

SELU = (1.0507009873554805, 1.6732632423543772)
"""Scale and α of selu, which is taken for elu (Klambauer et al. 2017)."""


def _shares(x, axis):
    exponentials = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return exponentials / np.sum(exponentials, axis=axis, keepdims=True)


linear_feature_map_wrong = Misconception(
    id="linear-feature-map-wrong",
    title="The feature map is another one than elu + 1.",
    formula=r"\phi(x) = \text{elu}(x) + 1",
    concept="linear-attention",
    ways=tuple(
        {"feature": feature}
        for feature in (
            lambda x: np.maximum(x, 0.0),
            lambda x: np.maximum(x, 0.0) + 1.0,
            np.exp,
            lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0.0))),
            lambda x: 1.0 / (1.0 + np.exp(-x)),
            lambda x: x + 1.0,
            lambda x: np.logaddexp(0.0, x),
            np.square,
            np.abs,
            lambda x: _shares(x, -1),
            lambda x: 1.0 + SELU[0] * np.where(x > 0, x, SELU[1] * np.expm1(np.minimum(x, 0.0))),
        )
    ),
)

linear_quadratic = Misconception(
    id="linear-quadratic",
    title="It makes a matrix of queries by keys: multiply keys with values first.",
    formula=r"\phi(Q)\left(\phi(K)^T V\right)",
    concept="linear-attention",
    sign=Sign.COST,
)

linear_normaliser_not_causal = Misconception(
    id="linear-normaliser-not-causal",
    title="The divisor sums the keys of all positions, not of those up to itself.",
    formula=r"z_i = \sum_{j \le i} \phi(k_j)",
    concept="causal-linear-attention",
    ways=(
        {
            "prefix": lambda x, axis: (
                np.broadcast_to(np.sum(x, axis=axis, keepdims=True), x.shape)
                if axis == -2
                else np.cumsum(x, axis=axis)
            ),
        },
    ),
)

# ── the online softmax ───────────────────────────────────────────────────────────────────────────


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
    title="When a larger score comes, what was summed before is not rescaled.",
    formula=r"\ell \leftarrow e^{m_{old} - m_{new}} \ell + \sum_j e^{s_j - m_{new}}",
    concept="online-softmax",
    ways=({"rescale": lambda total, old, new: total},),
)

flash_blocks_averaged = Misconception(
    id="flash-blocks-averaged",
    title="Each block is normalised by itself; there is one sum for all blocks.",
    formula=r"O = \frac{\sum_B e^{S_B - m} V_B}{\sum_B e^{S_B - m} 1}",
    concept="online-softmax",
    ways=({"running_peak": _block_total, "rescale": lambda total, old, new: total},),
)

flash_materialises = Misconception(
    id="flash-materialises",
    title="It holds more scores at once than those of one block of keys.",
    formula=r"O(m \cdot \text{block}) \text{ numbers, not } O(m \cdot n)",
    concept="flash-attention",
    sign=Sign.COST,
)

# ── low rank ─────────────────────────────────────────────────────────────────────────────────────

low_rank_materialised = Misconception(
    id="low-rank-materialised",
    title="The two factors are multiplied into the large matrix that they are there to avoid.",
    formula=r"(x A) B, \text{ not } x (A B)",
    concept="low-rank",
    sign=Sign.COST,
)

low_rank_up_missing = Misconception(
    id="low-rank-up-missing",
    title="Only the way down is taken; the result stays narrow.",
    formula=r"(x A) B",
    concept="low-rank",
    ways=({"low_rank": lambda x, down, up: x @ down},),
)

lora_scale_missing = Misconception(
    id="lora-scale-missing",
    title="The update is not multiplied by α/r.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: 1.0},),
)

lora_rank_not_divided = Misconception(
    id="lora-rank-not-divided",
    title="The update is multiplied by α and not divided by the rank.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: alpha},),
)

lora_scale_inverted = Misconception(
    id="lora-scale-inverted",
    title="The scale is upside down: r/α.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: rank / alpha},),
)

lora_scale_by_root = Misconception(
    id="lora-scale-by-root",
    title="α is divided by the root of the rank, not by the rank.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: alpha / math.sqrt(rank)},),
)

lora_update_missing = Misconception(
    id="lora-update-missing",
    title="Only the frozen matrix is used; the update is missing.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: 0.0},),
)

lora_base_missing = Misconception(
    id="lora-base-missing",
    title="Only the update is computed; x W is missing.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"project": lambda x, w: 0.0},),
)

# ── gradients ────────────────────────────────────────────────────────────────────────────────────

backward_scale_missing = Misconception(
    id="backward-scale-missing",
    title="The gradient does not go back through the division by √d.",
    formula=r"dQ = \frac{dS\, K}{\sqrt{d}}",
    concept="attention-backward",
    ways=({"scale_backward": lambda grad, width: grad},),
)

backward_softmax_elementwise = Misconception(
    id="backward-softmax-elementwise",
    title="The softmax is differentiated entry by entry: the sum over its row is missing.",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=(
        {"normalise_backward": lambda weights, grad: weights * grad},
        {"normalise_backward": lambda weights, grad: weights * (1 - weights) * grad},
    ),
)

backward_softmax_missing = Misconception(
    id="backward-softmax-missing",
    title="The gradient passes the softmax as if it were not there.",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=({"normalise_backward": lambda weights, grad: grad},),
)

backward_softmax_sum_unweighted = Misconception(
    id="backward-softmax-sum-unweighted",
    title="The row's sum is taken without the weights.",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=(
        {
            "normalise_backward": lambda weights, grad: (
                weights * (grad - np.sum(grad, axis=-1, keepdims=True))
            )
        },
        {
            "normalise_backward": lambda weights, grad: (
                weights * (grad - np.mean(grad, axis=-1, keepdims=True))
            )
        },
    ),
)

backward_softmax_wrong_axis = Misconception(
    id="backward-softmax-wrong-axis",
    title="The sum inside the softmax's gradient runs over the queries, not over a row's keys.",
    formula=r"dS = P \circ (dP - \textstyle\sum_j P_j\, dP_j)",
    concept="attention-backward",
    ways=({"normalise_backward": over_queries},),
)

backward_values_transposed = Misconception(
    id="backward-values-transposed",
    title="The gradient of the values needs the weights transposed.",
    formula=r"dV = P^T\, dO",
    concept="attention-backward",
    ways=({"value_backward": lambda weights, grad_output: weights @ grad_output},),
)

# ── counting ─────────────────────────────────────────────────────────────────────────────────────

parameters_output_missing = Misconception(
    id="parameters-output-missing",
    title="The output matrix is not counted.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=({"count_output": lambda d_model, d_head: 0},),
)

parameters_layers_ignored = Misconception(
    id="parameters-layers-ignored",
    title="Only one layer is counted.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=({"count_all": lambda head, num_heads, num_layers: head * num_heads},),
)

parameters_heads_ignored = Misconception(
    id="parameters-heads-ignored",
    title="Only one head of each layer is counted.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=({"count_all": lambda head, num_heads, num_layers: head * num_layers},),
)

parameters_full_value_matrix = Misconception(
    id="parameters-full-value-matrix",
    title="Each head is given a full d_model × d_model value matrix; it is two thin factors.",
    formula=r"W_V^{(i)}: d_{model} \times d_{head}, \; W_O^{(i)}: d_{head} \times d_{model}",
    concept="parameter-count",
    ways=(
        {
            "count_qkv": lambda d_model, d_head: (
                d_model * d_head,
                d_model * d_head,
                d_model * d_model,
            ),
            "count_output": lambda d_model, d_head: 0,
        },
        {
            "count_qkv": lambda d_model, d_head: (
                d_model * d_head,
                d_model * d_head,
                d_model * d_model,
            ),
        },
    ),
)

parameters_square_matrices = Misconception(
    id="parameters-square-matrices",
    title="The matrices are taken to be d_model × d_model; all heads together are h · d_head wide.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=(
        {
            "count_qkv": lambda d_model, d_head: (d_model * d_model,) * 3,
            "count_output": lambda d_model, d_head: d_model * d_model,
            "count_all": lambda head, num_heads, num_layers: head * num_layers,
        },
    ),
)


def _with_biases_on_qkv(d_model, d_head):
    return (d_model * d_head + d_head,) * 3


def _with_a_bias_on_the_output(**changes):
    """The bias of the output has d_model numbers, once a layer and not once a head."""

    def way():
        width = []

        def count_output(d_model, d_head):
            width[:] = [d_model]
            return d_head * d_model

        def count_all(head, num_heads, num_layers):
            return (head * num_heads + width[0]) * num_layers

        return {"count_output": count_output, "count_all": count_all, **changes}

    return way


parameters_biases_counted = Misconception(
    id="parameters-biases-counted",
    title="Biases are counted; there are none.",
    formula=r"4 \cdot d_{model} \cdot d_{head} \cdot h \cdot L",
    concept="parameter-count",
    ways=(
        {"count_qkv": _with_biases_on_qkv},
        _with_a_bias_on_the_output(count_qkv=_with_biases_on_qkv),
        _with_a_bias_on_the_output(),
    ),
)

LINEAR = (
    linear_normaliser_missing,
    linear_feature_map_missing,
    linear_feature_map_wrong,
    linear_quadratic,
)

FLASH = (
    flash_not_rescaled,
    flash_running_max_missing,
    flash_blocks_averaged,
    flash_materialises,
)

BACKWARD = (
    backward_scale_missing,
    backward_softmax_elementwise,
    backward_softmax_missing,
    backward_softmax_sum_unweighted,
    backward_softmax_wrong_axis,
    backward_values_transposed,
)

PARAMETERS = (
    parameters_output_missing,
    parameters_layers_ignored,
    parameters_heads_ignored,
    parameters_full_value_matrix,
    parameters_square_matrices,
    parameters_biases_counted,
)
