"""The origin of one number of a table, written out with the numbers that it is made of."""

from __future__ import annotations

import math
from dataclasses import dataclass

from studyattn.tui.attention_view.example import (
    AttentionExample,
    AttentionStep,
    AttentionView,
    Maps,
    Rows,
    Tables,
    Weighting,
)

_MOST_TERMS = 6

_PLAIN = 6.0
"""Scores up to which exponentials are told as they are."""


@dataclass(frozen=True, slots=True)
class NumberOrigin:
    """One number of a table; row and column from 0."""

    step: AttentionStep
    row: int = 0
    column: int = 0


def working(
    example: AttentionExample, head: int, view: AttentionView, found: Tables, entry: NumberOrigin
) -> str:
    """One line, such as `1·1 + 0.5·0 + 0.2·1 = 1.2`; empty for what is given."""
    step, row, column = entry.step, entry.row, entry.column
    value = found[step][row][column]
    chosen = example.heads[head]
    if step in (AttentionStep.Q, AttentionStep.K, AttentionStep.V) and isinstance(chosen, Maps):
        source = found[
            AttentionStep.X
            if step is AttentionStep.Q or AttentionStep.CONTEXT not in found
            else AttentionStep.CONTEXT
        ]
        maps = {
            AttentionStep.Q: chosen.w_q,
            AttentionStep.K: chosen.w_k,
            AttentionStep.V: chosen.w_v,
        }
        return _products(source[row], _column(maps[step], column), value)
    if step is AttentionStep.SCORES and example.weighting is Weighting.SOFTMAX:
        return _products(found[AttentionStep.Q][row], found[AttentionStep.K][column], value)
    if step is AttentionStep.SCALED:
        return _scaled(example, head, view, found[AttentionStep.SCORES][row][column], value)
    if step is AttentionStep.WEIGHTS:
        return _share(example, found, row, column)
    if step is AttentionStep.OUTPUT:
        return _products(
            found[AttentionStep.WEIGHTS][row], _column(found[AttentionStep.V], column), value
        )
    return ""


def _products(one: tuple[float, ...], other: tuple[float, ...], value: float) -> str:
    """The sum of products; terms of zero are left out where there are many."""
    pairs = list(zip(one, other, strict=True))
    if len(pairs) > _MOST_TERMS:
        pairs = [(x, y) for x, y in pairs if x and y]
    terms = [f"{_number(x)}·{_number(y)}" for x, y in pairs[:_MOST_TERMS]]
    if len(pairs) > _MOST_TERMS:
        terms.append("…")
    return f"{' + '.join(terms) or '0'} = {_number(value)}"


def _scaled(
    example: AttentionExample, head: int, view: AttentionView, score: float, value: float
) -> str:
    if math.isinf(value):
        return f"{_number(score)} is forbidden: −∞"
    width, parts = example.width(head), [_number(score)]
    parts += [f"√{width}"] if view.scaled else []
    parts += [f"{view.temperature:g}"] if view.temperature != 1 else []
    return f"{' / '.join(parts)} = {_number(value)}" if len(parts) > 1 else ""


def _share(example: AttentionExample, found: Tables, row: int, column: int) -> str:
    value = found[AttentionStep.WEIGHTS][row][column]
    if example.weighting is Weighting.LINEAR:
        scores = found[AttentionStep.SCORES][row]
        return f"{_number(scores[column])} / {_number(math.fsum(scores))} = {_number(value)}"
    scores = found[AttentionStep.SCALED][row]
    if all(math.isinf(score) for score in scores):
        return "all keys are forbidden, so the result is 0"
    sizes = [math.exp(score - max(scores)) for score in scores]  # as softmax does: none overflows
    total = math.fsum(sizes)
    if max(scores) > _PLAIN:
        peak = _number(max(scores))
        return (
            f"e^({_number(scores[column])} − {peak}) / Σ = "
            f"{_number(sizes[column])} / {_number(total)} = {_number(value)}"
        )
    plain = math.exp(max(scores))
    return (
        f"e^{_number(scores[column])} / Σ = {_number(sizes[column] * plain)} / "
        f"{_number(total * plain)} = {_number(value)}"
    )


def _column(table: Rows, column: int) -> tuple[float, ...]:
    return tuple(row[column] for row in table)


def _number(value: float) -> str:
    """Return the number with at most three decimals, as a learner would write it."""
    if math.isinf(value):
        return "∞" if value > 0 else "(−∞)"
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    text = "0" if text in {"-0", ""} else text
    return f"({text.replace('-', '−')})" if value < 0 and text != "0" else text
