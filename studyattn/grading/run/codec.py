"""Encode call plans and outcomes as frames, and decode them.

The judge encodes call plans and decodes outcomes; the worker does the opposite. What an outcome's
header may hold is declared below, with its limits. Decoding builds nothing but the types of
`call_plan`, whatever the frame holds, or raises `MalformedError`. All text in an outcome, such as
what was raised, is foreign. It is made harmless here, for all who show it.
"""

from __future__ import annotations

import dataclasses
import math
from typing import Annotated, Any

import msgspec
import numpy as np
from msgspec import Meta, Struct
from numpy.typing import NDArray

from studyattn.grading.call_plan import (
    Argument,
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
    Returned,
    Step,
    Usage,
)
from studyattn.grading.run.wire import Frame, Json, MalformedError, Shapes, unpack

MAX_DEPTH = 8


# ---------------------------------------------------------------------------------- programs


def encode_program(program: CallPlan) -> Frame:
    """The frame that asks a worker to carry out `program`."""
    arrays: list[NDArray[np.generic]] = []
    steps = [_encode_step(step, arrays) for step in program.steps]
    return Frame({**_fields(program), "kind": "program", "steps": steps}, tuple(arrays))


def decode_program(frame: Frame) -> CallPlan:
    """The program in a frame that `encode_program` made."""
    said = {name: each for name, each in frame.header.items() if name != "kind"}
    said["steps"] = tuple(_decode_step(step, frame.arrays) for step in said["steps"])
    said["returns"] = tuple(said["returns"])
    return CallPlan(**said)


def _encode_step(step: Step, arrays: list[NDArray[np.generic]]) -> Json:
    said = _fields(step)
    if isinstance(step, Backward):
        return {**said, "grad": _encode_argument(step.grad, arrays)}
    args = [_encode_argument(value, arrays) for value in step.args]
    kwargs = {key: _encode_argument(value, arrays) for key, value in step.kwargs.items()}
    return {**said, "args": args, "kwargs": kwargs}


def _decode_step(step: Json, arrays: tuple[NDArray[np.generic], ...]) -> Step:
    if "grad" in step:
        return Backward(**{**step, "grad": _decode_argument(step["grad"], arrays)})
    args = tuple(_decode_argument(value, arrays) for value in step["args"])
    kwargs = {key: _decode_argument(value, arrays) for key, value in step["kwargs"].items()}
    return Call(**{**step, "args": args, "kwargs": kwargs})


def _encode_argument(value: Argument, arrays: list[NDArray[np.generic]]) -> object:
    if isinstance(value, ArrayInput):
        place = next((at for at, it in enumerate(arrays) if it is value.values), len(arrays))
        if place == len(arrays):
            arrays.append(value.values)
        return {**_fields(value), "values": place}
    if isinstance(value, Register):
        return _fields(value)
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    return value


def _decode_argument(value: Any, arrays: tuple[NDArray[np.generic], ...]) -> Argument:
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]  # JSON's own int, float, bool or None
    if "float" in value:
        return float(value["float"])
    if "values" not in value:
        return Register(**value)
    layout = Layout(value["layout"])
    return ArrayInput(**{**value, "values": arrays[value["values"]], "layout": layout})


def _fields(value: ArrayInput | Register | Step | CallPlan) -> Json:
    return {each.name: getattr(value, each.name) for each in dataclasses.fields(value)}


# ---------------------------------------------------------------------------------- outcomes

Arrays = tuple[NDArray[np.generic], ...]

Text = Annotated[str, Meta(max_length=20_000)]
Natural = Annotated[int, Meta(ge=0, le=(1 << 63) - 1)]
Names = Annotated[list[Text], Meta(max_length=4096)]


class _Part(Struct, forbid_unknown_fields=True, tag_field="is"):
    """A part of a result that JSON cannot hold as it is."""


class _Said(Struct, forbid_unknown_fields=True, tag_field="kind"):
    """A message of a worker."""


class _Array(_Part, tag="array"):
    place: Natural  # among the frame's arrays
    dtype: Text
    device: Text
    kind: Text


class _Other(_Part, tag="other"):
    type_name: Text
    description: Text


class _Number(_Part, tag="number"):
    """A whole one, of which JSON's readers may lose digits, or one that is not finite."""

    text: Annotated[str, Meta(max_length=308, pattern=r"\A(-?[0-9]+|nan|-?inf)\Z")]


class _Parts(_Part, tag="tuple"):
    parts: Annotated[list[_Value], Meta(max_length=4096)]


_Value = None | bool | float | Text | _Array | _Other | _Number | _Parts


class Ready(_Said, tag="ready"):
    """The walls stand, and the worker waits."""


class Unfit(_Said, tag="unfit"):
    """The worker could not be set up, or its device is not there."""

    message: Text
    no_device: bool


class Loaded(_Said, tag="loaded"):
    """The submission is loaded."""


class OutOfMemory(_Said, tag="memory"):
    """The worker has no memory left, and ends."""


class _Finished(_Said, tag="finished"):
    registers: Annotated[dict[Text, _Value], Meta(max_length=4096)]
    changed: Names
    overwritten: Names
    usage: tuple[Natural, Natural, Natural, Natural, Natural] | None
    seconds: Annotated[float, Meta(ge=0, lt=1e9)] | None


class _Raised(_Said, tag="raised"):
    type_name: Text
    message: Text
    line: Natural | None
    step: Natural
    forbidden: Text | None


class _Invalid(_Said, tag="invalid"):
    message: Text
    line: Natural | None


def encode_outcome(outcome: Finished | Raised | Invalid) -> Frame:
    """Return the frame in which a worker answers a call plan, or the loading of the submission."""
    arrays: list[NDArray[np.generic]] = []
    header: Struct
    match outcome:
        case Finished(registers, changed, overwritten, usage, seconds):
            counts = None if usage is None else dataclasses.astuple(usage)
            values = {name: _encode_returned(value, arrays) for name, value in registers.items()}
            header = _Finished(values, list(changed), list(overwritten), counts, seconds)
        case Raised(type_name, message, line, step, forbidden):
            header = _Raised(type_name, message, line, step, forbidden)
        case Invalid(message, line):
            header = _Invalid(message, line)
    return Frame(header, tuple(arrays))


_ANSWERS = msgspec.json.Decoder(
    tuple[Shapes, Ready | Unfit | Loaded | OutOfMemory | _Finished | _Raised | _Invalid]
)


def read_answer(header: bytes, body: bytes) -> Frame:
    """Return the frame that a worker sent. MalformedError unless every part is as declared."""
    return unpack(header, body, _ANSWERS)


def decode_outcome(frame: Frame) -> Outcome:
    """Return the outcome that a worker claims. MalformedError when it claims none."""
    match frame.header:
        case _Finished(registers, changed, overwritten, usage, seconds):
            return Finished(
                {name: _decode_returned(each, frame.arrays) for name, each in registers.items()},
                tuple(changed),
                tuple(overwritten),
                None if usage is None else Usage(*usage),
                seconds,
            )
        case _Raised(type_name, message, line, step, forbidden):
            return Raised(type_name, message, line, step, forbidden)
        case _Invalid(message, line):
            return Invalid(message, line)
    raise MalformedError("a reply to a different question")


def _encode_returned(value: Returned, arrays: list[NDArray[np.generic]]) -> _Value:
    match value:
        case tuple():
            return _Parts([_encode_returned(part, arrays) for part in value])
        case ArrayOutput(values, dtype, device, kind):
            arrays.append(values)
            return _Array(len(arrays) - 1, dtype, device, kind)
        case OtherOutput(type_name, description):
            return _Other(type_name, description)
        case int() if not isinstance(value, bool):
            return _Number(str(value))
        case float() if not math.isfinite(value):
            return _Number(str(value))
    return value


def _decode_returned(value: _Value, arrays: Arrays, depth: int = 0) -> Returned:
    match value:
        case _Parts(parts) if depth < MAX_DEPTH:
            return tuple(_decode_returned(part, arrays, depth + 1) for part in parts)
        case _Array(place, dtype, device, kind) if place < len(arrays):
            return ArrayOutput(arrays[place], dtype, device, kind)
        case _Other(type_name, description):
            return OtherOutput(type_name, description)
        case _Number(text):
            return float(text) if text[-1] in "fn" else int(text)
        case None | bool() | float() | str():
            return value
    raise MalformedError("a result nested too deeply, or without its array")
