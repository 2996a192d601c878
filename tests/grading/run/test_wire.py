"""Frames and what they mean, both as we write them and as a stranger might."""

from __future__ import annotations

import json
import os
import struct
import threading
from typing import Any

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
    Raised,
    Register,
    Usage,
)
from studyattn.grading.run import codec, wire
from studyattn.grading.run.wire import Frame, MalformedError


def through_bytes(frame: Frame) -> Frame:
    packed = wire.pack(frame)
    header, body = wire.measure(packed[: wire.PREFIX.size], most=1 << 20)
    rest = packed[wire.PREFIX.size :]
    assert len(rest) == header + body
    return wire.unpack(rest[:header], rest[header:])


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


@pytest.mark.parametrize(
    "outcome",
    [
        Raised("ValueError", "no", 3, 1),
        Raised("ForbiddenError", "no", None, 0, forbidden="softmax"),
        Invalid("no entry", 2),
        Finished({"a": (1, None, True, 2.5, "text", OtherOutput("dict", "a dictionary"))}),
        Finished({"a": 10**30, "b": float("inf")}, ("0.1",), ("result",), Usage(12, 3)),
        Finished({"a": ArrayOutput(np.ones((2, 1)), "float16", "cpu", "torch.Tensor")}),
        Finished({}, seconds=0.25),
    ],
)
def test_an_outcome_crosses(outcome: Finished | Raised | Invalid) -> None:
    arrived = codec.decode_outcome(through_bytes(codec.encode_outcome(outcome)))
    assert repr(arrived) == repr(outcome)


@given(st.binary(max_size=200), st.binary(max_size=50))
def test_any_bytes_are_a_frame_or_malformed(header: bytes, body: bytes) -> None:
    try:
        frame = wire.unpack(header, body)
        codec.decode_outcome(frame)
    except MalformedError:
        pass


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=20,
)
fields = st.sampled_from(
    [
        *("registers", "changed", "overwritten", "usage", "seconds", "type_name"),
        *("message", "line", "step"),
        *("forbidden", "arrays"),
    ]
)


@given(
    st.sampled_from(["finished", "raised", "invalid", "loaded", 3]),
    st.dictionaries(fields, anything),
)
def test_any_header_is_an_outcome_or_malformed(kind: object, header: dict[str, Any]) -> None:
    header = {"arrays": [], **header, "kind": kind}
    try:
        outcome = codec.decode_outcome(wire.unpack(json.dumps(header).encode(), b""))
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
    header = json.dumps({"kind": "finished", "arrays": arrays}).encode()
    with pytest.raises(MalformedError):
        wire.unpack(header, bytes(4))


@pytest.mark.parametrize("sizes", [(1 << 21, 0), (10, 1 << 40), (0xFFFFFFFF, (1 << 64) - 1)])
def test_sizes_are_checked_before_anything_is_read(sizes: tuple[int, int]) -> None:
    with pytest.raises(MalformedError):
        wire.measure(wire.PREFIX.pack(*sizes), most=1 << 20)


def test_deep_json_is_malformed() -> None:
    with pytest.raises(MalformedError):
        wire.unpack(b"[" * 100_000, b"")


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
    outcome = codec.decode_outcome(Frame(finished({"a": nested(depth)})))
    assert isinstance(outcome, Finished)


@pytest.mark.parametrize("depth", [codec.MAX_DEPTH + 1, 50, 400])
def test_a_deeply_nested_answer_is_malformed(depth: int) -> None:
    with pytest.raises(MalformedError):
        codec.decode_outcome(Frame(finished({"a": nested(depth)})))


@pytest.mark.parametrize(
    "header",
    [
        {},
        {"kind": "loaded"},
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
        codec.decode_outcome(Frame(header))


def test_text_of_a_worker_drives_no_terminal() -> None:
    said = {"type_name": "E", "message": "a\x1b[2Jb\u202ec\n", "line": 1, "step": 0}
    outcome = codec.decode_outcome(Frame({"kind": "raised", **said, "forbidden": None}))
    assert isinstance(outcome, Raised)
    assert outcome.message == "a\ufffd[2Jb\ufffdc\n"


def test_sending_and_receiving_over_a_descriptor() -> None:
    reading, writing = os.pipe()
    frame = Frame({"kind": "x"}, (np.arange(200_000),))  # more than a pipe holds at once
    thread = threading.Thread(target=wire.send, args=(writing, frame))
    thread.start()
    arrived = wire.receive(reading)
    thread.join()
    os.close(writing)
    assert arrived is not None
    assert np.array_equal(arrived.arrays[0], frame.arrays[0])
    assert wire.receive(reading) is None
    os.close(reading)


def test_a_frame_cut_short_is_an_end() -> None:
    reading, writing = os.pipe()
    os.write(writing, struct.pack(">IQ", 100, 0) + b"{")
    os.close(writing)
    assert wire.receive(reading) is None
    os.close(reading)


def test_half_a_character_becomes_a_question_mark_and_a_whole_one_stays() -> None:
    """A message of an exception may have it, and then no report could be written anywhere."""
    header = b'{"message": ["\\ud800 \\uDFFF", "\\ud83d\\ude00", "\\\\ud800"], "arrays": []}'
    assert wire.unpack(header, b"").header == {"message": ["? ?", "\U0001f600", "\\ud800"]}
