"""The example in view: tokens, the heads that read them, a mask; and what is switched on.

`working` tells how one number of a table comes about, with the numbers that it is made of. The
examples of `gallery.toml`, and those on which the drills open, are at the end.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from pathlib import Path
from typing import Any, Final

Rows = tuple[tuple[float, ...], ...]  # a matrix, row by row
Allowed = tuple[tuple[bool, ...], ...]  # `(m, n)`, True where the query may attend to the key

TEMPERATURES = (0.25, 0.5, 1.0, 2.0, 4.0)
"""What scores can be divided by besides √d; 1 changes nothing."""

MOST_TOKENS = 12
MOST_FEATURES = 16


class AttentionStep(StrEnum):
    """One table on the way; the value is its name."""

    X = "X"
    CONTEXT = "C"
    Q = "Q"
    K = "K"
    V = "V"
    SCORES = "scores"
    SCALED = "scaled"
    WEIGHTS = "weights"
    OUTPUT = "output"


Tables = dict[AttentionStep, Rows]  # the table of each step of one head


@dataclass(frozen=True, slots=True)
class Maps:
    """A head by what it has learned: `w_q`, `w_k` `(d_model, d)`, `w_v` `(d_model, d_v)`."""

    w_q: Rows
    w_k: Rows
    w_v: Rows

    def of(self, step: AttentionStep) -> Rows | None:
        """Return the map that makes the vectors of a step; None for other steps."""
        return {
            AttentionStep.Q: self.w_q,
            AttentionStep.K: self.w_k,
            AttentionStep.V: self.w_v,
        }.get(step)


@dataclass(frozen=True, slots=True)
class Vectors:
    """A head by what reached it: q `(m, d)`, k `(n, d)`, v `(n, d_v)` where it is known."""

    q: Rows
    k: Rows
    v: Rows | None = None


Head = Maps | Vectors


class Weighting(Enum):
    """The ways in which scores become weights."""

    SOFTMAX = "softmax"
    LINEAR = "linear"  # φ(q)·φ(k) as a share of its row, φ = elu + 1


@dataclass(frozen=True, slots=True)
class Mask:
    """The keys that a query may see. Without `allowed`: those that do not come later."""

    name: str
    allowed: Allowed | None = None


CAUSAL = Mask("causal mask")


@dataclass(frozen=True, slots=True)
class AttentionExample:
    """m queries and n keys by name, and the heads that compare them.

    Heads that are `Maps` read `x` `(m, d_model)`, and for keys and values `context`
    `(n, d_model)`, which is `x` itself in self-attention: then it is None.
    """

    title: str
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    heads: tuple[Head, ...]
    x: Rows | None = None
    context: Rows | None = None
    mask: Mask = CAUSAL
    weighting: Weighting = Weighting.SOFTMAX
    about: str = ""  # what to look for, in a sentence
    printed: bool = False  # True if a source prints tables of it, with which ours can be compared

    @property
    def steps(self) -> tuple[AttentionStep, ...]:
        missing: set[AttentionStep] = set()
        if self.x is None:
            missing.add(AttentionStep.X)
        if self.context is None:
            missing.add(AttentionStep.CONTEXT)
        if self.weighting is Weighting.LINEAR:
            missing.add(AttentionStep.SCALED)
        if any(isinstance(head, Vectors) and head.v is None for head in self.heads):
            missing |= {AttentionStep.V, AttentionStep.OUTPUT}
        return tuple(step for step in AttentionStep if step not in missing)

    def width(self, head: int) -> int:
        """d, the width of that head's queries and keys."""
        chosen = self.heads[head]
        return len((chosen.w_q if isinstance(chosen, Maps) else chosen.q)[0])


@dataclass(frozen=True, slots=True)
class AttentionView:
    """The switches of the view: mask, scale, temperature."""

    masked: bool = False
    scaled: bool = True
    temperature: float = 1.0

    @property
    def is_plain(self) -> bool:
        """True for attention as textbooks first define it: scaled, without a mask."""
        return self == AttentionView()


_MOST_TERMS = 6
_PLAIN = 6.0  # scores up to which exponentials are told as they are


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
    if isinstance(chosen, Maps) and (learned := chosen.of(step)) is not None:
        tokens = found[AttentionStep.X]
        if step is not AttentionStep.Q:
            tokens = found.get(AttentionStep.CONTEXT, tokens)
        return _products(tokens[row], _column(learned, column), value)
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


@dataclass(frozen=True, slots=True)
class Opening:
    """An example and the switches and step that the view begins with."""

    example: AttentionExample
    view: AttentionView = field(default_factory=AttentionView)
    step: AttentionStep = AttentionStep.WEIGHTS


def _rows(text: str) -> Rows:
    return tuple(tuple(map(float, row.split())) for row in text.split("/"))


def _example(told: Mapping[str, Any], matrices: Mapping[str, str]) -> AttentionExample:
    queries = tuple(told["queries"].split())
    heads = (each.split() for each in told["heads"])
    mask = CAUSAL
    if "mask" in told:
        name, allowed = told["mask"]
        mask = Mask(name, tuple(tuple(map(bool, row)) for row in _rows(allowed)))
    return AttentionExample(
        title=told["title"],
        queries=queries,
        keys=tuple(told["keys"].split()) if "keys" in told else queries,
        heads=tuple(Maps(*(_rows(matrices[name]) for name in head)) for head in heads),
        x=_rows(told["x"]),
        context=_rows(told["context"]) if "context" in told else None,
        mask=mask,
        weighting=Weighting(told.get("weighting", "softmax")),
        about=told["about"],
        printed=told.get("printed", False),
    )


def _read() -> tuple[dict[str, AttentionExample], dict[str, Opening]]:
    """Read the examples by their names, and the openings by drill."""
    found = tomllib.loads(Path(__file__).with_name("gallery.toml").read_text("utf-8"))
    matrices, examples, openings = found.pop("matrices"), {}, {}
    for name, own in found.items():
        told = {**found.get(own.get("like", ""), {}), **own}
        example = examples[name] = _example(told, matrices)
        for step, drills in own.get("drills", {}).items():
            masked = step == "masked"
            shown = AttentionStep.WEIGHTS if masked else AttentionStep(step)
            opening = Opening(example, AttentionView(masked=masked), shown)
            openings.update(dict.fromkeys(drills.split(), opening))
    return examples, openings


EXAMPLES, _OPENINGS = _read()
SLIDES: Final = EXAMPLES["slides"]
WELCOME: Final = EXAMPLES["welcome"]
"""The example of a first start: a head that follows grammar, with the causal mask."""

GALLERY: Final = tuple(each for name, each in EXAMPLES.items() if name != "one_query")
"""In the order in which the view goes through them."""


def opening_of(drill: str) -> Opening | None:
    """Return the opening for a drill; None where it has no pattern to see."""
    return _OPENINGS.get(drill)
