"""What is looked at: tokens, the heads that read them, a mask; and what is switched on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, StrEnum

Rows = tuple[tuple[float, ...], ...]
"""A matrix, row by row."""

Allowed = tuple[tuple[bool, ...], ...]
"""`(m, n)`, True where the query may attend to the key."""

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


Tables = dict[AttentionStep, Rows]
"""The table of each step of one head."""


@dataclass(frozen=True, slots=True)
class Maps:
    """A head by what it has learned: `w_q`, `w_k` `(d_model, d)`, `w_v` `(d_model, d_v)`."""

    w_q: Rows
    w_k: Rows
    w_v: Rows


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
    LINEAR = "linear"
    """φ(q)·φ(k) as a share of its row, φ = elu + 1."""


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
    about: str = ""
    """What to look for, in a sentence."""
    printed: bool = False
    """True if a source prints tables of it, with which ours can be compared."""

    @property
    def steps(self) -> tuple[AttentionStep, ...]:
        """The tables that there are."""
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


def rows(*lines: Sequence[float]) -> Rows:
    """Numbers as a matrix."""
    return tuple(tuple(float(entry) for entry in line) for line in lines)
