"""Mistakes with a router of tokens to experts."""

import numpy as np

from studyattn.grading.misconception import Misconception

from ..reference import experts as right
from ..shared import softmax

CONCEPT = "expert-capacity"
WEIGHT = r"w_{t i} = \frac{e^{z_{t i}}}{\sum_{j \in \text{top-}k} e^{z_{t j}}}"
PLACED = r"\text{tokens of an expert} \le C"
LOSS = r"E \sum_i f_i P_i"


def _named(name, title, formula, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=CONCEPT, ways=ways)


def _of_all(logits, chosen):
    return np.take_along_axis(softmax(logits), chosen, axis=-1)


def _sigmoids(logits, chosen):
    picked = np.take_along_axis(1 / (1 + np.exp(-logits)), chosen, axis=-1)
    return picked / picked.sum(axis=-1, keepdims=True)


def _of_all_if_one(logits, chosen):
    """The share of a single choice among all experts, as Switch Transformers weigh it."""
    return _of_all(logits, chosen) if chosen.shape[1] == 1 else right.weights(logits, chosen)


def _shares_among_chosen(logits, chosen):
    shares = np.zeros_like(logits)
    np.put_along_axis(shares, chosen, right.weights(logits, chosen), axis=-1)
    return shares.mean(axis=0)


def _token_by_token(chosen, weights):
    return [(token, rank) for token in range(len(chosen)) for rank in range(chosen.shape[1])]


def _heaviest_first(chosen, weights):
    places = _token_by_token(chosen, weights)
    return sorted(places, key=lambda place: (-weights[place], place[1], place[0]))


def _last_first(chosen, weights):
    count = len(chosen)
    return [(t, rank) for rank in range(chosen.shape[1]) for t in reversed(range(count))]


def _renormalized(combined):
    total = combined.sum(axis=-1, keepdims=True)
    return np.divide(combined, total, out=np.zeros_like(combined), where=total > 0)


def _smallest(logits, top_k):
    return np.argsort(logits, axis=-1, kind="stable")[:, :top_k]


def _one_only(logits, top_k):
    chosen = right.choices(logits, top_k)
    return np.repeat(chosen[:, :1], top_k, axis=1)


def _shares_for_loads(chosen, experts):
    loads = np.bincount(chosen.ravel(), minlength=experts)
    return loads / len(chosen)


OF_ROUTERS = (
    _named(
        "router-weights-of-all",
        "The weights are not a softmax of the chosen experts' logits alone.",
        WEIGHT,
        {"weights": _of_all},
        {"weights": _sigmoids},
        {"weights": _of_all_if_one},
    ),
    _named(
        "router-capacity-ignored",
        "An expert gets more tokens than its capacity.",
        PLACED,
        {"full": lambda taken, rank, capacity: False},
        {"full": lambda taken, rank, capacity: taken.sum() > capacity},
        {"full": lambda taken, rank, capacity: taken[rank] >= capacity},
    ),
    _named(
        "router-capacity-short",
        "The last place of an expert stays empty.",
        PLACED,
        {"full": lambda taken, rank, capacity: taken.sum() >= capacity - 1},
    ),
    _named(
        "router-token-by-token",
        "Second choices of earlier tokens come before first choices of later ones.",
        r"\text{rank first, then token}",
        {"turns": _token_by_token},
    ),
    _named(
        "router-other-order",
        "Places should go to tokens in their order; here another order decides.",
        r"\text{rank first, then token}",
        {"turns": _heaviest_first},
        {"turns": _last_first},
    ),
    _named(
        "router-renormalized",
        "When a choice is dropped, the other weights stay as they are; here they grow.",
        WEIGHT,
        {"settle": _renormalized},
    ),
    _named(
        "router-smallest",
        "The experts with the smallest logits are chosen.",
        WEIGHT,
        {"choices": _smallest},
    ),
    _named(
        "router-factor-missing",
        "The balance is not multiplied by the number of experts.",
        LOSS,
        {"factor": lambda experts: 1},
    ),
    _named(
        "router-load-not-divided",
        "The loads do not sum to 1: divide the counts by the number of all choices.",
        LOSS,
        {"loads": _shares_for_loads},
        {"loads": lambda chosen, experts: np.bincount(chosen.ravel(), minlength=experts)},
    ),
    _named(
        "router-load-of-first",
        "The loads count first choices alone; all choices of a token count.",
        LOSS,
        {"loads": lambda chosen, experts: right.loads(chosen[:, :1], experts)},
    ),
    _named(
        "router-shares-of-chosen",
        "The mean shares are not the tokens' mean of a softmax over all experts.",
        LOSS,
        {"mean_shares": _shares_among_chosen},
        {"mean_shares": lambda logits, chosen: logits.mean(axis=0)},
        {"mean_shares": lambda logits, chosen: softmax(logits).sum(axis=0)},
        {"mean_shares": lambda logits, chosen: softmax(logits.mean(axis=0))},
    ),
)
