"""Mistakes with speculative decoding."""

import numpy as np

from studyattn.grading.misconception import Misconception

from ..reference.speculation import STEPS, residual

CONCEPT = "speculative-decoding"
ACCEPT = r"u < \min\left(1, \frac{p(x)}{q(x)}\right)"
RESIDUAL = r"r = \frac{\max(p - q, 0)}{\sum \max(p - q, 0)}"


def _stepping(
    *,
    shares=lambda target, draft, i, token: residual(target[i], draft[i]),
    bonus=lambda target: target[-1],
    keep_rejected=False,
    goes_on=False,
    number=lambda uniforms, i: uniforms[-1],
    row=lambda i: i,
):
    """A step with one of its parts exchanged."""

    def speculative_step(draft, target, tokens, uniforms, *, steps=STEPS):
        made = []
        for i, token in enumerate(tokens):
            p = target[row(i) % len(target), token]
            if not steps.accepts(uniforms[i], p, draft[i, token]):
                if goes_on:
                    continue
                if keep_rejected:
                    made.append(int(token))
                drawn = shares(target, draft, i, token)
                return np.array([*made, steps.pick(drawn, number(uniforms, i))], np.int64)
            made.append(int(token))
        last = bonus(target)
        if last is not None:
            made.append(steps.pick(last, uniforms[-1]))
        return np.array(made, np.int64)

    return {"speculative_step": speculative_step}


def _without(target, draft, i, token):
    shares = target[i].copy()
    shares[token] = 0.0
    return shares / shares.sum()


def _named(name, title, formula, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=CONCEPT, ways=ways)


OF_STEPS = (
    _named(
        "spec-redrawn-from-target",
        "What replaces a rejected token is drawn otherwise than from what p exceeds q by.",
        RESIDUAL,
        _stepping(shares=lambda target, draft, i, token: target[i]),
        _stepping(shares=_without),
        _stepping(shares=lambda target, draft, i, token: draft[i]),
    ),
    _named(
        "spec-ratio-inverted",
        "Tokens are accepted with q/p; it should be p/q.",
        ACCEPT,
        {"accepts": lambda uniform, p, q: uniform * p < q},
    ),
    _named(
        "spec-ratio-missing",
        "Tokens are accepted with p(x) alone; divide by q(x), by which they were drafted.",
        ACCEPT,
        {"accepts": lambda uniform, p, q: uniform < p},
    ),
    _named(
        "spec-no-chance",
        "Tokens are accepted only if p ≥ q; a smaller p is accepted in p/q of the cases.",
        ACCEPT,
        {"accepts": lambda uniform, p, q: p >= q},
    ),
    _named(
        "spec-number-mirrored",
        "The number is compared with 1 − p/q. The law is the same; the brief accepts below p/q.",
        ACCEPT,
        {"accepts": lambda uniform, p, q: (1 - uniform) * q < p},
    ),
    _named(
        "spec-zero-accepted",
        "A token to which the target gives 0 is accepted with the number 0: 0 is not below 0.",
        ACCEPT,
        {"accepts": lambda uniform, p, q: uniform * q <= p},
    ),
    _named(
        "spec-draw-reaches",
        "A draw stops where the sum reaches the number; it should exceed it. 0 draws what has 0.",
        RESIDUAL,
        {"pick": lambda shares, uniform: int(np.searchsorted(np.cumsum(shares), uniform))},
    ),
    _named(
        "spec-residual-not-normalized",
        "The residual is not divided by its sum, so it is no distribution.",
        RESIDUAL,
        {"share": lambda weights: weights},
    ),
    _named(
        "spec-residual-by-softmax",
        "The residual is put through a softmax; divide it by its sum.",
        RESIDUAL,
        {"share": lambda weights: np.exp(weights) / np.exp(weights).sum(axis=-1, keepdims=True)},
    ),
    _named(
        "spec-residual-absolute",
        "The residual takes |p − q|; where p is smaller, it should be 0.",
        RESIDUAL,
        {"excess": lambda p, q: np.abs(p - q)},
    ),
    _named(
        "spec-residual-swapped",
        "The residual is where q exceeds p; it should be where p exceeds q.",
        RESIDUAL,
        {"excess": lambda p, q: np.maximum(q - p, 0.0)},
    ),
    _named(
        "spec-no-bonus",
        "When all drafted tokens are accepted, one more should come from the target's last row.",
        r"p_{k+1}",
        _stepping(bonus=lambda target: None),
        _stepping(bonus=lambda target: target[len(target) - 2]),
        _stepping(bonus=lambda target: target[0]),
    ),
    _named(
        "spec-rejected-kept",
        "The rejected token is returned beside the one that replaces it.",
        ACCEPT,
        _stepping(keep_rejected=True),
    ),
    _named(
        "spec-goes-on",
        "Tokens after a rejected one are used; they were drafted after a token that is gone.",
        ACCEPT,
        _stepping(goes_on=True),
    ),
    _named(
        "spec-row-off",
        "A drafted token is compared with the target's next row.",
        ACCEPT,
        _stepping(row=lambda i: i + 1),
    ),
    _named(
        "spec-number-used-twice",
        "The number that rejected a token also draws the one that replaces it; use a fresh one.",
        RESIDUAL,
        _stepping(number=lambda uniforms, i: uniforms[i]),
    ),
)
