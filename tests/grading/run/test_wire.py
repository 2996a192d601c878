"""Frames and what they mean, both as we write them and as a stranger might."""

from __future__ import annotations

import contextlib
import json
import os
import struct
import threading
from collections.abc import Callable
from typing import Any, BinaryIO

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from studyattn.grading.call_plan import (
    ArrayInput,
    ArrayOutput,
    Backward,
    Call,
    CallPlan,
    Finished,
    Invalid,
    Layout,
    OtherOutput,
    Outcome,
    Raised,
    Register,
    Usage,
)
from studyattn.grading.run import codec, wire
from studyattn.grading.run.wire import Frame, MalformedError


def through_bytes(frame: Frame, unpack: Callable[[bytes, bytes], Frame] = wire.unpack) -> Frame:
    packed = wire.pack(frame)
    header, body = wire.measure(packed[: wire.PREFIX.size], most=1 << 20)
    rest = packed[wire.PREFIX.size :]
    assert len(rest) == header + body
    return unpack(rest[:header], rest[header:])


def claimed(header: object, arrays: object = ()) -> Outcome:
    """What a worker claims that writes this header."""
    return codec.decode_outcome(codec.read_answer(json.dumps([arrays, header]).encode(), b""))


shapes = st.lists(st.integers(0, 4), max_size=4).map(tuple)
arrays = st.tuples(st.sampled_from(sorted(wire.DTYPES)), shapes).map(
    lambda drawn: np.arange(np.prod(drawn[1], dtype=int)).astype(drawn[0]).reshape(drawn[1])
)


@given(st.lists(arrays, max_size=5))
def test_arrays_cross_exactly(drawn: list[Any]) -> None:
    arrived = through_bytes(Frame({"kind": "x"}, tuple(drawn))).arrays
    assert len(arrived) == len(drawn)
    for here, there in zip(arrived, drawn, strict=True):
        assert here.dtype == there.dtype
        assert here.shape == there.shape
        assert here.tobytes() == there.tobytes()


def test_an_array_that_lies_oddly_crosses_by_its_elements() -> None:
    array = np.arange(24.0).reshape(2, 3, 4)[:, ::-1, ::2].swapaxes(0, 2)
    assert np.array_equal(through_bytes(Frame({}, (array,))).arrays[0], array)


def test_a_program_crosses() -> None:
    values = ArrayInput(np.eye(2), "float32", Layout.STRIDED, requires_grad=True)
    program = CallPlan(
        steps=(
            Call("make", (values, 3, None, True, 1.5), {"mask": values}, into="cache"),
            Call("fill", (float("inf"), float("-inf"), float("nan"))),
            Call("()", (Register("cache", 1),), on="cache", measured=True),
            Call("()", (3,), on="cache", timed=True),
            Backward("result", values, index=2),
        ),
        returns=("result", "gradients"),
        check_inputs=False,
        max_elements=9,
    )
    arrived = codec.decode_program(through_bytes(codec.encode_program(program)))
    assert repr(arrived) == repr(program)


def test_scalars_of_numpy_cross_as_numbers_of_python() -> None:
    program = CallPlan((Call("f", (np.float64(0.5), np.int64(3))),))  # type: ignore[arg-type]  # what a drill may write
    arrived = codec.decode_program(through_bytes(codec.encode_program(program)))
    assert repr(arrived.calls[0].args) == "(0.5, 3)"


@pytest.mark.parametrize(
    "outcome",
    [
        Raised("ValueError", "no", 3, 1),
        Raised("ForbiddenError", "no", None, 0, forbidden="softmax"),
        Invalid("no entry", 2),
        Finished({"a": (1, None, True, 2.5, "text", OtherOutput("dict", "a dictionary"))}),
        Finished({"a": 10**30, "b": float("inf"), "c": (float("nan"), float("-inf"))}),
        Finished({"a": 10**30}, ("0.1",), ("result",), Usage(12, 3)),
        Finished({"a": ArrayOutput(np.ones((2, 1)), "float16", "cpu", "torch.Tensor")}),
        Finished({}, seconds=0.25),
    ],
)
def test_an_outcome_crosses(outcome: Finished | Raised | Invalid) -> None:
    frame = through_bytes(codec.encode_outcome(outcome), codec.read_answer)
    arrived = codec.decode_outcome(frame)
    assert repr(arrived) == repr(outcome)


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_any_bytes_are_a_frame_or_malformed(header: bytes, body: bytes) -> None:
    with contextlib.suppress(MalformedError):
        codec.decode_outcome(codec.read_answer(header, body))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=20,
)
fields = st.sampled_from(
    [
        *("registers", "changed", "overwritten", "usage", "seconds", "type_name"),
        *("message", "line", "step"),
        "forbidden",
    ]
)


@given(
    st.sampled_from(["finished", "raised", "invalid", "loaded", 3]),
    st.dictionaries(fields, anything),
)
def test_any_header_is_an_outcome_or_malformed(kind: object, header: dict[str, Any]) -> None:
    try:
        outcome = claimed({**header, "kind": kind})
    except MalformedError:
        return
    assert isinstance(outcome, Finished | Raised | Invalid)


@pytest.mark.parametrize(
    "arrays",
    [
        None,
        {},
        [["float32"]],
        [["float32", [-1]]],
        [["float32", [1 << 60]]],
        [["float32", [2]]],  # longer than its bytes
        [["float32", [True]]],
        [["float32", ["1"]]],
        [["object", [1]]],
        [["<f4", [1]]],
        [["float32", [1] * 40]],
        [["float32", []], ["float32", []]],
        [["int8", []]],  # shorter than its bytes
    ],
)
def test_arrays_that_are_none_are_malformed(arrays: object) -> None:
    for unpack in (wire.unpack, codec.read_answer):
        with pytest.raises(MalformedError):
            unpack(json.dumps([arrays, finished({})]).encode(), bytes(4))


@pytest.mark.parametrize("sizes", [(1 << 21, 0), (10, 1 << 40), (0xFFFFFFFF, (1 << 64) - 1)])
def test_sizes_are_checked_before_anything_is_read(sizes: tuple[int, int]) -> None:
    with pytest.raises(MalformedError):
        wire.measure(wire.PREFIX.pack(*sizes), most=1 << 20)


def test_deep_json_is_malformed() -> None:
    for header in (b"[" * 100_000, b"\n" + b"[" * 100_000):
        with pytest.raises(MalformedError):
            codec.read_answer(header, b"")


def finished(registers: object, **change: object) -> dict[str, Any]:
    """The header of an outcome as the worker writes it."""
    rest: dict[str, object] = {"changed": [], "overwritten": [], "usage": None, "seconds": None}
    return {"kind": "finished", "registers": registers, **rest, **change}


def nested(depth: int) -> Any:
    value: Any = {"is": "int", "digits": "1"}
    for _ in range(depth):
        value = {"is": "tuple", "parts": [value]}
    return value


@pytest.mark.parametrize("depth", [0, 1, codec.MAX_DEPTH])
def test_an_answer_may_be_nested_a_little(depth: int) -> None:
    outcome = claimed(finished({"a": nested(depth)}))
    assert isinstance(outcome, Finished)


@pytest.mark.parametrize("depth", [codec.MAX_DEPTH + 1, 50, 400])
def test_a_deeply_nested_answer_is_malformed(depth: int) -> None:
    with pytest.raises(MalformedError):
        claimed(finished({"a": nested(depth)}))


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"kind": "loaded"},
        {"kind": "ready"},
        finished({"a": {"is": "float", "text": "1.5"}}),
        finished({"a": {"is": "array", "place": 0, "dtype": "", "device": "", "kind": ""}}),
        finished({"a": {"is": "array", "place": -1, "dtype": "", "device": "", "kind": ""}}),
        finished({"a": {"is": "int", "digits": "1_0"}}),
        finished({"a": {"is": "int", "digits": "1" * 5000}}),
        finished({"a": {"is": "int", "digits": " 1\n"}}),
        finished({"a": {"is": "object"}}),
        finished({"a": "x" * 30_000}),
        finished({"a": [1]}),
        finished({str(n): None for n in range(5000)}),
        finished({}, usage=[-1, 2]),
        finished({}, usage=[1, True]),
        finished({}, usage=[1, 1 << 64]),
        finished({}, seconds=-1.0),
        finished({}, seconds=float("nan")),
        finished({}, seconds=float("inf")),
        finished({}, changed=[3]),
        finished({}, expected=[1]),
        {"kind": "invalid", "message": "no", "line": -1},
        {"kind": "invalid", "message": None, "line": None},
        {"kind": "raised", "type_name": "E", "message": "", "line": 1, "step": 0},
    ],
)
def test_what_no_worker_writes_is_malformed(header: dict[str, Any]) -> None:
    with pytest.raises(MalformedError):
        claimed(header)


def test_text_of_a_worker_drives_no_terminal() -> None:
    said = {"type_name": "E", "message": "a\x1b[2Jb\u202ec\n", "line": 1, "step": 0}
    outcome = claimed({"kind": "raised", **said, "forbidden": None})
    assert isinstance(outcome, Raised)
    assert outcome.message == "a\ufffd[2Jb\ufffdc\n"


def _pipe() -> tuple[BinaryIO, int]:
    reading, writing = os.pipe()
    return os.fdopen(reading, "rb"), writing


def test_sending_and_receiving_over_a_descriptor() -> None:
    reading, writing = _pipe()
    frame = Frame({"kind": "x"}, (np.arange(200_000),))  # more than a pipe holds at once
    thread = threading.Thread(target=wire.send, args=(writing, frame))
    thread.start()
    arrived = wire.receive(reading)
    thread.join()
    os.close(writing)
    assert arrived is not None
    assert np.array_equal(arrived.arrays[0], frame.arrays[0])
    assert wire.receive(reading) is None
    reading.close()


def test_a_frame_cut_short_is_an_end() -> None:
    reading, writing = _pipe()
    os.write(writing, struct.pack(">IQ", 100, 0) + b"{")
    os.close(writing)
    assert wire.receive(reading) is None
    reading.close()


def test_half_a_character_becomes_a_question_mark_and_a_whole_one_stays() -> None:
    """A message of an exception may have it, and then no report could be written anywhere."""
    told = Raised("E", "\ud800 \udfff \U0001f600 \\ud800", 1, 0)
    frame = through_bytes(codec.encode_outcome(told), codec.read_answer)
    assert codec.decode_outcome(frame) == Raised("E", "? ? \U0001f600 \\ud800", 1, 0)


@given(st.text())
def test_text_of_any_kind_arrives_harmless(said: str) -> None:
    frame = through_bytes(codec.encode_outcome(Invalid(said, None)), codec.read_answer)
    assert codec.decode_outcome(frame) == Invalid(wire.harmless(said), None)
