"""Mistakes in merging pairs of tokens."""

from collections import Counter

from studyattn.attention.byte_pairs import places
from studyattn.grading.misconception import Misconception

CONCEPT = "byte-pairs"
MERGE = r"a \, b \rightarrow \text{new}"
COUNT = r"\text{argmax} \; \text{count}(a, b)"


def _everywhere(tokens, pair):
    """Each place where the pair begins, also inside another one."""
    return [at for at in range(len(tokens) - 1) if (tokens[at], tokens[at + 1]) == pair]


def _in_any_order(tokens, pair):
    found = []
    for at in range(len(tokens) - 1):
        free = not found or found[-1] < at - 1
        if free and (tokens[at], tokens[at + 1]) in {pair, pair[::-1]}:
            found.append(at)
    return found


def _from_the_right(tokens, pair):
    last = len(tokens) - 2
    return sorted(last - at for at in places(tokens[::-1], pair[::-1]))


def _only_the_first(tokens, pair):
    return places(tokens, pair)[:1]


def _disjoint_blocks(tokens, pair):
    return [at for at in _everywhere(tokens, pair) if at % 2 == 0]


def _not_the_last(tokens, pair):
    return [at for at in places(tokens, pair) if at < len(tokens) - 2]


def _second_kept(tokens, found, new):
    begins = set(found)
    return [new if at in begins else token for at, token in enumerate(tokens)]


def _both_kept(tokens, found, new):
    merged = []
    for at, token in enumerate(tokens):
        merged += [new, token] if at in set(found) else [token]
    return merged


def _removed(tokens, found, new):
    taken = {place for at in found for place in (at, at + 1)}
    return [token for at, token in enumerate(tokens) if at not in taken]


def _new_twice(tokens, found, new):
    taken = {place for at in found for place in (at, at + 1)}
    return [new if at in taken else token for at, token in enumerate(tokens)]


def _last_of_equals(counts):
    most = max(counts.values())
    return [pair for pair in counts if counts[pair] == most][-1]


def _smallest_of_equals(counts):
    most = max(counts.values())
    return min(pair for pair in counts if counts[pair] == most)


def _largest_of_equals(counts):
    most = max(counts.values())
    return max(pair for pair in counts if counts[pair] == most)


def _two_frequent_tokens(tokens):
    (first, _), *rest = Counter(tokens.tolist()).most_common(2)
    return first, rest[0][0] if rest else first


pair_counted_overlapping = Misconception(
    id="pair-counted-overlapping",
    title="Overlapping pairs of equal tokens are counted: three in a row contain one pair.",
    formula=COUNT,
    concept=CONCEPT,
    ways=({"count": _everywhere},),
)

pair_counted_in_blocks = Misconception(
    id="pair-counted-in-blocks",
    title="The text is cut into blocks of two; every token and its successor form a pair.",
    formula=COUNT,
    concept=CONCEPT,
    ways=({"count": _disjoint_blocks}, {"find": _disjoint_blocks}),
)

pair_of_equals = Misconception(
    id="pair-of-equals",
    title="Among equally frequent pairs, the first in the text should win; another one does.",
    formula=COUNT,
    concept=CONCEPT,
    ways=(
        {"pick": _last_of_equals},
        {"pick": _smallest_of_equals},
        {"pick": _largest_of_equals},
    ),
)

pair_of_frequent_tokens = Misconception(
    id="pair-of-frequent-tokens",
    title="The pair that is taken is not the most frequent one of adjacent tokens.",
    formula=COUNT,
    concept=CONCEPT,
    ways=(
        {"most_frequent_pair": _two_frequent_tokens},
        {"pick": lambda counts: min(counts, key=lambda pair: counts[pair])},
    ),
)

merge_overlaps = Misconception(
    id="merge-overlaps",
    title="A token is merged twice: in three equal tokens, both overlapping pairs are replaced.",
    formula=MERGE,
    concept=CONCEPT,
    ways=({"find": _everywhere},),
)

merge_from_the_right = Misconception(
    id="merge-from-the-right",
    title="The merge goes from right to left.",
    formula=MERGE,
    concept=CONCEPT,
    ways=({"find": _from_the_right},),
)

merge_first_only = Misconception(
    id="merge-first-only",
    title="Some occurrences of the pair are not merged; every one should be.",
    formula=MERGE,
    concept=CONCEPT,
    ways=({"find": _only_the_first}, {"find": _not_the_last}),
)

merge_second_kept = Misconception(
    id="merge-second-kept",
    title="A pair should become one new token; here it becomes several, or none.",
    formula=MERGE,
    concept=CONCEPT,
    ways=(
        {"replace": _second_kept},
        {"replace": _second_kept, "find": _everywhere},
        {"replace": _new_twice},
        {"replace": _both_kept},
        {"replace": _removed},
    ),
)

merge_any_order = Misconception(
    id="merge-any-order",
    title="The pair is merged in both orders; only the given order should be.",
    formula=MERGE,
    concept=CONCEPT,
    ways=({"find": _in_any_order},),
)

OF_MERGES = (
    pair_counted_overlapping,
    pair_of_equals,
    merge_overlaps,
    merge_second_kept,
    merge_first_only,
    merge_from_the_right,
    merge_any_order,
    pair_counted_in_blocks,
    pair_of_frequent_tokens,
)
