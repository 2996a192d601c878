"""Computed cards on the rate of a step and on clipped gradients."""

from __future__ import annotations

from numpy.random import Generator

from studyattn.packs.computed import Computed


def rate(draw: Generator) -> Computed:
    peak = int(draw.choice([4, 8, 10]))
    floor = int(draw.choice([1, 2]))
    warmup = int(draw.choice([10, 20, 50]))
    rest = 2 * int(draw.choice([50, 100, 200]))
    total = warmup + rest + 1
    middle = warmup + rest // 2
    answer = (peak + floor) / 2
    return Computed(
        question=(
            f"A schedule of {total} steps has a warm-up of {warmup} steps to the peak {peak}, then "
            f"a cosine from step {warmup} to the floor {floor} at step {total - 1}. What is the "
            f"rate of step {middle}?"
        ),
        answer=answer,
        tolerance=0.006,
        slips={
            "the floor is missing": peak / 2,
            "this adds the floor to a fall to 0": floor + peak / 2,
            "this is a quarter of a wave": floor + (peak - floor) * 0.70711,
        },
        explanation=f"It is halfway, where the cosine is 0: {floor} + ({peak} − {floor}) / 2.",
    )


def clipped(draw: Generator) -> Computed:
    a, b, length = ((3, 4, 5), (6, 8, 10), (5, 12, 13), (8, 15, 17))[int(draw.integers(4))]
    limit = int(draw.choice([1, 2]))
    return Computed(
        question=(
            f"Two matrices of one entry have the gradients {a} and {b}. All are clipped together "
            f"to a length of {limit}. What do they become?"
        ),
        answer=(a * limit / length, b * limit / length),
        tolerance=0.006,
        slips={
            "this clips each alone": (limit, limit),
            "the length is the root of the sum of squares": (
                a * limit / (a + b),
                b * limit / (a + b),
            ),
            "the root of the sum of squares is missing": (
                a * limit / length**2,
                b * limit / length**2,
            ),
        },
        explanation=f"The length is {length}; both are multiplied by {limit}/{length}.",
    )
