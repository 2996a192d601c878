"""Computed cards on who runs in which step."""

from __future__ import annotations

import math

from numpy.random import Generator

from studyattn.packs.computed import Computed


def static_waste(draw: Generator) -> Computed:
    answers = [int(each) for each in draw.choice(range(2, 13), size=4, replace=False)]
    empty = 4 * max(answers) - sum(answers)
    return Computed(
        question=(
            f"Four answers of {', '.join(map(str, answers[:3]))} and {answers[3]} tokens are "
            "decoded as a static batch of four places. How many places are empty, summed over all "
            "steps?"
        ),
        answer=empty,
        slips={
            "these are the tokens that are made": sum(answers),
            "this is all places together": 4 * max(answers),
            "this is one place alone": max(answers) - min(answers),
        },
        explanation=f"4 · {max(answers)} places, {sum(answers)} tokens.",
    )


def continuous(draw: Generator) -> Computed:
    first, second, third = (int(each) for each in draw.choice(range(2, 10), 3, replace=False))
    end = min(first, second) + third
    return Computed(
        question=(
            f"A server has two places. Requests a, b and c of {first}, {second} and {third} new "
            "tokens wait in this order at step 0. The step in which a request joins gives its "
            "first token. After how many steps is c complete, with continuous batching?"
        ),
        answer=end,
        slips={
            "c joins when the first place is free, not when both are": max(first, second) + third,
            "the step in which it joins gives a token": end + 1,
            "c has to wait for a place": third,
        },
        explanation=f"c joins in step {min(first, second)} and gets {third} tokens.",
    )


def who_fits(draw: Generator) -> Computed:
    by_prompts = many = 0
    while by_prompts == many:
        prompts = [100 * int(each) for each in draw.integers(1, 5, size=4)]
        answers = [100 * int(each) for each in draw.integers(1, 5, size=4)]
        needs = [a + b for a, b in zip(prompts, answers, strict=True)]
        many = int(draw.integers(1, 4))
        capacity = sum(needs[:many]) + int(draw.choice([0, 50]))
        by_prompts = sum(sum(prompts[: i + 1]) <= capacity for i in range(4))
    less = sum(sum(needs[: i + 1]) < capacity for i in range(4))
    listed = ", ".join(f"{a} + {b}" for a, b in zip(prompts, answers, strict=True))
    return Computed(
        question=(
            f"A cache has room for {capacity} tokens. Four requests are in line with prompt + "
            f"answer of {listed} tokens. Room is reserved for both, and nobody overtakes. How many "
            "requests join?"
        ),
        answer=many,
        slips={
            "answers need room, too": by_prompts,
            "the room may be filled to the last token": less,
        },
        explanation=f"{' + '.join(map(str, needs[:many]))} ≤ {capacity}; one more would not fit.",
    )


def stall(draw: Generator) -> Computed:
    step = int(draw.choice([10, 15, 20]))
    per_thousand = int(draw.choice([40, 60, 100]))
    prompt = 1000 * int(draw.integers(2, 11))
    return Computed(
        question=(
            f"A decoding step takes {step} ms. A prompt of {prompt:,} tokens joins in one piece; "
            f"reading a thousand tokens takes {per_thousand} ms more. How long do the others wait "
            "for their next token, in ms?"
        ),
        answer=step + per_thousand * prompt // 1000,
        unit="ms",
        slips={
            "they wait for the prefill, too": step,
            "their own step takes time, too": per_thousand * prompt // 1000,
        },
        explanation=f"{step} + {prompt // 1000} · {per_thousand}.",
    )


def chunk_steps(draw: Generator) -> Computed:
    budget = int(draw.choice([64, 128, 256, 512]))
    decoding = int(draw.integers(4, budget // 4))
    prompt = int(draw.integers(3 * budget, 12 * budget))
    return Computed(
        question=(
            f"Steps have a budget of {budget} tokens; {decoding} sequences decode all the time. "
            f"How many steps does it take to read a prompt of {prompt:,} tokens?"
        ),
        answer=math.ceil(prompt / (budget - decoding)),
        slips={
            "the sequences that decode take part of the budget": math.ceil(prompt / budget),
            "the last part takes a step, too": prompt // (budget - decoding),
        },
        explanation=f"{prompt:,} / ({budget} − {decoding}), rounded up.",
    )
