"""The checks of `token-mask`."""

import numpy as np

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space

from ...misconceptions import choosing
from ...reference.choosing import next_state, token_mask
from ...shared import LAYOUTS, NO_GRADIENT, behaviour, by_keyword


def ask(
    draw: Draw, *, v: int, states: int = 4, letters: int = 3, longest: int = 4, dead: float = 0.35
) -> list[Call]:
    """An automaton in which so many characters are `dead`, and tokens of all lengths.

    The last state allows every character, so that a walk that goes on with -1 as a state shows.
    """
    generator = draw.generator
    table = generator.integers(0, states, (states, letters))
    table = np.where(generator.random((states, letters)) < dead, -1, table)
    table[-1] = generator.integers(0, states, letters)
    lengths = generator.integers(1, longest + 1, v)
    text = generator.integers(0, letters, (v, longest))
    text = np.where(np.arange(longest) < lengths[:, None], text, -1)
    transitions = with_values(draw.array(states, letters), table.astype(np.int64))
    tokens = with_values(draw.array(v, longest), text.astype(np.int64))
    calls = []
    for number in range(2):
        state, token = int(generator.integers(states)), int(generator.integers(v))
        calls += [
            Call("token_mask", (transitions, tokens, state), into=f"mask {number + 1}"),
            Call("next_state", (transitions, tokens, state, token), into=f"state {number + 1}"),
        ]
    return calls


drill = Drill(
    id="token-mask",
    reference={"token_mask": token_mask, "next_state": next_state},
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": {"whole numbers": {"dtype": "int64"}},
                "layout": LAYOUTS,
                "vocabulary": {
                    "twelve tokens": {"v": 12},
                    "one token": {"v": 1},
                    "four tokens": {"v": 4},
                    "three tokens": {"v": 3},
                },
                "states": {
                    "four states": {},
                    "one state": {"states": 1},
                    "three states": {"states": 3},
                    "twelve states": {"states": 12},
                },
                "letters": {
                    "three letters": {},
                    "one letter": {"letters": 1},
                    "four letters": {"letters": 4},
                    "twelve letters": {"letters": 12},
                },
                "longest": {
                    "four characters": {},
                    "one character": {"longest": 1},
                    "three characters": {"longest": 3},
                    "twelve characters": {"longest": 12},
                },
                "dead": {
                    "some are not allowed": {},
                    "all are allowed": {"dead": 0.0},
                    "hardly any is": {"dead": 0.8},
                },
                "passed": by_keyword("state"),
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    letters="one letter",
                ),
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    longest="one character",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout="transposed in memory",
                    states="one state",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout="transposed in memory",
                    vocabulary="one token",
                ),
            ),
        ),
    ),
    cases=(case("the same calls twice", dtype="int64", twice=True, v=6),),
    probes=(Probe("state 0", lambda call: call["state"] == 0),),
    unasked=NO_GRADIENT | {"*float*": "states and characters are whole numbers"},
    small=(
        {"dtype": "int64", "v": 2, "states": 2, "letters": 2, "longest": 2},
        {"dtype": "int64", "v": 3, "states": 2, "letters": 2, "longest": 2},
        {"dtype": "int64", "v": 3, "states": 3, "letters": 2, "longest": 3},
    ),
    misconceptions=(
        *choosing.OF_MASKS,
        *(each for each in behaviour("constrained-decoding") if each.id != "precision-lost"),
    ),
    axes=("token",),
    told_as={"dead": ""},
)
