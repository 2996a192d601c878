"""What is looked at: tokens, the heads that read them, a mask; and what is switched on.

`working` tells how one number of a table comes about, with the numbers that it is made of.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
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


SLIDES = AttentionExample(
    title="One head: I love apple phones",
    queries=("I", "love", "apple", "phones"),
    keys=("I", "love", "apple", "phones"),
    x=rows([1, 0.5, 0.2, 0.1], [0.9, 1.1, 0.1, 0], [0.1, 0.2, 1, 0.5], [0, 0.1, 0.4, 1.2]),
    heads=(
        Maps(
            w_q=rows([1, 0], [0, 1], [1, 0], [0, 1]),
            w_k=rows([1, 0], [0, 1], [0, 1], [1, 0]),
            w_v=rows([1, 0], [0, 1], [1, 1], [0, 1]),
        ),
    ),
    about="From the slides “Self-Attention in Transformer”; every number is computed here.",
    printed=True,
)

_TOKENS = ("the", "cat", "saw", "the", "dog")
_WORDS = ("the", "cat", "saw", "dog")
_SIZE = 2.5
"""Entries of queries and keys: large enough that the patterns are plain to see."""


def _told(tokens: Sequence[str], words: Sequence[str] = _WORDS) -> Rows:
    """`(n, words + places)`: a 1 for the word, a 1 for the place."""
    places = len(_TOKENS)
    return rows(
        *(
            [float(token == word) for word in words]
            + [float(at == place) for place in range(places)]
            for at, token in enumerate(tokens)
        )
    )


def _map(columns: int, first: int, size: float, back: int = 0) -> Rows:
    """Takes `columns` entries from `first` on; `back`: as if the token stood that far before."""
    height = len(_WORDS) + len(_TOKENS)
    return rows(
        *(
            [size * (row - first - back == column) for column in range(columns)]
            if row >= first
            else [0.0] * columns
            for row in range(height)
        )
    )


_WORD = _map(len(_WORDS), 0, _SIZE)
_PLACE = _map(len(_TOKENS), len(_WORDS), _SIZE)
_BEFORE = _map(len(_TOKENS), len(_WORDS), _SIZE, back=1)
_VALUE = _map(len(_WORDS), 0, 1.0)
_SAME_WORD = Maps(_WORD, _WORD, _VALUE)
_ONE_BACK = Maps(_BEFORE, _PLACE, _VALUE)

HEADS = AttentionExample(
    title="Two heads: the cat saw the dog",
    queries=_TOKENS,
    keys=_TOKENS,
    x=_told(_TOKENS),
    heads=(_SAME_WORD, _ONE_BACK),
    about="Head 1 looks for the same word, head 2 one position back.",
)

_NEAR = tuple(
    tuple(abs(query - key) <= 1 and query != 2 for key in range(len(_TOKENS)))
    for query in range(len(_TOKENS))
)
WINDOW = replace(
    HEADS,
    title="A given mask",
    mask=Mask("given mask", _NEAR),
    about="Each token may see its neighbors; “saw” may see nothing, so its row is zeros.",
)

_PADDED = (*_TOKENS[:3], "–", "–")
PADDED = replace(
    HEADS,
    title="Two tokens of padding",
    queries=_PADDED,
    keys=_PADDED,
    x=_told(_PADDED),
    mask=Mask("padding mask", tuple((True, True, True, False, False) for _ in _PADDED)),
    about="No query may see the padding. Padding has queries too, but their results are ignored.",
)

_GERMAN, _ENGLISH = ("die", "Katze", "sah"), ("the", "cat", "saw", "–")
CROSS = AttentionExample(
    title="Cross-attention: die Katze sah",
    queries=_GERMAN,
    keys=_ENGLISH,
    x=_told(_ENGLISH[:3]),  # a word and its translation have one meaning
    context=_told(_ENGLISH),
    heads=(_SAME_WORD,),
    mask=Mask("padding mask", tuple((True, True, True, False) for _ in _GERMAN)),
    about="Queries come from one sequence, keys and values from the other.",
)

DECODING = replace(
    HEADS,
    title="Decoding: the new token asks the cache",
    queries=_TOKENS[-2:],
    x=_told(_TOKENS)[-2:],
    context=_told(_TOKENS),
    about="Two new queries, five keys: the queries are the last positions, also in the mask.",
)
ONE_QUERY = replace(
    HEADS,
    title="One query",
    queries=_TOKENS[-2:-1],
    x=_told(_TOKENS)[-2:-1],
    context=_told(_TOKENS),
    mask=Mask("causal mask", ((True, True, True, True, False),)),
    about="One row of weights: the fourth token, “the”, asks all five.",
)

_MILD = _map(len(_WORDS), 0, _SIZE / 3)
GROUPED = replace(
    HEADS,
    title="Four query heads, two key heads",
    heads=(
        _SAME_WORD,
        replace(_SAME_WORD, w_q=_MILD),
        _ONE_BACK,
        replace(_ONE_BACK, w_q=_PLACE),
    ),
    about="Heads 1 and 2 share keys and values, and so do 3 and 4; each head has its own queries.",
)
LINEAR = replace(
    HEADS,
    title="Linear attention",
    weighting=Weighting.LINEAR,
    about="Shares of φ(q)·φ(k), φ = elu + 1: it cannot focus as sharply as a softmax.",
)

_KINDS = 6  # of words: article, noun, verb, joining, pronoun, describing
_SEEN = _map(_KINDS, 0, 2.7)[:_KINDS]


def _of_kinds(*kinds: int) -> Rows:
    """`(n, 6)`: a 1 for the kind of each word."""
    return rows(*([float(kind == each) for each in range(_KINDS)] for kind in kinds))


WELCOME = AttentionExample(
    title="One head: the cat sat as it was ill",
    queries=("the", "cat", "sat", "as", "it", "was", "ill"),
    keys=("the", "cat", "sat", "as", "it", "was", "ill"),
    x=_of_kinds(0, 1, 2, 3, 4, 2, 5),
    heads=(
        Maps(
            # By kind, what a word looks for: a noun its article, a verb who does it, and so on.
            w_q=rows(
                [1, 0, 0, 0, 0, 0],
                [2, 0, 0, 0, 0, 0],
                [0, 2.7, 0, 0, 2.7, 0],
                [0, 0, 2.2, 0, 0, 0],
                [0, 3, 0, 0, 0, 0],
                [0, 1.6, 1, 0, 2, 0],
            ),
            w_k=_SEEN,
            w_v=_SEEN,
        ),
    ),
    about="Each word looks for the earlier words that it belongs to: “it” finds “cat”.",
)
"""What a first start shows: a head that follows grammar, with the causal mask."""

GALLERY = (SLIDES, HEADS, WINDOW, PADDED, CROSS, DECODING, GROUPED, LINEAR, WELCOME)
"""In the order in which the view goes through them."""

_MASKED = AttentionView(masked=True)
_DRILLS: Mapping[str, Opening] = {
    drill: opening
    for drills, opening in (
        ("dot-product", Opening(ONE_QUERY, step=AttentionStep.SCORES)),
        ("weighted-sum", Opening(ONE_QUERY, step=AttentionStep.OUTPUT)),
        ("single-query", Opening(ONE_QUERY)),
        ("worked-example", Opening(SLIDES, step=AttentionStep.X)),
        ("project-qkv", Opening(SLIDES, step=AttentionStep.Q)),
        ("softmax", Opening(SLIDES)),
        ("output-projection", Opening(HEADS, step=AttentionStep.OUTPUT)),
        ("attention split-heads multi-head-attention", Opening(HEADS)),
        ("flash-attention attention-backward", Opening(HEADS)),
        ("causal-attention alibi induction-by-hand", Opening(HEADS, _MASKED)),
        ("masked-attention sliding-window", Opening(WINDOW, _MASKED)),
        ("padded-attention", Opening(PADDED, _MASKED)),
        ("cross-attention", Opening(CROSS, _MASKED)),
        ("kv-cache", Opening(DECODING, _MASKED)),
        ("grouped-query sdpa-call", Opening(GROUPED, _MASKED)),
        ("linear-attention", Opening(LINEAR)),
        ("causal-linear-attention", Opening(LINEAR, _MASKED)),
    )
    for drill in drills.split()
}


def opening_of(drill: str) -> Opening | None:
    """Return the opening for a drill; None where it has no pattern to see."""
    return _DRILLS.get(drill)
