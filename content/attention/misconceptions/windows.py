"""Mistakes with a window of keys."""

import numpy as np

from studyattn.grading.misconception import Misconception

from .masks import _nan_rows

FORMULA = r"i - w < j \le i"


def _places(m, n):
    """Return the positions of the queries, a column, and those of the keys."""
    return np.arange(m)[:, None] + (n - m), np.arange(n)


def _one_more(m, n, width, like):
    query, key = _places(m, n)
    return (key <= query) & (key >= query - width)


def _one_less(m, n, width, like):
    query, key = _places(m, n)
    return (key <= query) & (key > query - width + 1)


def _before_the_query(m, n, width, like):
    query, key = _places(m, n)
    return (key < query) & (key >= query - width)


def _both_sides(m, n, width, like):
    query, key = _places(m, n)
    return np.abs(key - query) < width


def _future_too(m, n, width, like):
    query, key = _places(m, n)
    return key > query - width


def _all_of_the_past(m, n, width, like):
    query, key = _places(m, n)
    return key <= query


def _queries_first(m, n, width, like):
    query, key = np.arange(m)[:, None], np.arange(n)
    return (key <= query) & (key > query - width)


def _blocks(m, n, width, like):
    query, key = _places(m, n)
    return (key <= query) & (key // width == query // width)


def _outside(m, n, width, like):
    query, key = _places(m, n)
    return key <= query - width


window_one_more = Misconception(
    id="window-one-more",
    title="The window holds one key too many: the query's own key is one of its w keys.",
    formula=FORMULA,
    concept="sliding-window",
    ways=({"window": _one_more},),
)

window_one_less = Misconception(
    id="window-one-less",
    title="The window holds one key too few: it should hold w keys, including the query's own.",
    formula=FORMULA,
    concept="sliding-window",
    ways=({"window": _one_less}, {"window": _one_less, "normalise": _nan_rows}),
)

window_without_self = Misconception(
    id="window-without-self",
    title="The window ends before the query: its own key is missing.",
    formula=FORMULA,
    concept="sliding-window",
    ways=({"window": _before_the_query}, {"window": _before_the_query, "normalise": _nan_rows}),
)

window_both_sides = Misconception(
    id="window-both-sides",
    title="The window reaches as far ahead as back: no query may see a later key.",
    formula=FORMULA,
    concept="sliding-window",
    ways=({"window": _both_sides},),
)

window_sees_ahead = Misconception(
    id="window-sees-ahead",
    title="Old keys are hidden but later keys are not: the causal mask is missing.",
    formula=FORMULA,
    concept="causal-mask",
    ways=({"window": _future_too},),
)

window_unused = Misconception(
    id="window-unused",
    title="Every query sees all of its past: the window is not used.",
    formula=FORMULA,
    concept="sliding-window",
    ways=({"window": _all_of_the_past},),
)

window_queries_first = Misconception(
    id="window-queries-first",
    title="The queries are treated as the first positions; they are the last.",
    formula=r"i = n - m, \dots, n - 1",
    concept="causal-mask",
    ways=({"window": _queries_first},),
)

window_in_blocks = Misconception(
    id="window-in-blocks",
    title="Positions are cut into blocks of w; the window moves with each query.",
    formula=FORMULA,
    concept="sliding-window",
    ways=({"window": _blocks},),
)

window_inverted = Misconception(
    id="window-inverted",
    title="The window hides the near keys and keeps the old ones.",
    formula=FORMULA,
    concept="sliding-window",
    ways=({"window": _outside}, {"window": _outside, "normalise": _nan_rows}),
)

OF_WINDOWS = (
    window_one_more,
    window_sees_ahead,
    window_one_less,
    window_queries_first,
    window_both_sides,
    window_unused,
    window_without_self,
    window_in_blocks,
    window_inverted,
)
