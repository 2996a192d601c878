"""Many programs sent at once: each answer, print and end belongs to the program that made it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from studyattn.grading.call_plan import ArrayInput, CallPlan, Ended, Finished
from studyattn.grading.limits import ResourceLimits
from studyattn.grading.run.conversation import KEPT, Output
from studyattn.grading.run.runner import Runner
from studyattn.grading.run.wire import harmless
from studyattn.grading.submission import Backend
from tests.grading.asking import LIMITS, call, finished, run

LARGE = ArrayInput(np.zeros(300_000), "float64")
"""More than a socket takes at once, so that both ends wait for each other's reading."""


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    with Runner(Backend.NUMPY, limits=LIMITS) as runner:
        yield runner


def numbered(count: int) -> list[CallPlan]:
    return [call(number, LARGE) for number in range(count)]


def test_large_programs_and_large_answers_cross_at_once(runner: Runner) -> None:
    outcomes = run(runner, "def f(n, x): return (n, x)", *numbered(12))
    for number, outcome in enumerate(outcomes):
        answer = finished(outcome).registers["result"]
        assert isinstance(answer, tuple)
        assert answer[0] == number


def test_an_end_belongs_to_the_program_that_caused_it(runner: Runner) -> None:
    source = (
        "import ctypes, os\n"
        "def f(n, x):\n"
        "    os.write(1, b'begun %d ' % n)\n"
        "    if n == 7: ctypes.string_at(0)\n"
        "    return n\n"
    )
    outcomes = run(runner, source, *numbered(12))
    assert [type(each) for each in outcomes] == [Finished] * 7 + [Ended] * 5
    assert outcomes[7] == Ended(
        "crashed", "its process was killed by a segmentation fault", "begun 7 "
    )
    assert [each.printed for each in outcomes[:7]] == [f"begun {n} " for n in range(7)]


def test_a_time_limit_belongs_to_the_program_that_ran_then() -> None:
    source = "def f(n):\n    print(n)\n    while n == 3: pass\n    return n\n"
    with Runner(Backend.NUMPY, limits=ResourceLimits(seconds=1.0)) as runner:
        outcomes = run(runner, source, *map(call, range(6)))
    assert [isinstance(each, Ended) for each in outcomes] == [False] * 3 + [True] * 3
    ended = outcomes[3]
    assert isinstance(ended, Ended)
    assert (ended.how, ended.printed) == ("timeout", "3\n")


def test_what_is_printed_below_python_is_told_apart_too(runner: Runner) -> None:
    source = "import os\ndef f(n):\n    os.write(n % 2 + 1, b'x' * n)\n    return n\n"
    outcomes = run(runner, source, *map(call, range(40)))
    assert [len(each.printed) for each in outcomes] == list(range(40))


def test_an_output_that_was_closed_ends_nothing(runner: Runner) -> None:
    source = "import os\ndef f(n):\n    print(n, flush=True)\n    os.close(1)\n    os.close(2)\n"
    outcomes = run(runner, source, call(1))
    assert [type(each) for each in outcomes] == [Finished]
    assert outcomes[0].printed == "1\n"


def test_what_lies_ahead_on_the_wire_holds_no_answer(runner: Runner) -> None:
    """A submission that finds the wire reads the next inputs there, and nothing else.

    It reads copies of the descriptors: to close the wire itself would end the worker first.
    """
    source = (
        "import os, socket\n"
        "def f(n, x=None):\n"
        "    found = b''\n"
        "    for number in range(3, 64):\n"
        "        try: found += os.fdopen(os.dup(number), 'rb', 0).read(1 << 20)\n"
        "        except OSError: pass\n"
        "    print(found.decode('latin-1'))\n"
    )
    many = [call(12345)] * 200  # more than the worker has taken off the wire when it calls
    outcomes = run(runner, source, call(1), *many)
    assert "12345" in outcomes[0].printed
    assert all(word not in outcomes[0].printed for word in ("expected", "tolerance", "oracle"))


@given(st.lists(st.text("ab\0", max_size=20).map(str.encode), max_size=6), st.integers(1, 40))
def test_parts_are_told_apart_however_they_arrive(parts: list[bytes], size: int) -> None:
    mark = b"\0a\0b"
    assume(all(mark not in part + mark[:-1] for part in parts))
    stream = mark.join([*parts, b""])
    output = Output(mark)
    for start in range(0, len(stream), size):
        output.add(stream[start : start + size])
    assert [output.take() for _ in parts] == [harmless(part.decode()) for part in parts]
    assert output.text == harmless(b"".join(parts).decode())


def test_of_much_both_ends_are_kept() -> None:
    output = Output(b"mark")
    for _ in range(10):
        output.add(b"x" * KEPT)
    assert len(output.take()) == KEPT
    assert f"{8 * KEPT} bytes omitted" in output.text
