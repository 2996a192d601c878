"""Mistakes with two thin factors in place of a matrix, and with LoRA."""

import math

from studyattn.attention import STEPS, lora_linear
from studyattn.grading.misconception import Misconception, Sign

low_rank_materialised = Misconception(
    id="low-rank-materialised",
    title="It forms the large matrix or does as much work: apply one thin factor after the other.",
    formula=r"(x A) B, \text{ not } x (A B)",
    concept="low-rank",
    sign=Sign.COST,
)

low_rank_up_missing = Misconception(
    id="low-rank-up-missing",
    title="Only the down-projection is applied, so the result stays narrow.",
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
    title="The update is multiplied by α but not divided by the rank.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: alpha},),
)

lora_scale_inverted = Misconception(
    id="lora-scale-inverted",
    title="The scale is inverted: it is r/α, not α/r.",
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


def _rank_from(size):
    """LoRA with another size than the rank below α."""

    def lora(x, w, a, b, alpha, *, steps=STEPS):
        update = steps.low_rank(x, a, b)
        return steps.project(x, w) + steps.lora_scale(alpha, size(x, a, b)) * update

    return {"lora_linear": lora}


lora_rank_from_other_axis = Misconception(
    id="lora-rank-from-other-axis",
    title="α is divided by the width of the input or of the output, not by the rank.",
    formula=r"r: \; A \text{ is } (d_{in}, r), \; B \text{ is } (r, d_{out})",
    concept="lora",
    ways=(
        _rank_from(lambda x, a, b: b.shape[-1]),
        _rank_from(lambda x, a, b: a.shape[0]),
    ),
)


def _all_scaled(x, w, a, b, alpha, *, steps=STEPS):
    scale = steps.lora_scale(alpha, a.shape[-1])
    return scale * (steps.project(x, w) + steps.low_rank(x, a, b))


lora_sum_scaled = Misconception(
    id="lora-sum-scaled",
    title="The whole sum is multiplied by α/r; only the update should be.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_linear": _all_scaled},),
)


def _base_scaled(x, w, a, b, alpha, *, steps=STEPS):
    scale = steps.lora_scale(alpha, a.shape[-1])
    return scale * steps.project(x, w) + steps.low_rank(x, a, b)


lora_base_scaled = Misconception(
    id="lora-base-scaled",
    title="x W is multiplied by α/r but the update is not; it should be the other way around.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_linear": _base_scaled},),
)

lora_update_subtracted = Misconception(
    id="lora-update-subtracted",
    title="The update has the wrong sign; it should be added as it is.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=(
        {"lora_linear": lambda x, w, a, b, alpha: 2.0 * (x @ w) - lora_linear(x, w, a, b, alpha)},
    ),
)

lora_scale_squared = Misconception(
    id="lora-scale-squared",
    title="The update is multiplied by α/r twice.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: (alpha / rank) ** 2},),
)

lora_whole_division = Misconception(
    id="lora-whole-division",
    title="α // r drops the remainder; use α / r.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: alpha // rank},),
)

lora_multiplied_by_rank = Misconception(
    id="lora-multiplied-by-rank",
    title="α is multiplied by the rank, not divided by it.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=({"lora_scale": lambda alpha, rank: alpha * rank},),
)

lora_fixed_scale = Misconception(
    id="lora-fixed-scale",
    title="The update is multiplied by the same number regardless of α and the rank.",
    formula=r"xW + \frac{\alpha}{r}\, x A B",
    concept="lora",
    ways=tuple(
        {"lora_scale": lambda alpha, rank, fixed=fixed: fixed} for fixed in (2.0, 0.5, 0.1, 16.0)
    ),
)

LORA = (
    lora_scale_missing,
    lora_rank_not_divided,
    lora_whole_division,
    lora_multiplied_by_rank,
    lora_fixed_scale,
    lora_scale_inverted,
    lora_scale_by_root,
    lora_update_missing,
    lora_base_missing,
    lora_rank_from_other_axis,
    lora_sum_scaled,
    lora_base_scaled,
    lora_update_subtracted,
    lora_scale_squared,
)
