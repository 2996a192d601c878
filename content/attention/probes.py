"""Conditions that a brief admits and that do not follow from the shapes in it."""

import numpy as np

from studyattn.grading.seen_call import Probe


def one_array(first, second):
    """Two arguments are one array."""
    return Probe(
        f"{first} is {second}",
        lambda call: call[first] is not None and call[first].of is call[second].of,
    )


def zeros(name):
    """A vector in the array `name` is zero in every entry."""
    return Probe(
        f"a zero vector in {name}",
        lambda call: bool(np.any(np.all(call[name].values == 0, axis=-1))),
    )


def scores_beyond(limit):
    """q · k is larger than `limit` somewhere, and smaller than -`limit`: two probes."""

    def largest(call, sign):
        with np.errstate(all="ignore"):
            q, k = (np.asarray(call[name].values, np.float64) for name in "qk")
            if k.ndim > 2 and k.shape[:-2] != q.shape[:-2]:  # heads that share keys
                k = np.repeat(k, q.shape[-3] // k.shape[-3], axis=-3)
            return float(np.max(sign * (q @ k.swapaxes(-1, -2)), initial=0.0))

    return (
        Probe(f"a score above {limit:,.0f}", lambda call: largest(call, 1) > limit),
        Probe(f"a score below -{limit:,.0f}", lambda call: largest(call, -1) > limit),
    )


def gradient_beside_large(*names):
    """A gradient is asked while an entry of one of these arrays is far above 0."""
    return Probe(
        f"a gradient of any input, with {' or '.join(names)} above 50",
        lambda call: (
            any(
                call[name] is not None and float(np.max(call[name].values, initial=0.0)) > 50
                for name in names
            )
            and any(array.requires_grad for array in call.arrays())
        ),
        of_gradients=True,
    )


QUERIES_KEYS_VALUES = (
    gradient_beside_large("q", "k"),
    one_array("q", "k"),
    one_array("k", "v"),
    *(zeros(name) for name in "qkv"),
    *scores_beyond(1e3),
    *scores_beyond(1e6),
)


def _of(name, words, holds):
    return Probe(f"{name}: {words}", lambda call: call[name] is not None and holds(call))


MASKS = (
    *(
        _of("mask", f"{axes} axes", lambda call, axes=axes: call["mask"].values.ndim == axes)
        for axes in (2, 3, 4)
    ),
    *(
        _of(
            "mask",
            f"{fewer} axes fewer than the queries",
            lambda call, fewer=fewer: call["q"].values.ndim - call["mask"].values.ndim == fewer,
        )
        for fewer in (0, 1, 2)
    ),
    _of("mask", "one query", lambda call: call["q"].shape[-2] == 1),
    _of("mask", "one key", lambda call: call["k"].shape[-2] == 1),
    _of("mask", "one row for all", lambda call: call["mask"].shape[-2] < call["q"].shape[-2]),
    _of("mask", "one entry for all", lambda call: call["mask"].shape[-1] < call["k"].shape[-2]),
    _of("mask", "expanded", lambda call: 0 in call["mask"].steps),
    _of("mask", "transposed", lambda call: call["mask"].steps[-1] > call["mask"].steps[-2] > 0),
    _of("mask", "nothing allowed", lambda call: not call["mask"].values.any()),
    _of("mask", "everything allowed", lambda call: bool(call["mask"].values.all())),
    _of("mask", "an empty row", lambda call: not call["mask"].values.any(axis=-1).all()),
    _of("mask", "by keyword", lambda call: "mask" in call.keywords),
    _of("mask", "by position", lambda call: "mask" not in call.keywords),
    *(
        _of("mask", dtype, lambda call, dtype=dtype: call["q"].dtype == dtype)
        for dtype in ("float64", "float16", "float32")
    ),
)
"""Beside q, k and v. A mask is there in each."""


def entry(name, words, holds):
    """An entry of the array `name` is of this kind."""
    return _of(name, f"an entry {words}", lambda call: bool(np.any(holds(call[name].values))))


def whole(name):
    """The array `name` has a dtype of whole numbers."""
    return _of(name, "int64", lambda call: call[name].dtype == "int64")


LENGTHS = (
    _of("lengths", "int32", lambda call: call["lengths"].dtype == "int32"),
    _of("lengths", "int64", lambda call: call["lengths"].dtype == "int64"),
    _of("lengths", "a zero", lambda call: 0 in call["lengths"].values),
    _of("lengths", "all zero", lambda call: not call["lengths"].values.any()),
    _of("lengths", "a one", lambda call: 1 in call["lengths"].values),
    _of(
        "lengths",
        "all keys",
        lambda call: bool((call["lengths"].values == call["k"].shape[-2]).all()),
    ),
    _of("lengths", "one sequence", lambda call: len(call["lengths"].values) == 1),
    _of("lengths", "by keyword", lambda call: "lengths" in call.keywords),
)


def masks_of(name, of):
    """Beside the array `of`, a mask called `name` that may be left out."""

    def beside(words, holds):
        return _of(name, words, holds)

    return (
        Probe(f"no {name}", lambda call: call[of] is not None and call[name] is None),
        beside("one head", lambda call: call["num_heads"] == 1),
        beside("several heads", lambda call: call["num_heads"] > 1),
        beside("one query", lambda call: call["x"].shape[-2] == 1),
        beside("one key", lambda call: call[of].shape[-2] == 1),
        beside("one batch entry or none", lambda call: int(np.prod(call["x"].shape[:-2])) == 1),
        beside("nothing allowed", lambda call: not call[name].values.any()),
        beside("everything allowed", lambda call: bool(call[name].values.all())),
        beside("an empty row", lambda call: not call[name].values.any(axis=-1).all()),
        beside("by keyword", lambda call: name in call.keywords),
        beside("by position", lambda call: name not in call.keywords),
        beside("spread", lambda call: call[name].steps[-1] > 1),
        *(
            beside(dtype, lambda call, dtype=dtype: call["x"].dtype == dtype)
            for dtype in ("float64", "float32", "float16")
        ),
    )


def _heads(words, holds):
    return Probe(
        f"heads: {words}", lambda call: call["num_heads"] is not None and holds(call["num_heads"])
    )


OF_HEADS = (
    _heads("one", lambda heads: heads == 1),
    _heads("two", lambda heads: heads == 2),
    _heads("an odd number", lambda heads: heads > 1 and heads % 2 == 1),
    _heads("more than 64", lambda heads: heads > 64),
    Probe("num_heads by keyword", lambda call: "num_heads" in call.keywords),
    Probe(
        "num_heads by position",
        lambda call: call["num_heads"] is not None and "num_heads" not in call.keywords,
    ),
)


def _seen(call):
    """Tokens that this cache was given before, since it was made or reset."""
    seen = 0
    for each in call.before:
        seen = 0 if each.function == "reset" else seen + (each["x"].shape[1] if each["x"] else 0)
    return seen


def _step(words, holds):
    return Probe(f"cache: {words}", lambda call: call.function == "()" and holds(call))


OF_CACHES = (
    _step("the first call", lambda call: not _seen(call)),
    _step("one token after others", lambda call: call["x"].shape[1] == 1 and _seen(call) > 0),
    _step("several after others", lambda call: call["x"].shape[1] > 1 and _seen(call) > 0),
    _step("more than the others", lambda call: call["x"].shape[1] > _seen(call) > 0),
    _step("one after one", lambda call: call["x"].shape[1] == _seen(call) == 1),
    _step("1,024 tokens before", lambda call: _seen(call) >= 1024),
    _step("after a reset", lambda call: any(each.function == "reset" for each in call.before)),
    _step(
        "another batch after a reset",
        lambda call: len({each["x"].shape[0] for each in (*call.before, call) if each["x"]}) > 1,
    ),
    _step(
        "a reset before anything",
        lambda call: len(call.before) > 1 and call.before[1].function == "reset",
    ),
)

OF_NORMS = (
    Probe(
        "a row of equal entries",
        lambda call: bool(np.any(np.all(call["x"].values == call["x"].values[..., :1], axis=-1))),
    ),
    entry("x", "above 10,000", lambda x: x > 1e4),
    Probe("no eps", lambda call: call["eps"] is None),
    Probe("eps by keyword", lambda call: "eps" in call.keywords),
    Probe("eps above 1", lambda call: call["eps"] is not None and call["eps"] > 1),
)
"""Rows that are normalised."""
