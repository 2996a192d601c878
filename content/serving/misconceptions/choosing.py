"""Mistakes with filters of logits and with masks of a grammar."""

import math

import numpy as np

from studyattn.grading.misconception import Misconception

from ..reference import choosing as right
from ..shared import softmax

MIN_P = r"P(t) \ge p \cdot \max_u P(u)"
PENALTY = r"z'_t = z_t / a \text{ if } z_t > 0, \; a z_t \text{ otherwise}"
STATE = r"q_{j + 1} = \delta(q_j, c_j)"


def _named(name, title, formula, concept, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=concept, ways=ways)


def _top_p(shares, p):
    order = np.argsort(-shares, axis=-1, kind="stable")
    ordered = np.take_along_axis(shares, order, axis=-1)
    kept = np.cumsum(ordered, axis=-1) - ordered < p
    return np.take_along_axis(kept, np.argsort(order, axis=-1, kind="stable"), axis=-1)


def _not_renormalized(logits, p):
    shares = softmax(logits)
    return np.where(right.stays(shares, p), shares, 0).astype(logits.dtype)


def _for_each_time(logits, tokens, penalty):
    counts = np.bincount(tokens, minlength=len(logits)).astype(logits.dtype)
    powers = penalty**counts
    return np.where(logits > 0, logits / powers, logits * powers).astype(logits.dtype)


OF_FILTERS = (
    _named(
        "min-p-fixed",
        "Tokens are compared with p itself; the limit is p times the largest probability.",
        MIN_P,
        "sampling-filters",
        {"stays": lambda shares, p: shares >= p},
    ),
    _named(
        "min-p-as-top-p",
        "The likeliest tokens up to a sum of p are kept: that is top-p.",
        MIN_P,
        "sampling-filters",
        {"stays": _top_p},
    ),
    _named(
        "min-p-of-logits",
        "Logits are compared; the limit is one of probabilities.",
        MIN_P,
        "sampling-filters",
        {"shares": lambda logits: logits},
    ),
    _named(
        "min-p-largest-of-all",
        "The limit is taken from the largest probability of the whole array, not of each row.",
        MIN_P,
        "sampling-filters",
        {"stays": lambda shares, p: shares >= p * shares.max()},
    ),
    _named(
        "min-p-others-kept",
        "The tokens below the limit are kept, and the others hidden.",
        MIN_P,
        "sampling-filters",
        {"stays": lambda shares, p: ~right.stays(shares, p)},
    ),
    _named(
        "min-p-hidden-by-zero",
        "Tokens are hidden by a logit of 0, which still has a share; only −∞ has probability 0.",
        MIN_P,
        "sampling-filters",
        {"hide": lambda logits, kept: np.where(kept, logits, 0).astype(logits.dtype)},
    ),
    _named(
        "min-p-not-renormalized",
        "The probabilities of the tokens that stay should sum to 1 again.",
        MIN_P,
        "sampling-filters",
        {"min_p": _not_renormalized},
    ),
    _named(
        "repetition-sign-ignored",
        "The sign is ignored: positive logits should be divided, negative ones multiplied.",
        PENALTY,
        "sampling-filters",
        {"weaken": lambda logits, penalty: logits / penalty},
        {"weaken": lambda logits, penalty: logits * penalty},
    ),
    _named(
        "repetition-subtracted",
        "The penalty or its logarithm is subtracted; divide logits above 0, multiply others.",
        PENALTY,
        "sampling-filters",
        {"weaken": lambda logits, penalty: logits - penalty},
        {"weaken": lambda logits, penalty: logits - math.log(penalty)},
    ),
    _named(
        "repetition-strengthened",
        "Tokens that occurred become likelier instead of less likely.",
        PENALTY,
        "sampling-filters",
        {
            "weaken": lambda logits, penalty: np.where(
                logits > 0, logits * penalty, logits / penalty
            )
        },
    ),
    _named(
        "repetition-of-others",
        "Tokens that did not occur are weakened.",
        PENALTY,
        "sampling-filters",
        {"occurred": lambda tokens, v: ~right.occurred(tokens, v)},
        {"occurred": lambda tokens, v: np.ones(v, bool)},
    ),
    _named(
        "repetition-last-only",
        "Only the last token of the text is made less likely, not all that occurred.",
        PENALTY,
        "sampling-filters",
        {"occurred": lambda tokens, v: right.occurred(tokens[-1:], v)},
    ),
    _named(
        "repetition-counted",
        "A token that occurred several times is weakened several times; once is right.",
        PENALTY,
        "sampling-filters",
        {"repetition_penalty": _for_each_time},
    ),
)


def _masked(walk):
    """Masks and states by another walk through a token."""

    def token_mask(transitions, tokens, state):
        return np.array([walk(transitions, token, state) >= 0 for token in tokens])

    def next_state(transitions, tokens, state, token):
        return walk(transitions, tokens[token], state)

    return {"token_mask": token_mask, "next_state": next_state}


def _mask_only(walk):
    return {"token_mask": _masked(walk)["token_mask"]}


def _first_character(transitions, token, state):
    return int(transitions[state, token[0]])


def _each_alone(transitions, token, state):
    steps = [int(transitions[state, each]) for each in token if each >= 0]
    return -1 if min(steps) < 0 else steps[-1]


def _padding_read(transitions, token, state):
    for character in token:
        state = int(transitions[state, character])
        if state < 0:
            return -1
    return state


def _last_forgotten(transitions, token, state):
    characters = [each for each in token if each >= 0]
    return right.follow(transitions, characters[:-1] or characters, state)


def _from_dead(transitions, token, state):
    """A state of −1 is used as an index."""
    for character in token:
        if character < 0:
            break
        state = int(transitions[state, character])
    return state


def _from_start(transitions, token, state):
    return right.follow(transitions, token, 0)


OF_MASKS = (
    _named(
        "mask-first-character",
        "Only a token's first character is checked; all of them have to be allowed.",
        STATE,
        "constrained-decoding",
        _masked(_first_character),
        _mask_only(_first_character),
    ),
    _named(
        "mask-state-not-followed",
        "Each character is checked in the state before the token; the state changes with each.",
        STATE,
        "constrained-decoding",
        _masked(_each_alone),
        _mask_only(_each_alone),
    ),
    _named(
        "mask-padding-read",
        "The −1 behind a token's last character is read as a character.",
        STATE,
        "constrained-decoding",
        _masked(_padding_read),
    ),
    _named(
        "mask-last-forgotten",
        "A token's last character is not checked.",
        STATE,
        "constrained-decoding",
        _masked(_last_forgotten),
        _mask_only(_last_forgotten),
    ),
    _named(
        "mask-goes-on-from-nowhere",
        "After a character that is not allowed, the walk goes on with −1 as a state.",
        STATE,
        "constrained-decoding",
        _masked(_from_dead),
    ),
    _named(
        "mask-from-the-start",
        "Tokens are checked from state 0; the text so far has led to the given state.",
        STATE,
        "constrained-decoding",
        _masked(_from_start),
        _mask_only(_from_start),
    ),
    _named(
        "mask-inverted",
        "The mask is True for the tokens that are not allowed.",
        STATE,
        "constrained-decoding",
        {"token_mask": lambda *given, **named: ~right.token_mask(*given, **named)},
    ),
)
