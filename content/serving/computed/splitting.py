"""Computed cards on parts of attention, and on windows with sinks."""

from __future__ import annotations

import math

from numpy.random import Generator

from studyattn.packs.computed import Computed


def log_sum(draw: Generator) -> Computed:
    top = int(draw.choice([5, 50, 500, 2000]))
    count = int(draw.choice([2, 4, 8]))
    return Computed(
        question=(
            f"A part has {count} keys, and each of them has the score {top:,}. What is its "
            f"log-sum-exp? ($\\log {count} \\approx {math.log(count):.2f}$)"
        ),
        answer=top + math.log(count),
        tolerance=0.006,
        slips={
            "the maximum is added back": math.log(count),
            "this is the largest score": float(top),
            "this is the sum of the scores": float(count * top),
        },
        explanation=f"{top:,} + log({count} · e⁰).",
    )


def merged(draw: Generator) -> Computed:
    first, second = (int(each) for each in draw.choice([10, 20, 30, 40, 60], 2, replace=False))
    ratio = int(draw.choice([3, 4, 9]))
    base = int(draw.integers(2, 50))
    answer = (first + ratio * second) / (1 + ratio)
    low, high = base, base + math.log(ratio)
    return Computed(
        question=(
            f"Two parts have the outputs {first} and {second}. The second one's log-sum-exp is "
            f"larger by $\\log {ratio}$. What is the merged output?"
        ),
        answer=answer,
        tolerance=0.006,
        slips={
            "the parts do not count equally": (first + second) / 2,
            "the second part counts more": (ratio * first + second) / (1 + ratio),
            "divide by the sum of both shares": float(first + ratio * second),
            "exponentials are the weights, not logarithms": (low * first + high * second)
            / (low + high),
        },
        explanation=f"Shares of 1 : {ratio}: ({first} + {ratio} · {second}) / {1 + ratio}.",
    )


def kept(draw: Generator) -> Computed:
    sinks = int(draw.integers(1, 4))
    window = int(draw.integers(2, 5))
    count = sinks + window + int(draw.integers(2, 12))
    right = [*range(sinks), *range(count - window, count)]
    return Computed(
        question=(
            f"A cache keeps {sinks} sink{'s' * (sinks > 1)} and a window of {window}. Which "
            f"positions does it hold after {count} tokens? (in order, from 0)"
        ),
        answer=tuple(right),
        slips={
            "the sinks stay": tuple(right[sinks:]),
            "the sinks come in addition to the window": (*right[:sinks], *right[2 * sinks :]),
            "the last position is one less than the count": (
                *range(sinks),
                *range(count - window + 1, count + 1),
            ),
        },
        explanation=f"0 to {sinks - 1}, and {count} − {window} = {count - window} to {count - 1}.",
    )


def ring_slot(draw: Generator) -> Computed:
    slots: list[int] = []
    while len(set(slots)) < 4:
        sinks = int(draw.integers(2, 5))
        window = int(draw.integers(5, 12))
        place = sinks + window + int(draw.integers(1, 4 * window))
        of_window = (place - sinks) % window
        slots = [
            sinks + of_window, place % (sinks + window), of_window, sinks + place % window,
        ]  # fmt: skip
    return Computed(
        question=(
            f"A ring has {sinks} slots for sinks and {window} behind them for the window. In which "
            f"slot is position {place}? (both from 0)"
        ),
        answer=slots[0],
        slips={
            "the sinks' slots are never written over": slots[1],
            "the window's slots come behind the sinks'": slots[2],
            "positions of the window count from the first after the sinks": slots[3],
        },
        explanation=f"{sinks} + ({place} − {sinks}) mod {window}.",
    )
