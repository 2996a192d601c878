"""Filters of logits, and masks of what a grammar allows."""

from dataclasses import dataclass

import numpy as np

from ..shared import softmax

# ── min-p and the penalty of repetition ──────────────────────────────────────────────────────────


def stays(shares, p):
    """Return which tokens have at least p times the largest share."""
    return shares >= p * shares.max(axis=-1, keepdims=True)


def hide(logits, kept):
    """Logits with -inf for all others."""
    return np.where(kept, logits, np.asarray(-np.inf, logits.dtype))


def weaken(logits, penalty):
    """Logits of tokens that occurred before."""
    return np.where(logits > 0, logits / penalty, logits * penalty)


def occurred(tokens, v):
    """Return which tokens of the vocabulary are in the text: `(v,)`."""
    return np.isin(np.arange(v), tokens)


@dataclass(frozen=True)
class FilterSteps:
    shares: object = softmax
    stays: object = stays
    hide: object = hide
    weaken: object = weaken
    occurred: object = occurred


FILTERS = FilterSteps()


def min_p(logits, p, *, steps=FILTERS):
    """Return probabilities, 0 for tokens below p times the largest: `(..., v)`."""
    return softmax(steps.hide(logits, steps.stays(steps.shares(logits), p)))


def repetition_penalty(logits, tokens, penalty, *, steps=FILTERS):
    """Weaken the tokens that occurred: `(v,)`."""
    again = steps.occurred(tokens, logits.shape[-1])
    return np.where(again, steps.weaken(logits, penalty), logits).astype(logits.dtype)


# ── masks of what an automaton allows ────────────────────────────────────────────────────────────


def follow(transitions, token, state):
    """Return the state after all characters of a token, -1 if one of them is not allowed."""
    for character in token:
        if character < 0:
            break
        state = int(transitions[state, character])
        if state < 0:
            return -1
    return state


def token_mask(transitions, tokens, state):
    """Return which tokens may come next: `(v,)`."""
    return np.array([follow(transitions, token, state) >= 0 for token in tokens])


def next_state(transitions, tokens, state, token):
    """Return the state after a token."""
    return follow(transitions, tokens[token], state)
