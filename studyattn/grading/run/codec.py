"""Programs and outcomes as frames, and back.

The judge encodes programs and decodes outcomes; the worker does the opposite. Decoding an outcome
builds nothing but the types of `program`, whatever the frame says, or raises `MalformedError`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np
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
from studyattn.grading.run.wire import Frame, Json, MalformedError

MAX_TEXT = 20_000
MAX_DEPTH = 8
MAX_ITEMS = 4096
MAX_DIGITS = 4000

T = TypeVar("T")


# ---------------------------------------------------------------------------------- programs


def encode_program(program: CallPlan) -> Frame:
    """The frame that asks a worker to carry out `program`."""
    arrays: list[NDArray[np.generic]] = []
    header = {
        "kind": "program",
        "steps": [_encode_step(step, arrays) for step in program.steps],
        "returns": list(program.returns),
        "check_inputs": program.check_inputs,
        "max_elements": program.max_elements,
    }
    return Frame(header, tuple(arrays))


def decode_program(frame: Frame) -> CallPlan:
    """The program in a frame that `encode_program` made."""
    header = frame.header
    return CallPlan(
        steps=tuple(_decode_step(step, frame.arrays) for step in header["steps"]),
        returns=tuple(header["returns"]),
        check_inputs=header["check_inputs"],
        max_elements=header["max_elements"],
    )


def _encode_step(step: Step, arrays: list[NDArray[np.generic]]) -> Json:
    if isinstance(step, Backward):
        grad = _encode_argument(step.grad, arrays)
        return {"backward": step.call, "grad": grad, "into": step.into, "index": step.index}
    return {
        "call": step.function,
        "args": [_encode_argument(value, arrays) for value in step.args],
        "kwargs": {key: _encode_argument(value, arrays) for key, value in step.kwargs.items()},
        "on": step.on,
        "into": step.into,
        "measured": step.measured,
        "timed": step.timed,
    }


def _decode_step(step: Json, arrays: tuple[NDArray[np.generic], ...]) -> Step:
    if "backward" in step:
        grad = _decode_argument(step["grad"], arrays)
        if not isinstance(grad, ArrayInput):
            raise MalformedError("a gradient that is no array")
        return Backward(step["backward"], grad, step["into"], step["index"])
    return Call(
        function=step["call"],
        args=tuple(_decode_argument(value, arrays) for value in step["args"]),
        kwargs={key: _decode_argument(value, arrays) for key, value in step["kwargs"].items()},
        on=step["on"],
        into=step["into"],
        measured=step["measured"],
        timed=step["timed"],
    )


def _encode_argument(value: Argument, arrays: list[NDArray[np.generic]]) -> object:
    if isinstance(value, ArrayInput):
        arrays.append(value.values)
        return {
            "array": len(arrays) - 1,
            "dtype": value.dtype,
            "layout": value.layout.value,
            "requires_grad": value.requires_grad,
        }
    if isinstance(value, Register):
        return {"register": value.name, "index": value.index}
    return value


def _decode_argument(value: Any, arrays: tuple[NDArray[np.generic], ...]) -> Argument:
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]  # JSON's own int, float, bool or None
    if "register" in value:
        return Register(value["register"], value["index"])
    return ArrayInput(
        values=arrays[value["array"]],
        dtype=value["dtype"],
        layout=Layout(value["layout"]),
        requires_grad=value["requires_grad"],
    )


# ---------------------------------------------------------------------------------- outcomes


def encode_outcome(outcome: Finished | Raised | Invalid) -> Frame:
    """The frame in which a worker answers a program, or the loading of the submission."""
    arrays: list[NDArray[np.generic]] = []
    if isinstance(outcome, Finished):
        usage = outcome.usage
        registers = {
            name: _encode_returned(value, arrays) for name, value in outcome.registers.items()
        }
        header = {
            "kind": "finished",
            "registers": registers,
            "changed": list(outcome.changed_inputs),
            "overwritten": list(outcome.changed_results),
            "usage": None if usage is None else [usage.flops, usage.largest_array],
            "seconds": outcome.seconds,
        }
        return Frame(header, tuple(arrays))
    if isinstance(outcome, Invalid):
        return Frame({"kind": "invalid", "message": outcome.message, "line": outcome.line})
    return Frame(
        {
            "kind": "raised",
            "type": outcome.type_name,
            "message": outcome.message,
            "line": outcome.line,
            "step": outcome.step,
            "forbidden": outcome.forbidden,
        }
    )


def decode_outcome(frame: Frame) -> Outcome:
    """The outcome that a worker claims. MalformedError unless every part has its type and size."""
    header = frame.header
    match header.get("kind"):
        case "finished":
            return _decode_finished(frame)
        case "raised":
            return Raised(
                type_name=_text(header.get("type")),
                message=_text(header.get("message")),
                line=_optional(_natural, header.get("line")),
                step=_natural(header.get("step")),
                forbidden=_optional(_text, header.get("forbidden")),
            )
        case "invalid":
            line = _optional(_natural, header.get("line"))
            return Invalid(_text(header.get("message")), line)
        case _:
            raise MalformedError("an answer of no known kind")


def _decode_finished(frame: Frame) -> Finished:
    registers = _mapping(frame.header.get("registers"))
    changed = _list(frame.header.get("changed"))
    overwritten = _list(frame.header.get("overwritten"))
    usage = frame.header.get("usage")
    return Finished(
        registers={
            _text(name): _decode_returned(value, frame.arrays) for name, value in registers.items()
        },
        changed_inputs=tuple(_text(name) for name in changed),
        changed_results=tuple(_text(name) for name in overwritten),
        usage=None if usage is None else _usage(usage),
        seconds=_optional(_seconds, frame.header.get("seconds")),
    )


def _encode_returned(value: Returned, arrays: list[NDArray[np.generic]]) -> object:
    if isinstance(value, tuple):
        return [_encode_returned(part, arrays) for part in value]
    if isinstance(value, ArrayOutput):
        arrays.append(value.values)
        return {
            "array": len(arrays) - 1,
            "dtype": value.dtype,
            "device": value.device,
            "kind": value.kind,
        }
    if isinstance(value, OtherOutput):
        return {"other": value.type_name, "description": value.description}
    if isinstance(value, int) and not isinstance(value, bool):
        return {"int": str(value)}
    return value


def _decode_returned(
    value: Any, arrays: tuple[NDArray[np.generic], ...], depth: int = 0
) -> Returned:
    if depth > MAX_DEPTH:
        raise MalformedError("an answer nested too deeply")
    match value:
        case None | bool() | float():
            return value
        case str():
            return _text(value)
        case list():
            return tuple(_decode_returned(part, arrays, depth + 1) for part in _list(value))
        case {"array": int(position)} if 0 <= position < len(arrays):
            return ArrayOutput(
                values=arrays[position],
                dtype=_text(value.get("dtype")),
                device=_text(value.get("device")),
                kind=_text(value.get("kind")),
            )
        case {"other": name}:
            return OtherOutput(_text(name), _text(value.get("description")))
        case {"int": str(digits)} if len(digits) <= MAX_DIGITS:
            try:
                return int(digits)
            except ValueError:
                pass
    raise MalformedError("a result of no known kind")


def _usage(value: object) -> Usage:
    match value:
        case [flops, largest]:
            return Usage(_natural(flops), _natural(largest))
    raise MalformedError("a count that is none")


def _seconds(value: object) -> float:
    if type(value) is float and 0 <= value < math.inf:
        return value
    raise MalformedError("a time that is none")


def _optional(read: Callable[[object], T], value: object) -> T | None:
    return None if value is None else read(value)


def _text(value: object) -> str:
    if isinstance(value, str) and len(value) <= MAX_TEXT:
        return value
    raise MalformedError("a text that is none, or too long")


def _natural(value: object) -> int:
    if type(value) is int and 0 <= value < 1 << 63:
        return value
    raise MalformedError("a number that is none")


def _list(value: object) -> list[Any]:
    if isinstance(value, list) and len(value) <= MAX_ITEMS:
        return value
    raise MalformedError("a list that is none, or too long")


def _mapping(value: object) -> Mapping[str, Any]:
    if isinstance(value, dict) and len(value) <= MAX_ITEMS:
        return value
    raise MalformedError("a mapping that is none, or too large")
