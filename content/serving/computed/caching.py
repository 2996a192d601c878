"""Computed cards on caches in blocks."""

from __future__ import annotations

import math

from numpy.random import Generator

from studyattn.packs.computed import Computed


def address(draw: Generator) -> Computed:
    size = int(draw.choice([4, 5, 8, 10]))
    table = [int(each) for each in draw.choice(20, size=5, replace=False)]
    place, slot = int(draw.integers(1, 5)), int(draw.integers(size))
    token = place * size + slot
    return Computed(
        question=(
            f"Blocks have {size} slots. A sequence's block table is {', '.join(map(str, table))}. "
            f"In which block and slot is its token {token}? (tokens and slots from 0)"
        ),
        answer=(table[place], slot),
        slips={
            "this is the place in the table, not the block": (place, slot),
            "this is one block early: tokens count from 0": (table[place - 1], slot),
            "slots count from 0": (table[place], slot + 1),
        },
        explanation=(
            f"{token} = {place} · {size} + {slot}; entry {place} of the table is {table[place]}."
        ),
    )


def blocks(draw: Generator) -> Computed:
    size = int(draw.choice([8, 16, 32]))
    lengths = [int(each) for each in draw.integers(size + 1, 6 * size, size=3)]
    if sum(lengths) % size == 0:
        lengths[0] += 1
    answer = sum(math.ceil(each / size) for each in lengths)
    return Computed(
        question=(
            f"Blocks have {size} slots. How many blocks do three sequences of "
            f"{lengths[0]}, {lengths[1]} and {lengths[2]} tokens take, without sharing?"
        ),
        answer=answer,
        slips={
            "a last block that is not full counts, too": sum(each // size for each in lengths),
            "no two sequences share a last block": math.ceil(sum(lengths) / size),
            "no block is taken in advance": sum(each // size + 2 for each in lengths),
        },
        explanation=" + ".join(str(math.ceil(each / size)) for each in lengths) + ".",
    )


def shared_blocks(draw: Generator) -> Computed:
    size = int(draw.choice([8, 16]))
    prefix = int(draw.integers(3, 9))
    own = int(draw.integers(1, 4))
    requests = int(draw.choice([4, 5, 10]))
    return Computed(
        question=(
            f"{requests} requests begin with the same {prefix * size} tokens and go on with "
            f"{own * size - 3} different ones each. Blocks have {size} slots, and full blocks are "
            "shared. How many blocks are in use?"
        ),
        answer=prefix + requests * own,
        slips={
            "this is without sharing": requests * (prefix + own),
            "each request has blocks of its own, too": prefix + own,
            "the shared blocks are in use, too": requests * own,
        },
        explanation=f"{prefix} shared ones, and {requests} · {own}.",
    )


def prefill_left(draw: Generator) -> Computed:
    size = int(draw.choice([8, 16, 32]))
    whole = int(draw.integers(3, 10))
    rest = int(draw.integers(1, size))
    after = int(draw.integers(5, 50))
    return Computed(
        question=(
            f"A prompt of {whole * size + rest + after} tokens has its first {whole * size + rest} "
            f"in common with an earlier one. Only full blocks of {size} tokens are found again. "
            "How many tokens does the prefill compute?"
        ),
        answer=rest + after,
        slips={
            "a block that is not full is not found": after,
            "these are the tokens that are found": whole * size,
            "this shares nothing": whole * size + rest + after,
        },
        explanation=f"{whole} full blocks are found, {whole * size} tokens.",
    )
