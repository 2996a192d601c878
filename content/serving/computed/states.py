"""Computed cards on recurrent states."""

from __future__ import annotations

from numpy.random import Generator

from studyattn.packs.computed import Computed


def state_bytes(draw: Generator) -> Computed:
    heads = int(draw.choice([4, 8, 16]))
    keys, values = (int(draw.choice([10, 20, 50])) for _ in range(2))
    each = int(draw.choice([2, 4]))
    return Computed(
        question=(
            f"A layer has {heads} heads with a recurrent state for keys {keys} wide and values "
            f"{values} wide, {each} bytes a number. How many bytes does a sequence take in it?"
        ),
        answer=heads * keys * values * each,
        unit="bytes",
        slips={
            "this is what a token adds to a list of keys and values": heads
            * (keys + values)
            * each,
            "each head has a state": keys * values * each,
            "a number has more than one byte": heads * keys * values,
        },
        explanation=f"{heads} · {keys} · {values} · {each}, for any number of tokens.",
    )


def decayed(draw: Generator) -> Computed:
    gates = [float(draw.choice([0.5, 0.8, 0.9])) for _ in range(3)]
    first, second, third = gates
    return Computed(
        question=(
            "A state decays by the gate of each token before that token is added. The gates of "
            f"tokens 1, 2 and 3 are {first:g}, {second:g} and {third:g}. By what is the outer "
            "product of token 1 multiplied in the state after token 3?"
        ),
        answer=second * third,
        tolerance=1e-6,
        slips={
            "its own gate is not among them": first * second * third,
            "both later gates count": third,
        },
        explanation=f"{second:g} · {third:g}: the gates of the tokens after it.",
    )


def corrected(draw: Generator) -> Computed:
    first = int(draw.choice([2, 4, 6]))
    second = first + int(draw.choice([4, 8, 12]))
    rate = float(draw.choice([0.25, 0.5, 0.75]))
    return Computed(
        question=(
            f"A key of length 1 gives {first}. It comes again with the value {second} and the rate "
            f"{rate:g}. What does it give afterward, by the delta rule?"
        ),
        answer=first + rate * (second - first),
        tolerance=1e-6,
        slips={
            "the old value is not added to": first + rate * second,
            "the rate is missing": second,
            "this is what is written": rate * (second - first),
        },
        explanation=f"{first} + {rate:g} · ({second} − {first}).",
    )
