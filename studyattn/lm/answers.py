"""How the worker of a model answers, and how it imports the learner's parts.

Each answer is JSON in bytes, with either a `value` or a `failure`: the part that cannot be used.
Bytes in a value are base64, as msgspec reads them. An answer that is a tensor is given as it is.
"""

from __future__ import annotations

import base64
import dataclasses
import importlib
import json
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from studyattn.lm import watched
from studyattn.lm.model import Part, PartError, calling
from studyattn.lm.records import Failure
from studyattn.lm.watched import TooSlowError


def answering(function: Callable[..., Any]) -> Callable[..., Tensor]:
    """Return the function with its result as JSON in bytes, `(n,)` of uint8.

    It is called with the seconds that it may take, before what the function is given.
    """

    def answer(seconds: float, *given: Any) -> Tensor:
        try:
            with watched.at_most(seconds):
                value = function(*given)
            if isinstance(value, Tensor):
                return value
            told = {"value": dataclasses.asdict(value) if value is not None else None}
        except (TooSlowError, PartError) as error:
            told = {"failure": dataclasses.asdict(Failure(error.part, error.message, error.line))}
        return as_bytes(json.dumps(told, default=_in_base64).encode())

    return answer


def _in_base64(value: object) -> str:
    if isinstance(value, bytes):
        return base64.b64encode(value).decode("ascii")
    raise TypeError(f"an answer holds {type(value).__name__}")


def own_part(name: str) -> Part:
    """Return a part of the learner's package `mine`. Raises PartError if it cannot be imported."""
    part: Part = calling(name, _imported, name)
    return part


def _imported(name: str) -> Part:
    part: Part = getattr(importlib.import_module("mine"), name)
    return part


def read(tensor: Tensor) -> bytes:
    """Return the bytes that were handed over as a tensor."""
    return tensor.numpy().tobytes()


def as_bytes(data: bytes) -> Tensor:
    """Return bytes as a tensor, to be handed over."""
    return torch.frombuffer(bytearray(data), dtype=torch.uint8)
