"""The examples that the view knows, and which of them a drill opens with.

Tokens are written as what they are and at which place, one number for each word and each place,
so that it can be seen in the maps what a head looks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from studyattn.tui.attention_view.example import (
    AttentionExample,
    AttentionStep,
    AttentionView,
    Maps,
    Mask,
    Rows,
    Weighting,
    rows,
)


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
    "dot-product": Opening(ONE_QUERY, step=AttentionStep.SCORES),
    "weighted-sum": Opening(ONE_QUERY, step=AttentionStep.OUTPUT),
    "softmax": Opening(SLIDES),
    "project-qkv": Opening(SLIDES, step=AttentionStep.Q),
    "single-query": Opening(ONE_QUERY),
    "attention": Opening(HEADS),
    "masked-attention": Opening(WINDOW, _MASKED),
    "causal-attention": Opening(HEADS, _MASKED),
    "sliding-window": Opening(WINDOW, _MASKED),
    "alibi": Opening(HEADS, _MASKED),
    "padded-attention": Opening(PADDED, _MASKED),
    "split-heads": Opening(HEADS),
    "multi-head-attention": Opening(HEADS),
    "induction-by-hand": Opening(HEADS, _MASKED),
    "output-projection": Opening(HEADS, step=AttentionStep.OUTPUT),
    "cross-attention": Opening(CROSS, _MASKED),
    "kv-cache": Opening(DECODING, _MASKED),
    "grouped-query": Opening(GROUPED, _MASKED),
    "sdpa-call": Opening(GROUPED, _MASKED),
    "linear-attention": Opening(LINEAR),
    "causal-linear-attention": Opening(LINEAR, _MASKED),
    "flash-attention": Opening(HEADS),
    "attention-backward": Opening(HEADS),
    "worked-example": Opening(SLIDES, step=AttentionStep.X),
}


def opening_of(drill: str) -> Opening | None:
    """Return the opening for a drill; None where it has no pattern to see."""
    return _DRILLS.get(drill)


def named(example: AttentionExample) -> AttentionExample:
    """The gallery's example of the same numbers, which knows its tokens' names; else the given."""
    same = (each for each in GALLERY if (each.x, each.heads) == (example.x, example.heads))
    return next(same, example)
