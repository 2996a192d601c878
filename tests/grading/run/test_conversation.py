"""Check that what a worker prints goes to the right answer and that none of it is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from studyattn.grading.run.conversation import Output

MARK = b"\nab"

pieces = st.sampled_from([b"a", b"b", b"here\n", b"\na", b"\n\n"])
texts = st.lists(pieces, max_size=6).map(b"".join).filter(lambda text: MARK not in text)


@given(st.lists(texts, max_size=4), texts, st.integers(1, 5))
def test_each_answer_gets_what_was_printed_for_it(
    answered: list[bytes], unanswered: bytes, size: int
) -> None:
    stream = b"".join(text + MARK for text in answered) + unanswered
    output = Output(MARK)
    for start in range(0, len(stream), size):
        output.add(stream[start : start + size])
    assert output.text.encode() == b"".join(answered) + unanswered
    assert [output.take().encode() for _ in answered] == answered
    assert output.take().encode() == unanswered, "what only began like a mark is text"
    assert output.take() == ""
