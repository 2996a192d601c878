"""The queue of a session: its order and its counts by kind."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from studyattn.study.review.session import ItemQueue
from studyattn.study.review.views import QueuePart

GUIDS = st.sampled_from("abcdef")
STEPS = st.lists(
    st.tuples(st.sampled_from(("put", "take", "discard")), GUIDS, st.sampled_from(QueuePart))
)


@given(st.dictionaries(GUIDS, st.sampled_from(QueuePart)), STEPS)
def test_order_and_counts_are_those_of_a_plain_list(
    begun: dict[str, QueuePart], steps: list[tuple[str, str, QueuePart]]
) -> None:
    queue = ItemQueue(begun.items())
    plain = list(begun.items())
    for what, guid, kind in steps:
        if what == "put" and guid not in queue:
            queue.put_first(guid, kind)
            plain.insert(0, (guid, kind))
        elif what == "take" and plain:
            assert queue.take_first() == plain.pop(0)[0]
        elif what == "discard":
            queue.discard(guid)
            plain = [each for each in plain if each[0] != guid]
        assert {each: queue.left[each] for each in QueuePart} == {
            each: Counter(kind for _, kind in plain)[each] for each in QueuePart
        }
        assert (len(queue), guid in queue) == (len(plain), guid in dict(plain))
