"""Conditions that a brief admits and that do not follow from the shapes in it."""

import numpy as np

from studyattn.grading.seen_call import Probe


def longer_than(name, extent, axis=-2):
    """An axis of the array `name` is longer than `extent`."""
    return Probe(
        f"{name} longer than {extent:,}",
        lambda call: call[name] is not None and call[name].shape[axis] > extent,
    )


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
            return float(np.max(sign * (q @ k.swapaxes(-1, -2)), initial=0.0))

    return (
        Probe(f"a score above {limit:,.0f}", lambda call: largest(call, 1) > limit),
        Probe(f"a score below -{limit:,.0f}", lambda call: largest(call, -1) > limit),
    )


QUERIES_KEYS_VALUES = (
    longer_than("k", 2048),
    longer_than("q", 2048),
    one_array("q", "k"),
    one_array("k", "v"),
    *(zeros(name) for name in "qkv"),
    *scores_beyond(1e3),
    *scores_beyond(1e6),
)
