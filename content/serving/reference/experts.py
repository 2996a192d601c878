"""A router of tokens to experts with capacity, and its balance."""

from dataclasses import dataclass

import numpy as np

from ..shared import softmax


def choices(logits, top_k):
    """The experts of each token, the likeliest first: `(t, top_k)`."""
    return np.argsort(-logits, axis=-1, kind="stable")[:, :top_k]


def weights(logits, chosen):
    """The weights of the chosen experts: a softmax of their logits."""
    return softmax(np.take_along_axis(logits, chosen, axis=-1))


def turns(chosen, weights):
    """The order in which choices are placed: all first ones, then all second ones."""
    return [(token, rank) for rank in range(chosen.shape[1]) for token in range(len(chosen))]


def settle(combined):
    """The weights as they are after some were dropped."""
    return combined


def loads(chosen, experts):
    """The share of all choices that fall on each expert: `(e,)`."""
    return np.bincount(chosen.ravel(), minlength=experts) / chosen.size


@dataclass(frozen=True)
class RouterSteps:
    choices: object = choices
    weights: object = weights
    turns: object = turns
    full: object = lambda taken, rank, capacity: taken.sum() >= capacity
    settle: object = settle
    loads: object = loads
    mean_shares: object = lambda logits, chosen: softmax(logits).mean(axis=0)
    factor: object = lambda experts: experts


STEPS = RouterSteps()


def route(logits, top_k, capacity, *, steps=STEPS):
    """The weight of each expert for each token, 0 where it does not get it: `(t, e)`."""
    chosen = steps.choices(logits, top_k)
    share = steps.weights(logits, chosen)
    combined = np.zeros_like(logits)
    taken = np.zeros((logits.shape[1], top_k), int)  # of each expert, by rank of the choice
    for token, rank in steps.turns(chosen, share):
        expert = chosen[token, rank]
        if not steps.full(taken[expert], rank, capacity):
            taken[expert, rank] += 1
            combined[token, expert] = share[token, rank]
    return steps.settle(combined)


def balance_loss(logits, top_k, *, steps=STEPS):
    """Return how unevenly the router chooses: 1 if all experts are equal."""
    experts = logits.shape[1]
    chosen = steps.choices(logits, top_k)
    shares = steps.loads(chosen, experts) * steps.mean_shares(logits, chosen)
    return np.asarray(steps.factor(experts) * shares.sum(), logits.dtype)
