"""Mistakes in choosing the next token from logits."""

import numpy as np

from studyattn.attention import SAMPLING_STEPS
from studyattn.attention.sampling import ranks
from studyattn.grading.misconception import Misconception

CONCEPT = "sampling"
SHARES = r"p = \text{softmax}(z / T)"
FIRST_K = r"z_i = -\infty \text{ beyond rank } k"
FEWEST = r"p_{(1)} + \dots + p_{(r-1)} < p"
WALK = r"\min \{ t : p_0 + \dots + p_t > u \}"


def _left(logits, kept, instead=-np.inf):
    return np.where(kept, logits, instead)


def _softmax(logits):
    return SAMPLING_STEPS.share_out(logits)


def _nan_without_any(logits):
    """The softmax as libraries have it: where nothing is left it gives NaN."""
    exponentials = np.exp(logits - np.max(logits, axis=-1, keepdims=True))
    return exponentials / np.sum(exponentials, axis=-1, keepdims=True)


def _ordered_shares(logits):
    """The shares from the largest to the smallest, and the rank of each token."""
    return -np.sort(-_softmax(logits), axis=-1), ranks(logits)


def _by_rank(logits, kept):
    return _left(logits, np.take_along_axis(kept, ranks(logits), axis=-1))


def _without_the_crossing(logits, p):
    shares, _ = _ordered_shares(logits)
    return _by_rank(logits, np.cumsum(shares, axis=-1) <= p)


def _without_the_crossing_but_one(logits, p):
    shares, _ = _ordered_shares(logits)
    kept = np.cumsum(shares, axis=-1) <= p
    return _by_rank(logits, kept | (np.arange(shares.shape[-1]) == 0))


def _one_more_than_needed(logits, p):
    shares, _ = _ordered_shares(logits)
    sums = np.cumsum(shares, axis=-1)
    return _by_rank(logits, sums - shares - np.roll(shares, 1, axis=-1) < p)


def _in_order_of_the_vocabulary(logits, p):
    shares = _softmax(logits)
    return _left(logits, np.cumsum(shares, axis=-1) - shares < p)


def _each_share_at_least(logits, p):
    return _left(logits, _softmax(logits) >= p)


def _least_likely(logits, p):
    shares = np.sort(_softmax(logits), axis=-1)
    kept = np.cumsum(shares, axis=-1) - shares < p
    return _left(logits, np.take_along_axis(kept, ranks(-logits), axis=-1))


def _kth(logits, k):
    return -np.sort(-logits, axis=-1)[..., min(k, logits.shape[-1]) - 1 : k][..., :1]


def _cut_without_sharing_anew():
    """Cut off shares instead of logits, so that what is left keeps the shares it had."""
    whole = []

    def cool(logits, temperature):
        cooled = SAMPLING_STEPS.cool(logits, temperature)
        whole[:] = [cooled]
        return cooled

    def share_out(logits):
        return np.where(logits == -np.inf, 0.0, _softmax(whole[0]))

    return {"cool": cool, "share_out": share_out}


def _cut_and_walked_to_the_end():
    """The same, where a walk that nothing ends comes to the last token, whatever its share."""
    return {**_cut_without_sharing_anew(), "choose": _walk_to_the_end}


def _top_p_of_all():
    """Top-p measured by the shares before top-k."""
    whole = []

    def cool(logits, temperature):
        cooled = SAMPLING_STEPS.cool(logits, temperature)
        whole[:] = [cooled]
        return cooled

    def top_p(logits, p):
        return _left(logits, SAMPLING_STEPS.top_p(whole[0], p) != -np.inf)

    return {"cool": cool, "top_p": top_p}


def _temperature_last():
    """Top-p measured by the shares at a temperature of 1."""
    last = []

    def cool(logits, temperature):
        last[:] = [temperature]
        return logits

    def share_out(logits):
        return _softmax(logits / last[0])

    return {"cool": cool, "share_out": share_out}


def _sums(shares):
    return np.cumsum(shares, axis=-1)


def _last(shares):
    return shares.shape[-1] - 1


def _walk_to_the_end(shares, uniform):
    return min(int(np.sum(_sums(shares) <= uniform)), _last(shares))


def _walk_by_rank(shares, uniform):
    order = np.argsort(-shares, axis=-1, kind="stable")
    return min(int(np.sum(_sums(shares[order]) <= uniform)), _last(shares))


def _walk_from_the_largest(shares, uniform):
    order = np.argsort(-shares, axis=-1, kind="stable")
    return int(order[_walk_by_rank(shares, uniform)])


def _walk_from_the_smallest(shares, uniform):
    order = np.argsort(shares, axis=-1, kind="stable")
    return int(order[min(int(np.sum(_sums(shares[order]) <= uniform)), _last(shares))])


def _one_before(shares, uniform):
    return max(SAMPLING_STEPS.choose(shares, uniform) - 1, 0)


def _one_before_wrapping(shares, uniform):
    return SAMPLING_STEPS.choose(shares, uniform) - 1


def _one_after(shares, uniform):
    return min(SAMPLING_STEPS.choose(shares, uniform) + 1, _last(shares))


def _one_after_the_end(shares, uniform):
    return SAMPLING_STEPS.choose(shares, uniform) + 1


def _first_sum_below(shares, uniform):
    return int(np.argmax(_sums(shares) < uniform))


def _at_least(shares, uniform):
    return min(int(np.sum(_sums(shares) < uniform)), _last(shares))


def _first_share_above(shares, uniform):
    return int(np.argmax(shares > uniform))


def _from_the_end(shares, uniform):
    return min(int(np.sum(_sums(shares) <= 1.0 - uniform)), _last(shares))


def _uniform_over_tokens(shares, uniform):
    return int(uniform * shares.shape[-1])


temperature_multiplied = Misconception(
    id="temperature-multiplied",
    title="The logits are multiplied by the temperature; they should be divided by it.",
    formula=SHARES,
    concept=CONCEPT,
    ways=({"cool": lambda logits, temperature: logits * temperature},),
)

temperature_ignored = Misconception(
    id="temperature-ignored",
    title="The temperature has no effect: the logits have to be divided by it, before the softmax.",
    formula=SHARES,
    concept=CONCEPT,
    ways=({"cool": lambda logits, temperature: logits},),
)

temperature_last = Misconception(
    id="temperature-last",
    title="The temperature is applied after top-p; it should come first.",
    formula=SHARES,
    concept=CONCEPT,
    ways=(_temperature_last,),
)

top_k_off_by_one = Misconception(
    id="top-k-off-by-one",
    title="Top-k keeps one token too many or too few.",
    formula=FIRST_K,
    concept=CONCEPT,
    ways=(
        {"top_k": lambda logits, k: _left(logits, ranks(logits) <= k)},
        {"top_k": lambda logits, k: _left(logits, ranks(logits) < max(k - 1, 1))},
        {
            "top_k": lambda logits, k: _left(logits, ranks(logits) < k - 1),
            "share_out": _nan_without_any,
        },
        {
            "top_k": lambda logits, k: _left(logits, logits > _kth(logits, k)),
            "share_out": _nan_without_any,
        },
    ),
)

top_k_keeps_ties = Misconception(
    id="top-k-keeps-ties",
    title="Ties with the k-th token are kept, so more than k tokens remain.",
    formula=FIRST_K,
    concept=CONCEPT,
    ways=({"top_k": lambda logits, k: _left(logits, logits >= _kth(logits, k))},),
)

top_k_smallest = Misconception(
    id="top-k-smallest",
    title="The least likely tokens are kept, not the most likely.",
    formula=FIRST_K,
    concept=CONCEPT,
    ways=(
        {"top_k": lambda logits, k: _left(logits, ranks(-logits) < k)},
        {"top_p": _least_likely},
        {"top_k": lambda logits, k: _left(logits, ranks(-logits) < k), "top_p": _least_likely},
    ),
)

cut_with_zero = Misconception(
    id="cut-with-zero",
    title="Excluded logits are set to 0, which still has a probability above 0; use −∞.",
    formula=FIRST_K,
    concept=CONCEPT,
    ways=(
        {
            "top_k": lambda logits, k: _left(logits, ranks(logits) < k, 0.0),
            "top_p": lambda logits, p: np.where(
                SAMPLING_STEPS.top_p(logits, p) == -np.inf, 0.0, logits
            ),
        },
        {"top_k": lambda logits, k: _left(logits, ranks(logits) < k, 0.0)},
        {
            "top_p": lambda logits, p: np.where(
                SAMPLING_STEPS.top_p(logits, p) == -np.inf, 0.0, logits
            )
        },
    ),
)

top_p_drops_crossing = Misconception(
    id="top-p-drops-crossing",
    title="The token that brings the sum to p is dropped, so the others sum to less than p.",
    formula=FEWEST,
    concept=CONCEPT,
    ways=(
        {"top_p": _without_the_crossing_but_one},
        {"top_p": _without_the_crossing, "share_out": _nan_without_any},
    ),
)

top_p_one_more = Misconception(
    id="top-p-one-more",
    title="Top-p keeps one token too many.",
    formula=FEWEST,
    concept=CONCEPT,
    ways=({"top_p": _one_more_than_needed},),
)

top_p_unsorted = Misconception(
    id="top-p-unsorted",
    title="Top-p adds up the probabilities in vocabulary order, not from the largest down.",
    formula=FEWEST,
    concept=CONCEPT,
    ways=({"top_p": _in_order_of_the_vocabulary},),
)

top_p_each = Misconception(
    id="top-p-each",
    title="Each probability is compared with p or 1 − p; the running sum should be, with p.",
    formula=FEWEST,
    concept=CONCEPT,
    ways=(
        {"top_p": _each_share_at_least, "share_out": _nan_without_any},
        {
            "top_p": lambda logits, p: _left(logits, _softmax(logits) > 1 - p),
            "share_out": _nan_without_any,
        },
    ),
)

top_p_of_all = Misconception(
    id="top-p-of-all",
    title="Top-p uses the probabilities before top-k, not those after it.",
    formula=FEWEST,
    concept=CONCEPT,
    ways=(_top_p_of_all,),
)

shares_not_renewed = Misconception(
    id="shares-not-renewed",
    title="The remaining probabilities are not renormalized: they do not sum to 1.",
    formula=SHARES,
    concept=CONCEPT,
    ways=(_cut_without_sharing_anew, _cut_and_walked_to_the_end),
)

sample_by_rank = Misconception(
    id="sample-by-rank",
    title="The walk goes through sorted probabilities, not in the order of the vocabulary.",
    formula=WALK,
    concept=CONCEPT,
    ways=(
        {"choose": _walk_by_rank},
        {"choose": _walk_from_the_largest},
        {"choose": _walk_from_the_smallest},
    ),
)

sample_largest = Misconception(
    id="sample-largest",
    title="The most likely token is always chosen: the uniform number is not used.",
    formula=WALK,
    concept=CONCEPT,
    ways=({"choose": lambda shares, uniform: int(np.argmax(shares))},),
)

sample_compared_wrongly = Misconception(
    id="sample-compared-wrongly",
    title="The token that is chosen is not the first whose sum is above the uniform number.",
    formula=WALK,
    concept=CONCEPT,
    ways=(
        {"choose": _at_least},
        {"choose": _one_before},
        {"choose": _first_sum_below},
        {"choose": _from_the_end},
        {"choose": _one_after},
        {"choose": _one_after_the_end},
        {"choose": _one_before_wrapping},
        {"choose": _uniform_over_tokens},
        {"choose": _first_share_above},
    ),
)

OF_SAMPLING = (
    temperature_multiplied,
    temperature_ignored,
    top_k_off_by_one,
    top_k_keeps_ties,
    top_k_smallest,
    cut_with_zero,
    top_p_drops_crossing,
    top_p_one_more,
    top_p_unsorted,
    top_p_each,
    top_p_of_all,
    temperature_last,
    shares_not_renewed,
    sample_by_rank,
    sample_largest,
    sample_compared_wrongly,
)
