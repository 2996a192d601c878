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
    "permuted as by split_heads": {"layout": Layout.PERMUTED},
    "expanded along the first axis": {"layout": Layout.EXPANDED},
}

SPLIT = {name: LAYOUTS[name] for name in ("contiguous", "permuted as by split_heads")}

OF_MATRICES = {
    name: LAYOUTS[name] for name in ("contiguous", "transposed in memory", "strided in memory")
}
"""Where no array has an axis in front of its two."""

BATCHES = {
    "batch and heads": {"batch": (2, 3)},
    "no batch": {"batch": ()},
    "one batch axis": {"batch": (3,)},
    "three batch axes": {"batch": (2, 1, 3)},
    "batch = heads": {"batch": (3, 3)},
    "a batch of one": {"batch": (1,)},
    "four batch axes": {"batch": (1, 2, 1, 3)},
    "five batch axes": {"batch": (2, 1, 1, 2, 1)},
}

TOKENS = {
    "m < n": {"m": 4, "n": 5},
    "m = n": {"m": 5, "n": 5},
    "one query": {"m": 1, "n": 7},
    "one query and key": {"m": 1, "n": 1},
    "many queries and keys": {"batch": (), "m": 67, "n": 67, "d": 3, "d_v": 2},
    "float64, many keys": {"dtype": "float64", "m": 3, "n": 311, "d": 3, "d_v": 2},
    "more than 2,048 keys": {"batch": (), "m": 2, "n": 2311, "d": 3, "d_v": 2},
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
    "huge scores": {"spread": 3e3, "m": 9, "n": 13},
    "scores far below zero": {"spread": 2.0, "lowered": 2e6},
    "tiny weights": {"spread": 3.5, "m": 9, "n": 20},
    "values large and small": {"uneven": True},
}

FEATURES = {
    "drawn": {},
    "zeros among the vectors": {"zeros": True},
    "tiny features": {"tiny": True, "n": 2, "d": 2},
    "wide features": {"spread": 1e3, "wide": True},
    "values large and small": {"uneven": True},
}
"""Values of what goes through elu(x) + 1."""

ALIKE = "one array for q, k and v"

PLAINLY = (ALIKE,)
"""What is also asked with nothing else unusual."""

ALONE = (
    "batch = heads",
    "a batch of one",
    "many queries and keys",
    "float64, many keys",
    "four batch axes",
    "five batch axes",
    "more than 2,048 keys",
    "more than 2,048 queries",
    "more than 2,048 tokens",
    "more than 140 features",
    "values of more than 140 features",
    "scores far below zero",
    "tiny weights",
    "values large and small",
    "tokens large and small",
    "tiny features",
    "wide features",
    "more than 2,048 entries",
    "more than 2,048 rows",
    "queries of more than 140 features",
    "heads of more than 140 features",
    "more than 140 output features",
    "a rank of more than 140",
    "alpha far above the rank",
    "alpha far below the rank",
    "more than 140 tokens",
    "a vocabulary of more than 140",
    "more than 1,024 tokens",
    "many heads",
    "many key heads",
    "wide heads",
    "six axes",
    "huge numbers",
    "huge scores",
    "rows far below zero",
    "tiny shares",
    "everything allowed",
    "all but the first position",
    "all but the last position",
    "one position",
    "all but the first pair",
    "all but the last pair",
    "one pair",
)
"""Asked once each: what takes time, and what no other condition changes."""

PASSED = "by position"
"""The usual way of an argument into a function."""


def by_keyword(*names):
    """The axis of whether the arguments from the first of `names` on are passed by keyword."""
    return {PASSED: {}, f"{names[0]} by keyword": {"keywords": names}}


_COMMON = (
    Excluded(
        "the products exceed 65,504, the largest float16 number",
        dtype="half precision",
        values=("large scores", "large numbers"),
    ),
    Excluded(
        "a coarser format cannot represent the differences of such numbers",
        dtype=("float32", "half precision", "bfloat16"),
        values=(
            "huge scores",
            "scores far below zero",
            "tiny weights",
            "values large and small",
            "tokens large and small",
            "tiny features",
            "wide features",
            "huge numbers",
            "rows far below zero",
            "tiny shares",
        ),
    ),
    Excluded(
        "a matrix has no leading axis to permute or expand",
        layout=("permuted as by split_heads", "expanded along the first axis"),
        batch="no batch",
    ),
    Excluded(
        "an axis of size 1 has no stride",
        layout=("transposed in memory", "strided in memory"),
        widths="one feature",
    ),
    Excluded(
        "the layout of an axis of size 1 makes no difference",
        layout=("transposed in memory", "permuted as by split_heads"),
        tokens=("one query and key", "one query", "several queries, one key", "one token"),
    ),
)
"""What makes no sense for any drill, as far as it has these axes."""


def space(*excluded, **axes):
    """The space of a drill with these axes beside dtype and layout, unless it names its own."""
    axes = {"dtype": DTYPES, "layout": LAYOUTS, **axes}
    known = {name for values in axes.values() for name in values}
    common = []
    for rule in _COMMON:
        met = {
            axis: tuple(each for each in values if each in axes.get(axis, ()))
            for axis, values in rule.values.items()
        }
        if all(met.values()):
            common.append(Excluded(rule.reason, **met))
    alone, plainly = (tuple(each for each in names if each in known) for names in (ALONE, PLAINLY))
    return Space(axes, (*common, *excluded), alone, plainly)


def without_batch(values):
    """The values of an axis for a drill that has no such axes in front."""
    return {
        name: {key: value for key, value in sizes.items() if key != "batch"}
        for name, sizes in values.items()
    }


def attention_space(tokens, *excluded, widths=WIDTHS, values=VALUES, batch=BATCHES, **axes):
    """The space of drills that are asked with q, k and v; the three may be one array."""
    if not any("batch" in sizes for sizes in batch.values()):  # it has axes of its own in front
        tokens, widths = (without_batch(each) for each in (tokens, widths))
    of_one_shape = [name for name, sizes in tokens.items() if sizes.get("m") in {None, sizes["n"]}]
    of_one_width = [name for name, sizes in widths.items() if sizes["d"] == sizes["d_v"]]
    rules = (
        Excluded(
            "a single array has a single shape",
            arrays=ALIKE,
            tokens=tuple(each for each in tokens if each not in of_one_shape),
        ),
        Excluded(
            "a single array has a single shape",
            arrays=ALIKE,
            widths=tuple(each for each in widths if each not in of_one_width),
        ),
        Excluded(
            "each of the three has its own entries",
            arrays=ALIKE,
            values=tuple(values.keys() - {"drawn", "large scores", "huge scores"}),
        ),
    )
    return space(
        *rules,
        *excluded,
        batch=batch,
        tokens=tokens,
        widths=widths,
        values=values,
        arrays={"three arrays": {}, ALIKE: {"alike": True}},
        **axes,
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


def gradients_space(sizes, layout=SPLIT, of=GRADIENTS["of"], large=None):
    """The space of gradients with these sizes, which are tiny.

    Each entry of each input takes the oracle a run of its own. `large` are the sizes with which
    gradients of large scores are asked: an exponential that overflows on the way to a right value,
    where it is hidden or divided by, makes NaN of its gradient. They are so large that hardly ever
    two scores of a row are less than 40 apart: there exp(s - log Σ exp s), which is right, loses
    more digits of a gradient than the tolerance allows for.
    """
    axes = {**GRADIENTS, "of": of, "layout": layout, "sizes": sizes}
    if large is None:
        return Space(axes=axes, prefix="gradients")
    values = {"drawn": {}, "large numbers": {"dtype": "float64", "spread": 3e3, **large}}
    return Space(axes={**axes, "values": values}, alone=("large numbers",), prefix="gradients")


GRADIENTS_OF_ATTENTION = {
    "a batch": {"batch": (2,), "m": 2, "n": 3, "d": 2, "d_v": 1},
    "no batch": {"m": 2, "n": 2, "d": 2, "d_v": 2},
}

LARGE_GRADIENTS = {"batch": (6,), "m": 4, "n": 4, "d": 2, "d_v": 1}
"""Enough rows that a mask hides the largest score of some of them, whatever is drawn."""

LARGE_FEATURES = {"spread": 1e3, "wide": True, "batch": (2,), "n": 3, "d": 2, "d_v": 1}
"""The same for elu(x) + 1: e^x overflows where x + 1 is the right branch."""

LONG_QUERIES = "that many keys would take a second"
"""Why no causal drill has a long row of queries."""

SEQUENCE = {
    "several tokens": {"n": 4},
    "n = 5": {"n": 5},
    "one token": {"n": 1},
    "an odd number of tokens": {"n": 7},
    "more than 2,048 tokens": {"batch": (), "n": 2053},
}

TOKEN_VALUES = {
    "drawn": {},
    "zeros among the tokens": {"zeros": True},
    "large numbers": {"spread": 1e4},
    "tokens large and small": {"uneven": True},
}

OF_TOKENS = {
    "drawn": {},
    "zeros among the tokens": {"zeros": True},
    "large scores": {"spread": 100.0},
    "huge scores": {"spread": 3e3},
    "scores far below zero": {"spread": 2.0, "lowered": 2e6},
    "tiny weights": {"spread": 3.5},
}
"""Values where queries and keys are projections of tokens."""

OF_STEPS = {name: OF_TOKENS[name] for name in ("drawn", "large scores", "huge scores")}
"""The same where tokens come in chunks."""

OF_NORMS = {
    "drawn": {},
    "a row of equal entries": {"flat": True},
    "large numbers": {"spread": 1e4},
    "tiny numbers": {"spread": 1e-3},
}
"""Values of rows that are normalised."""


def norm_space(values):
    """The space of drills that normalise rows, which may have these values."""
    return space(
        Excluded(
            "their squares are below the smallest float16 number",
            dtype="half precision",
            values="tiny numbers",
        ),
        Excluded(
            "the layout of an axis of size 1 makes no difference",
            layout=("transposed in memory", "permuted as by split_heads"),
            rows="one row",
        ),
        batch=BATCHES,
        rows={
            "several rows": {"n": 5},
            "n = d": {"n": 6},
            "one row": {"n": 1},
            "more than 2,048 rows": {"batch": (), "n": 2053},
        },
        widths={
            "several features": {"d": 6},
            "two features": {"d": 2},
            "one feature": {"d": 1},
            "more than 140 features": {"batch": (), "d": 150},
        },
        epsilons={"usual eps": {}, "eps 0.1": {"eps": 0.1}, "eps 2": {"eps": 2.0}},
        values=values,
    )


def mlp_space():
    """The space of drills on the feed-forward part, with rows `(..., n, d)` and f features."""
    return space(
        Excluded(
            "the layout of an axis of size 1 makes no difference",
            layout=("transposed in memory", "permuted as by split_heads"),
            rows="one row",
        ),
        Excluded(
            "an axis of size 1 has no stride",
            layout=("transposed in memory", "strided in memory"),
            widths=("one feature", "one feature in between"),
        ),
        batch=BATCHES,
        rows={
            "several rows": {"n": 5},
            "one row": {"n": 1},
            "more than 2,048 rows": {"batch": (), "n": 2053, "d": 3, "f": 4},
        },
        widths={
            "d < f": {"d": 4, "f": 7},
            "d = f": {"d": 5, "f": 5},
            "d > f": {"d": 6, "f": 3},
            "one feature": {"d": 1, "f": 2},
            "one feature in between": {"d": 3, "f": 1},
            "more than 140 features": {"batch": (), "d": 150, "f": 151},
        },
        values={
            "drawn": {},
            "a row of zeros": {"zeros": True},
            "large numbers": {"spread": 100.0},
            "tiny numbers": {"spread": 1e-3},
        },
    )


def position_spaces():
    """The spaces of drills with rows at given positions, whose entries come in pairs."""
    return (
        space(
            Excluded(
                "an axis of size 1 has no stride",
                layout=("transposed in memory", "permuted as by split_heads"),
                rows="one row",
            ),
            batch=BATCHES,
            rows={
                "several rows": {"n": 5},
                "n = d": {"n": 6},
                "one row": {"n": 1},
                "more than 2,048 rows": {"n": 2053, "d": 4, "batch": (), "positions": 3, "step": 0},
            },
            widths={
                "several pairs": {"d": 6},
                "one pair of entries": {"d": 2},
                "four pairs": {"d": 8},
                "more than 140 features": {"d": 150, "batch": ()},
            },
            places={
                "from 0 on": {},
                "from 7 on": {"positions": 7},
                "every third": {"step": 3},
                "backwards": {"positions": 9, "step": -1},
                "all at the same position": {"positions": 4, "step": 0},
            },
            bases={"base 10,000": {}, "base 100": {"base": 100.0}, "base 1": {"base": 1.0}},
            values={"drawn": {}, "zeros among the vectors": {"zeros": True}},
        ),
        gradients_space(
            {
                "two pairs": {"n": 2, "d": 4, "positions": 1},
                "a batch": {"batch": (2,), "n": 2, "d": 2},
            },
            LAYOUTS,
        ),
    )
