"""How the worker of a model answers, and how it imports the learner's parts.

Each answer is JSON in bytes, with either a `value` or a `failure`: the part that cannot be used.
"""

from __future__ import annotations

import dataclasses
import importlib
import json
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from studyattn.lm.model import Part, PartError, calling
from studyattn.lm.records import Failure


def answering(function: Callable[..., Any]) -> Callable[..., Tensor]:
    """Return the function with its result as JSON in bytes, `(n,)` of uint8."""

    def answer(*given: Any) -> Tensor:
        try:
            value = function(*given)
            told = {"value": dataclasses.asdict(value) if value is not None else None}
        except PartError as error:
            told = {"failure": dataclasses.asdict(Failure(error.part, error.message, error.line))}
        return as_bytes(json.dumps(told).encode())

    return answer


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
