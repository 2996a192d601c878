"""Check that what a worker prints goes to the right answer and that none of it is lost."""

from __future__ import annotations

import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.grading.limits import Ending, ResourceLimits
from studyattn.grading.run.conversation import Output, described

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


@pytest.mark.parametrize(("seconds", "how"), [(11.0, "timeout"), (5.0, "crashed")])
def test_the_end_of_an_endless_loop_is_told_from_a_kill(seconds: float, how: str) -> None:
    limits = ResourceLimits(seconds=5.0)
    cpu = seconds / 12 * limits.cpu_seconds
    assert described(Ending(-signal.SIGKILL, cpu), limits).how == how
