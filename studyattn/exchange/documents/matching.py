"""Match texts that say the same thing again: questions of one source, names of one idea.

Pure. The guid of a question comes from its source and its normalised words, so another numbering,
other marks and other case are the same question; a reworded one is recognised by likeness.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final, Generic, TypeVar

LIKE_ENOUGH: Final = 0.6
"""Likeness from which a changed question is taken for the same one."""
SAME_IDEA: Final = 0.6
"""Share of common words from which two concepts are proposed as one."""
MOST_COMPARISONS: Final = 200_000
"""Pairs of changed texts that are compared in one document; more are told apart by place alone."""

_STOPWORDS: Final = frozenset(
    {"a", "an", "and", "are", "as", "at", "by", "for", "from", "how", "in", "is", "it", "of", "on"}
    | {"or", "that", "the", "their", "this", "to", "what", "why", "with"}
)
_ENDINGS: Final = ("ing", "ed", "es", "s")

Old = TypeVar("Old", bound=Hashable)


def digest(*parts: str) -> str:
    """SHA-256 of texts, in hexadecimal."""
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()


def normalised(text: str) -> str:
    """The words alone: no case, no marks, no punctuation, one space between two."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = re.findall(r"[^\W_]+", folded)
    return " ".join(words) or folded.strip()


def slug_of(title: str, taken: Iterable[str] = ()) -> str:
    """A name for addresses and commands, that is not among `taken`."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().casefold()
    slug = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:60].rstrip("-")
    return unused(slug or f"concept-{digest(title)[:8]}", taken)


def unused(name: str, taken: Iterable[str]) -> str:
    """The name, with a number if it is taken."""
    known = taken if isinstance(taken, set | frozenset | dict) else set(taken)
    count = 2
    free = name
    while free in known:
        free, count = f"{name}-{count}", count + 1
    return free


def likeness(one: str, other: str) -> float:
    """Return how alike two texts are, from 0 to 1, by words and then by letters."""
    first, second = normalised(one), normalised(other)
    words = _share(set(first.split()), set(second.split()))
    matcher = SequenceMatcher(None, first, second, autojunk=False)
    if matcher.quick_ratio() < LIKE_ENOUGH and words < LIKE_ENOUGH:
        return words
    return max(words, matcher.ratio())


def same_idea(one: str, other: str) -> float:
    """Return how much two names of concepts share, from 0 to 1: multi-headed is multi-head."""
    return _share(_stems(one), _stems(other))


@dataclass(frozen=True, slots=True)
class TitledText:
    """The texts by which a thing is recognised: its own words, and what belongs to them."""

    words: str
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Matches(Generic[Old]):
    """The old item that each new text belongs to, if any, and the old items that are gone."""

    old_of: Mapping[int, Old]
    gone: tuple[Old, ...]


def match(old: Mapping[Old, TitledText], new: Sequence[TitledText]) -> Matches[Old]:
    """Pair the texts of two versions of one document, each at most once.

    First the same words, then the same rest (a reworded question keeps its answer), then the
    likest pairs.
    """
    pairs: dict[int, Old] = {}
    free = dict(old)
    for key in (lambda text: normalised(text.words), lambda text: text.rest.strip()):
        by_key: dict[str, list[Old]] = defaultdict(list)
        for each, text in free.items():
            by_key[key(text)].append(each)
        for index, text in enumerate(new):
            waiting = by_key.get(key(text))
            if index not in pairs and key(text) and waiting:
                pairs[index] = waiting.pop(0)
                del free[pairs[index]]
    open_places = [index for index in range(len(new)) if index not in pairs]
    if len(free) * len(open_places) <= MOST_COMPARISONS:
        _match_likest(free, [(index, new[index]) for index in open_places], pairs)
    return Matches(pairs, tuple(free))


def _match_likest(
    free: dict[Old, TitledText], new: list[tuple[int, TitledText]], pairs: dict[int, Old]
) -> None:
    scores = [
        (score, index, each)
        for index, text in new
        for each, old in free.items()
        if (score := likeness(old.words, text.words)) >= LIKE_ENOUGH
    ]
    for _, index, each in sorted(scores, key=lambda entry: -entry[0]):
        if index not in pairs and each in free:
            pairs[index] = each
            del free[each]


def _share(one: AbstractSet[str], other: AbstractSet[str]) -> float:
    return len(one & other) / len(one | other) if one and other else 0.0


@lru_cache(maxsize=4096)
def _stems(text: str) -> frozenset[str]:
    return frozenset({_stem(word) for word in normalised(text).split() if word not in _STOPWORDS})


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word.removesuffix(ending)
    return word
