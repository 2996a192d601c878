"""The checks of `sink-cache`."""

from collections.abc import Mapping
from typing import Any

from studyattn.grading.call_plan import Call
from studyattn.grading.drill import Draw, Drill, Limit, case
from studyattn.grading.seen_call import Probe
from studyattn.grading.space import Excluded, Space

from ...misconceptions import splitting
from ...reference.splitting import SinkCache
from ...shared import FLOATS, LAYOUTS, NO_GRADIENT, NO_HALVES, behaviour


def ask(
    draw: Draw,
    *,
    sinks: int,
    window: int,
    d: int,
    m: int = 2,
    t: int = 0,
    pieces: tuple[int, ...] = (3, 4, 1, 2),
) -> list[Call]:
    """Feed `pieces` of tokens, with `t` the last of them as long, and look after each.

    Where cost is counted, look before the last one alone.
    """
    pieces = (*pieces[:-1], t) if t else pieces
    calls = [Call("SinkCache", (sinks, window), into="_cache")]
    for number, length in enumerate(pieces, 1):
        k, v = draw.array(length, d, sharp=True), draw.array(length, d)
        last = draw.case.costed and number == len(pieces)
        calls.append(Call("append", (k, v), on="_cache", into="_appended"))
        if last:
            return calls
        if draw.case.costed and number + 1 < len(pieces):
            continue
        calls.append(Call("positions", on="_cache", into=f"positions {number}"))
        calls.append(Call("kept", on="_cache", into=f"kept {number}"))
        q = draw.array(m, d, sharp=True)
        calls.append(Call("attend", (q,), on="_cache", into=f"attended {number}"))
    return calls


def largest_array(sizes: Mapping[str, Any]) -> int:
    """Four times what is kept, with room for the last piece: far less than the text."""
    return int(4 * (sizes["sinks"] + sizes["window"] + sizes["pieces"][-1]) * (2 * sizes["d"] + 1))


def kept(sizes: Mapping[str, Any]) -> int:
    """The bytes of such an array in float64, and some for Python: a text of 900 takes far more."""
    return 8 * largest_array(sizes) + 100_000


drill = Drill(
    id="sink-cache",
    reference={"SinkCache": SinkCache},
    ask=ask,
    spaces=(
        Space(
            {
                "dtype": FLOATS,
                "layout": LAYOUTS,
                "sinks": {
                    "two sinks": {"sinks": 2},
                    "no sinks": {"sinks": 0},
                    "one sink": {"sinks": 1},
                    "five sinks": {"sinks": 5},
                },
                "window": {
                    "a window of three": {"window": 3},
                    "a window of one": {"window": 1},
                    "a long window": {"window": 40},
                },
                "width": {
                    "four features": {"d": 4},
                    "one feature": {"d": 1},
                    "two features": {"d": 2},
                },
                "pieces": {
                    "pieces of all lengths": {},
                    "one token at a time": {"pieces": (1,) * 8},
                    "all at once": {"pieces": (9,)},
                    "longer than the window": {"pieces": (1, 7, 6)},
                },
                "queries": {"two queries": {}, "one query": {"m": 1}, "five queries": {"m": 5}},
            },
            (
                Excluded(
                    "an axis of size 1 has no stride",
                    layout=("transposed in memory", "strided in memory"),
                    width="one feature",
                ),
                Excluded(
                    "the layout of an axis of size 1 makes no difference",
                    layout="transposed in memory",
                    pieces="one token at a time",
                ),
            ),
        ),
    ),
    cases=(
        case("the same calls twice", twice=True, sinks=1, window=2, d=2),
        case("huge scores", dtype="float64", spread=1e3, sinks=1, window=2, d=3),
        case(
            "a token after three hundred",
            costed=True,
            sinks=2,
            window=6,
            d=64,
            pieces=(*(20,) * 15, 1),
        ),
        case(
            "a token after nine hundred",
            costed=True,
            sinks=2,
            window=6,
            d=64,
            pieces=(*(20,) * 45, 1),
        ),
    ),
    probes=(
        Probe("no sinks", lambda call: call["sinks"] == 0),
        Probe(
            "a piece of more than five tokens",
            lambda call: call["k"] is not None and call["k"].shape[0] > 5,
        ),
    ),
    unasked=NO_GRADIENT | NO_HALVES | {"m ? t": "queries and new tokens come in different calls"},
    small=(
        {"sinks": 1, "window": 1, "d": 1, "m": 1, "pieces": (3,)},
        {"sinks": 1, "window": 2, "d": 1, "m": 1, "pieces": (2, 1, 1)},
        {"sinks": 1, "window": 2, "d": 1, "m": 1, "pieces": (2, 3)},
        {"sinks": 2, "window": 2, "d": 1, "m": 1, "pieces": (1, 1, 1, 1, 1)},
        {"sinks": 0, "window": 2, "d": 1, "m": 1, "pieces": (2, 1)},
    ),
    misconceptions=(*splitting.OF_SINKS, *behaviour("attention-sinks")),
    axes=("token", "feature"),
    parts=("keys", "values"),
    told_as={"pieces": ""},
    limit=Limit(
        splitting.sinks_grow,
        largest_array=largest_array,
        kept=kept,
        grows_with=lambda sizes: sum(sizes["pieces"]),
    ),
    forbidden=(
        "scaled_dot_product_attention",
        "multi_head_attention_forward",
        "MultiheadAttention",
    ),
)
