"""Mistakes with attention that is split over keys, and with a window that has sinks."""

import numpy as np

from studyattn.grading.misconception import Misconception, Sign

from ..reference import splitting as right
from ..shared import softmax

FLASH, SINKS = "flash-decoding", "attention-sinks"
MERGED = r"o = \sum_i e^{\ell_i - \ell} o_i"
TOTAL = r"\ell = \log \sum_i e^{\ell_i}"
OF_PART = r"\ell_i = \log \sum_j e^{s_j}"
KEPT = r"\{ j < \text{sinks} \} \cup \{ j \ge n - \text{window} \}"


def _named(name, title, formula, concept, *ways):
    return Misconception(id=name, title=title, formula=formula, concept=concept, ways=ways)


def _unstable(numbers, axis):
    return np.log(np.exp(numbers).sum(axis=axis))


def _without_top(numbers, axis):
    return np.log(np.exp(numbers - numbers.max(axis=axis, keepdims=True)).sum(axis=axis))


def _plain(scores, v):
    powers = np.exp(scores)
    return powers / powers.sum(axis=-1, keepdims=True) @ v


def _not_divided(scores, v):
    return np.exp(scores - scores.max(axis=-1, keepdims=True)) @ v


def _of_values(lses):
    return lses / lses.sum(axis=0)


def _evenly(lses):
    return np.full_like(lses, 1 / len(lses))


def _not_shared(lses):
    return np.exp(lses - lses.max(axis=0))


def _unstable_shares(lses):
    return np.exp(lses) / np.exp(lses).sum(axis=0)


def _best_only(lses):
    return (lses == lses.max(axis=0)).astype(lses.dtype)


def _over_queries(lses):
    return softmax(lses)


def _in_pairs(outputs, lses, *, steps=right.STEPS):
    """Merge part after part, with −∞ − (−∞) where both are empty."""
    output, lse = outputs[0], lses[0]
    for other, other_lse in zip(outputs[1:], lses[1:], strict=True):
        top = np.maximum(lse, other_lse)
        one, two = np.exp(lse - top), np.exp(other_lse - top)
        output = (one[..., None] * output + two[..., None] * other) / (one + two)[..., None]
        lse = top + np.log(one + two)
    return output, lse


def _by_ratios(outputs, lses, *, steps=right.STEPS):
    """Merge part after part by the ratio of their sums, which overflows."""
    output, lse = outputs[0], lses[0]
    for other, other_lse in zip(outputs[1:], lses[1:], strict=True):
        whole = lse + np.log(1 + np.exp(other_lse - lse))
        one, two = np.exp(lse - whole), np.exp(other_lse - whole)
        output, lse = one[..., None] * output + two[..., None] * other, whole
    return output, lse


OF_MERGES = (
    _named(
        "merge-averaged",
        "All parts count alike, or the largest alone; each should by its sum of exponentials.",
        MERGED,
        FLASH,
        {"weights": _evenly},
        {"weights": _best_only},
    ),
    _named(
        "merge-logarithms-as-weights",
        "The parts are weighted by the logarithms of their sums, not by the sums.",
        MERGED,
        FLASH,
        {"weights": _of_values},
    ),
    _named(
        "merge-not-divided",
        "The weights of the parts are not divided by their sum.",
        MERGED,
        FLASH,
        {"weights": _not_shared},
    ),
    _named(
        "merge-wrong-axis",
        "The weights should sum to 1 over the parts; here they do over the queries.",
        MERGED,
        FLASH,
        {"weights": _over_queries},
    ),
    _named(
        "merge-total-wrong",
        "The merged logarithm is not log Σ e^ℓ over the parts.",
        TOTAL,
        FLASH,
        {"whole": lambda lses: lses.sum(axis=0)},
        {"whole": lambda lses: lses.max(axis=0)},
        {"whole": lambda lses: lses.mean(axis=0)},
        {"whole": lambda lses: np.log(np.exp(lses - lses.max(axis=0)).sum(axis=0))},
    ),
    _named(
        "merge-lse-without-log",
        "A part should return the logarithm of its sum of exponentials.",
        OF_PART,
        FLASH,
        {"total": lambda numbers, axis: np.exp(numbers).sum(axis=axis)},
        {"total": lambda numbers, axis: numbers.max(axis=axis)},
        {
            "total": lambda numbers, axis: np.exp(
                numbers - numbers.max(axis=axis, keepdims=True)
            ).sum(axis=axis)
        },
    ),
    _named(
        "merge-maximum-lost",
        "The maximum that was subtracted is not added back to the logarithm.",
        OF_PART,
        FLASH,
        {"total": _without_top},
    ),
    _named(
        "merge-overflow",
        "Exponentials of large numbers overflow; subtract the maximum first.",
        TOTAL,
        FLASH,
        {"weights": _unstable_shares, "whole": lambda lses: np.log(np.exp(lses).sum(axis=0))},
        {"weights": _unstable_shares},
        {"whole": lambda lses: np.log(np.exp(lses).sum(axis=0))},
        {"merge": _by_ratios},
        {"total": _unstable, "mix": _plain},
        {"total": _unstable},
        {"mix": _plain},
        {
            "total": _unstable,
            "mix": _plain,
            "weights": _unstable_shares,
            "whole": lambda lses: np.log(np.exp(lses).sum(axis=0)),
        },
    ),
    _named(
        "merge-empty-parts",
        "Two empty parts give NaN: −∞ − (−∞) is not a number.",
        TOTAL,
        FLASH,
        {"merge": _in_pairs},
    ),
    _named(
        "merge-part-not-divided",
        "A part's output is not divided by its sum of exponentials.",
        OF_PART,
        FLASH,
        {"mix": _not_divided},
        {"mix": lambda scores, v: np.exp(scores) @ v},
    ),
    _named(
        "merge-root-missing",
        "The scores are not divided by √d.",
        OF_PART,
        FLASH,
        {"scores": lambda q, k: q @ k.swapaxes(-1, -2)},
    ),
)


class _NoSinks(right.SinkCache):
    def kept_places(self, places):
        return places >= max(self._seen - self._window, 0)


class _SinksInWindow(right.SinkCache):
    """The window has the sinks' room as well, so fewer latest tokens stay."""

    def kept_places(self, places):
        latest = max(self._window - self._sinks, 0)
        return (places < self._sinks) | (places >= self._seen - latest)


class _LongerWindow(right.SinkCache):
    """As many as both together are kept, also while the sinks are the oldest."""

    def kept_places(self, places):
        latest = self._window + self._sinks
        return (places < self._sinks) | (places >= self._seen - latest)


class _OneMore(right.SinkCache):
    def kept_places(self, places):
        return (places < self._sinks) | (places >= self._seen - self._window - 1)


class _OneLess(right.SinkCache):
    def kept_places(self, places):
        return (places < self._sinks) | (places > self._seen - self._window)


class _AllKept(right.SinkCache):
    def kept_places(self, places):
        return places >= 0


class _SinksOnly(right.SinkCache):
    """The first tokens that fit stay, and nothing new comes in."""

    def kept_places(self, places):
        return places < self._sinks + self._window


class _Ring(right.SinkCache):
    """Kept in the order of the slots of the ring."""

    def append(self, k, v):
        super().append(k, v)
        later = self._places >= self._sinks
        slots = np.where(later, (self._places - self._sinks) % self._window, self._places)
        order = np.argsort(np.where(later, self._sinks + slots, slots), kind="stable")
        self._order = order

    def kept(self):
        return self._k[self._order], self._v[self._order]

    def positions(self):
        return self._places[self._order]


class _RingOfKeys(_Ring):
    def positions(self):
        return self._places


class _Renumbered(right.SinkCache):
    def positions(self):
        return np.arange(len(self._places))


class _Root(right.SinkCache):
    def attend(self, q):
        return softmax(q @ self._k.swapaxes(-1, -2)) @ self._v


class _WithoutSinks(right.SinkCache):
    """The sinks are kept but not attended to."""

    def attend(self, q):
        later = self._places >= self._sinks
        if not later.any():
            later[:] = True
        return softmax(right.scores(q, self._k[later])) @ self._v[later]


sinks_grow = Misconception(
    id="sinks-grow",
    title="Something grows with every token: the cache should stay as large as sinks and window.",
    formula=KEPT,
    concept=SINKS,
    sign=Sign.COST,
)


def _cached(name, title, formula, *classes):
    return _named(name, title, formula, SINKS, *({"SinkCache": each} for each in classes))


OF_SINKS = (
    _cached("sinks-dropped", "The first tokens are dropped with the others.", KEPT, _NoSinks),
    _cached(
        "sinks-in-window",
        "The sinks take room of the window; they come in addition to it.",
        KEPT,
        _SinksInWindow,
    ),
    _cached(
        "sinks-window-too-long",
        "More of the latest tokens stay than the window has.",
        KEPT,
        _LongerWindow,
        _OneMore,
        _AllKept,
    ),
    _cached("sinks-window-too-short", "The window is one token short.", KEPT, _OneLess),
    _cached(
        "sinks-window-stuck",
        "When the cache is full, new tokens are not taken in; the oldest of the window should go.",
        KEPT,
        _SinksOnly,
    ),
    _cached(
        "sinks-ring-order",
        "Tokens are returned in the order of their slots, not of their positions.",
        KEPT,
        _Ring,
        _RingOfKeys,
    ),
    _cached(
        "sinks-renumbered",
        "Places in the cache are returned, not positions in the text.",
        KEPT,
        _Renumbered,
    ),
    _cached(
        "sinks-not-attended",
        "The sinks are kept, but queries do not attend to them.",
        KEPT,
        _WithoutSinks,
    ),
    _cached(
        "sinks-root-missing",
        "The scores are not divided by √d.",
        r"\frac{q \cdot k}{\sqrt{d}}",
        _Root,
    ),
    sinks_grow,
)
