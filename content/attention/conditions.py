"""The axes along which the inputs of several drills differ, and what is excluded and why."""

from studyattn.grading.call_plan import Layout
from studyattn.grading.space import Excluded, Space

DTYPES = {
    "float32": {},
    "float64": {"dtype": "float64"},
    "half precision": {"dtype": "float16"},
    "bfloat16": {"dtype": "bfloat16"},
}

LAYOUTS = {
    "contiguous": {},
    "transposed in memory": {"layout": Layout.TRANSPOSED},
    "strided in memory": {"layout": Layout.STRIDED},
    "permuted as split_heads leaves it": {"layout": Layout.PERMUTED},
    "expanded along the first axis": {"layout": Layout.EXPANDED},
}

SPLIT = {name: LAYOUTS[name] for name in ("contiguous", "permuted as split_heads leaves it")}

BATCHES = {
    "batch and heads": {"batch": (2, 3)},
    "no batch": {"batch": ()},
    "one batch axis": {"batch": (3,)},
    "three batch axes": {"batch": (2, 1, 3)},
    "batch = heads": {"batch": (3, 3)},
    "four batch axes": {"batch": (1, 2, 1, 3)},
    "five batch axes": {"batch": (2, 1, 1, 2, 1)},
}

TOKENS = {
    "m < n": {"m": 4, "n": 5},
    "m = n": {"m": 5, "n": 5},
    "one query": {"m": 1, "n": 7},
    "one query and key": {"m": 1, "n": 1},
    "more than 2,048 keys": {"batch": (), "m": 2, "n": 2053, "d": 3, "d_v": 2},
}
"""m ≤ n, so that causal drills can use them."""

MORE_QUERIES = {
    "more queries than keys": {"m": 9, "n": 3},
    "several queries, one key": {"m": 4, "n": 1},
    "more than 2,048 queries": {"batch": (), "m": 2053, "n": 2, "d": 2, "d_v": 3},
}
"""What a causal drill has no answer to."""

WIDTHS = {
    "d < d_v": {"d": 6, "d_v": 7},
    "d = d_v": {"d": 5, "d_v": 5},
    "d > d_v": {"d": 4, "d_v": 3},
    "one feature": {"d": 1, "d_v": 1},
    "more than 140 features": {"batch": (), "d": 150, "d_v": 3},
    "values of more than 140 features": {"batch": (), "d": 3, "d_v": 150},
}

VALUES = {
    "drawn": {},
    "zeros among the vectors": {"zeros": True},
    "large scores": {"spread": 100.0},
    "huge scores": {"spread": 3e3},
    "scores far below zero": {"spread": 2.0, "lowered": 2e6},
    "tiny weights": {"spread": 3.5},
    "values large and small": {"uneven": True},
}

ALONE = (
    "batch = heads",
    "four batch axes",
    "five batch axes",
    "more than 2,048 keys",
    "more than 140 features",
    "values of more than 140 features",
    "scores far below zero",
    "tiny weights",
    "values large and small",
)
"""Asked once each: what takes time, and what no other condition changes."""

OVERFLOW = Excluded(
    "the products are beyond 65,504, the largest number of float16",
    dtype="half precision",
    values="large scores",
)
IN_FLOAT64 = Excluded(
    "a coarser format has no digits left for the differences of such numbers",
    dtype=("float32", "half precision", "bfloat16"),
    values=("huge scores", "scores far below zero", "tiny weights", "values large and small"),
)
A_MATRIX = Excluded(
    "a matrix has no axis in front that could be permuted or expanded",
    layout=("permuted as split_heads leaves it", "expanded along the first axis"),
    batch="no batch",
)
ONE_STEP = Excluded(
    "an axis of one entry has no step in memory",
    layout=("transposed in memory", "strided in memory"),
    widths="one feature",
)

GRADIENTS = {
    "dtype": {
        "float64": {"dtype": "float64"},
        "float32": {},
        "bfloat16": {"dtype": "bfloat16"},
    },
    "of": {
        "all inputs": {"gradients": True},
        "of the first input alone": {"gradients": True, "gradients_of": "first"},
        "of all inputs but the first": {"gradients": True, "gradients_of": "others"},
    },
}
"""The axes of a space of gradients, beside those of its sizes."""


def attention_space(tokens):
    """The space of drills that are asked with q, k and v."""
    return Space(
        axes={
            "dtype": DTYPES,
            "layout": LAYOUTS,
            "batch": BATCHES,
            "tokens": tokens,
            "widths": WIDTHS,
            "values": VALUES,
            "arrays": {"three arrays": {}, "one array for q, k and v": {"alike": True}},
        },
        excluded=(
            OVERFLOW,
            IN_FLOAT64,
            A_MATRIX,
            ONE_STEP,
            Excluded(
                "an axis of one entry lies as any other does",
                layout=("transposed in memory", "permuted as split_heads leaves it"),
                tokens=tuple(each for each, sizes in tokens.items() if 1 in sizes.values()),
            ),
            Excluded(
                "one array has one shape",
                arrays="one array for q, k and v",
                widths=tuple(each for each in WIDTHS if each not in {"d = d_v", "one feature"}),
            ),
            Excluded(
                "one array has one shape",
                arrays="one array for q, k and v",
                tokens=tuple(each for each, sizes in tokens.items() if sizes["m"] != sizes["n"]),
            ),
            Excluded(
                "each of the three has entries of its own",
                arrays="one array for q, k and v",
                values=("scores far below zero", "values large and small"),
            ),
        ),
        alone=(*ALONE, *(each for each in tokens if each == "more than 2,048 queries")),
    )


def gradients_space(layout, sizes):
    """The space of gradients, with these layouts in memory and these sizes, which are tiny.

    Each entry of each input takes the oracle a run of its own.
    """
    return Space(axes={**GRADIENTS, "layout": layout, "sizes": sizes}, prefix="gradients")
