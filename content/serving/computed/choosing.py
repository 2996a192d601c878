"""Computed cards on choosing among tokens."""

from __future__ import annotations

import math

from numpy.random import Generator

from studyattn.packs.computed import Computed


def min_p_kept(draw: Generator) -> Computed:
    while True:
        top = int(draw.choice([40, 50, 60]))
        p = float(draw.choice([0.1, 0.2, 0.3]))
        limit = p * top
        drawn = draw.choice(range(1, 25), 4, replace=False)
        others = sorted((int(each) for each in drawn), reverse=True)
        kept = 1 + sum(each >= limit for each in others)
        fixed = sum(each >= 100 * p for each in (top, *others))
        clear = all(abs(each - limit) > 0.5 for each in others) and fixed not in (kept, kept - 1)
        if top + sum(others) < 100 and clear:
            break
    return Computed(
        question=(
            f"The likeliest tokens have {top}%, {', '.join(f'{each}%' for each in others)}; all "
            f"others less than 0.1%. How many tokens does min-p with {p:g} keep?"
        ),
        answer=kept,
        slips={
            "the limit is relative to the likeliest": fixed,
            "the likeliest stays, too": kept - 1,
        },
        explanation=f"The limit is {p:g} · {top}% = {limit:g}%.",
    )


def surprise(draw: Generator) -> Computed:
    power = int(draw.choice([2, 3, 4]))
    many = 2**power
    first = 1 / 2
    other = (1 - first) / many
    mean = -(first * math.log2(first) + (1 - first) * math.log2(other))
    return Computed(
        question=(
            f"One token has probability 1/2, and {many} others have 1/{2 * many} each. In bits, "
            "the mean surprise is "
            f"{mean:g}. By how many bits is the surprise of one of the others off?"
        ),
        answer=abs(-math.log2(other) - mean),
        tolerance=1e-6,
        unit="bits",
        slips={
            "this is its surprise": -math.log2(other),
            "this is the mean": mean,
        },
        explanation=f"Its surprise is log₂ {2 * many} = {power + 1} bits.",
    )


def penalized(draw: Generator) -> Computed:
    penalty = int(draw.choice([2, 4]))
    positive = penalty * int(draw.integers(1, 4))
    negative = -int(draw.integers(1, 4)) * penalty
    untouched = int(draw.integers(1, 5))
    said = str(negative).replace("-", "−")
    return Computed(
        question=(
            f"Tokens 0, 1 and 2 have the logits {positive}, {said} and {untouched}. The text so "
            f"far is 0 1 0. What are their logits after a repetition penalty of {penalty}?"
        ),
        answer=(positive / penalty, negative * penalty, untouched),
        tolerance=1e-6,
        slips={
            "a negative logit is multiplied": (positive / penalty, negative / penalty, untouched),
            "a token is weakened once": (positive / penalty**2, negative * penalty, untouched),
            "a token that did not occur stays": (
                positive / penalty,
                negative * penalty,
                untouched / penalty,
            ),
            "a positive logit is divided": (positive * penalty, negative * penalty, untouched),
        },
        explanation=f"{positive} / {penalty}, {said} · {penalty}, and token 2 did not occur.",
    )


def masked_share(draw: Generator) -> Computed:
    out = int(draw.choice([20, 40, 60]))
    one = int(draw.choice([10, 15])) if out < 60 else 10
    rest = 100 - out - one
    return Computed(
        question=(
            f"Three tokens have the probabilities {out / 100:g}, {one / 100:g} and "
            f"{rest / 100:g}. A mask forbids the first. What is the probability of the second?"
        ),
        answer=one / (one + rest),
        tolerance=0.006,
        slips={
            "the others are renormalized": one / 100,
            "their ratio stays": (one + out / 2) / 100,
            "this is the third": rest / (one + rest),
        },
        explanation=f"{one / 100:g} / ({one / 100:g} + {rest / 100:g}).",
    )


def walk(draw: Generator) -> Computed:

    def after(text: list[str], state: int) -> int:
        for letter in text:
            state = to_a[state] if letter == "a" else to_b[state]
        return state

    ends: list[int] = []
    while len(set(ends)) < 4:  # each way of reading ends elsewhere
        letters = [str(each) for each in draw.choice(list("ab"), size=3)]
        to_a, to_b = ([int(each) for each in draw.permutation(4)] for _ in "ab")
        start = int(draw.integers(4))
        texts = (letters, start), (letters[:1], start), (letters, 0), (letters[-1:], start)
        ends = [after(*each) for each in texts]
    return Computed(
        question=(
            f"An automaton goes from the states 0, 1, 2, 3 to {', '.join(map(str, to_a))} with an "
            f"a, and to {', '.join(map(str, to_b))} with a b. It is in state {start}. In which "
            f"state is it after the token “{''.join(letters)}”?"
        ),
        answer=ends[0],
        slips={
            "this is after the first character": ends[1],
            "this starts in state 0": ends[2],
            "each character starts where the one before ended": ends[3],
        },
        explanation=(
            f"{start} → {after(letters[:1], start)} → {after(letters[:2], start)} → {ends[0]}."
        ),
    )
