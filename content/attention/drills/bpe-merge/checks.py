"""The checks of `bpe-merge`."""

from collections import Counter
from itertools import pairwise

import numpy as np

from studyattn.attention import BYTE_PAIR_STEPS, merge_pair, most_frequent_pair
from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, case, with_values
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Space

from ...conditions import LAYOUTS, by_keyword
from ...misconceptions import behaviour, byte_pairs
from ...probes import entry
from ...shared import FORBIDDEN

NEW = 100
TRIES = 100  # a third of the texts of 24 tokens tell wrong counts apart, none of the shortest


def ask(
    draw: Draw,
    *,
    n: int,
    kinds: int = 3,
    lowest: int = 0,
    text: str = "drawn",
    merged: str = "most",
) -> list[Call]:
    """The most frequent pair of a text of `kinds` different tokens from `lowest` on, and a merge.

    `text`: "drawn", in "runs" of equal tokens, "tied" with equally frequent pairs, or "telling" if
    wrong counts find another pair in it. `merged`: the "most" frequent pair, two "equal" tokens,
    the "last" pair, or one that is "absent".
    """
    if text == "runs":
        lengths = draw.generator.integers(1, 5, n)
        values = np.repeat(draw.generator.integers(0, kinds, n), lengths)[:n]
    elif text == "telling":
        for _ in range(TRIES):
            values = in_short_runs(draw, n, kinds)
            if tells_counts_apart(values):
                break
    elif text == "tied":
        values = np.tile(draw.generator.permutation(kinds), n)[:n]
    else:
        values = draw.generator.integers(0, kinds, n)
    values = lowest + values.astype(np.int64)
    tokens = with_values(draw.array(n), values)
    first, second = {
        "most": most_frequent_pair(values),
        "equal": (int(values[-1]), int(values[-1])),
        "last": (int(values[-2]), int(values[-1])),
        "absent": (lowest + kinds, lowest + kinds + 1),
    }[merged]
    new = lowest + NEW
    others = sorted({first, second, *values.tolist()})
    known = others[int(draw.generator.integers(len(others)))]
    return [
        Call("most_frequent_pair", (tokens,), into="pair"),
        Call("merge_pair", (tokens, first, second, new), into="merged"),
        Call("merge_pair", (tokens, first, second, new + 1), into="merged into another token"),
        Call("merge_pair", (tokens, first, second, first), into="merged into the first"),
        Call("merge_pair", (tokens, first, second, known), into="merged into a known token"),
    ]


def in_short_runs(draw: Draw, n: int, kinds: int) -> np.ndarray:
    """Draw tokens in runs of one or three equal ones: (n,).

    Three equal tokens are two pairs that overlap and one pair that does not, so pairs of equal
    tokens are often the most frequent ones by the first count alone.
    """
    steps = draw.generator.integers(1, max(kinds, 2), n)  # from one run's kind to the next one's
    return np.repeat(np.cumsum(steps) % kinds, draw.generator.choice([1, 3], n))[:n]


def tells_counts_apart(values: np.ndarray) -> bool:
    """Return whether wrong counts find another pair, and a merge in any order another place.

    Random texts seldom do: at some seeds, none of a drill's questions did.
    """
    pairs = list(pairwise(values.tolist()))
    right = most_frequent_pair(values)
    overlapping, blocks = (Counter(each).most_common(1)[0][0] for each in (pairs, pairs[::2]))
    reversed_alone = any(
        pair == right[::-1] and before != right
        for before, pair in zip([None, *pairs], pairs, strict=False)
    )
    return right not in {overlapping, blocks, right[::-1]} and reversed_alone


drill = Drill(
    id="bpe-merge",
    reference={"most_frequent_pair": most_frequent_pair, "merge_pair": merge_pair},
    steps=BYTE_PAIR_STEPS,
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": {"whole numbers": {"dtype": "int64"}},
                "layout": {name: LAYOUTS[name] for name in ("contiguous", "strided in memory")},
                "length": {
                    "twelve tokens": {"n": 12},
                    "seven tokens": {"n": 7},
                    "two tokens": {"n": 2},
                    "300 tokens": {"n": 300},
                },
                "text": {
                    "drawn": {},
                    "runs of equal tokens": {"text": "runs"},
                    "equally frequent pairs": {"text": "tied"},
                },
                "kinds": {
                    "three kinds": {},
                    "two kinds": {"kinds": 2},
                    "one kind": {"kinds": 1},
                    "nine kinds": {"kinds": 9},
                },
                "merged": {
                    "the most frequent pair": {},
                    "two equal tokens": {"merged": "equal"},
                    "the last pair": {"merged": "last"},
                    "a pair that does not occur": {"merged": "absent"},
                },
                "passed": by_keyword("new"),
            },
        ),
    ),
    cases=(
        case("the same call twice", dtype="int64", twice=True, n=9, text="runs"),
        case("a long run", dtype="int64", n=11, kinds=1),
        *(case("pairs that overlap", dtype="int64", n=n, text="telling") for n in (24, 30, 36)),
        case("tokens above 50,000", dtype="int64", n=24, lowest=50_000, text="telling"),
    ),
    probes=(
        entry("tokens", "above 50,000", lambda tokens: tokens > 50_000),
        Probe("two tokens", lambda call: call["tokens"].shape[-1] == 2),
        Probe("all tokens are equal", lambda call: len(np.unique(call["tokens"].values)) == 1),
        Probe(
            "merging equal tokens",
            lambda call: call["first"] is not None and call["first"] == call["second"],
        ),
        Probe("new by keyword", lambda call: "new" in call.keywords),
    ),
    unasked={
        "float*": "tokens are integers",
        "bfloat16*": "tokens are integers",
        "*gradient*": "tokens are integers",
        "*n = 1*": "a single token has no neighbor",
    },
    small=(
        {"dtype": "int64", "n": 3, "kinds": 2},
        {"dtype": "int64", "n": 3, "kinds": 1},
        {"dtype": "int64", "n": 4, "kinds": 2, "merged": "last"},
        {"dtype": "int64", "n": 6, "kinds": 2},
        {"dtype": "int64", "n": 6, "kinds": 3, "text": "tied"},
        {"dtype": "int64", "n": 8, "kinds": 2, "text": "runs", "merged": "equal"},
    ),
    misconceptions=(
        *byte_pairs.OF_MERGES,
        *(each for each in behaviour.of("byte-pairs") if each.sign and "gradient" not in each.id),
    ),
    axes=("token",),
    parts=("first", "second"),
    forbidden=FORBIDDEN,
    told_as={"kinds": "different tokens", "lowest": "smallest token", "text": "", "merged": ""},
)
