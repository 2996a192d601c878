"""The worker of a model: it assembles one and answers what `process` asks of it.

The learner's package `mine` lies beside this code, in the same worker, behind the same walls as a
submission; the folder of a real model is what it may read besides. An answer is JSON in bytes, with
either a `value` or a `failure`: the part that cannot be used.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
import torch
from torch import Tensor

from studyattn.lm.calls import Part, PartError, TooSlowError, at_most, calling
from studyattn.lm.records import Failure, ModelOrder

_MODEL: list[Any] = []
"""The one model of this worker, once it was assembled."""


def assemble(seconds: float, order: Tensor) -> Tensor:
    """Import the parts of a model and put it together."""
    wanted = msgspec.json.decode(order.numpy().tobytes(), type=ModelOrder)
    return _answered(seconds, lambda: _MODEL.append(_assembled(wanted)))


def ask(seconds: float, question: Tensor) -> Tensor:
    """Call the method of the model that is asked for, with what is given."""
    asked = msgspec.json.decode(question.numpy().tobytes())
    return _answered(seconds, lambda: attrgetter(asked.pop("of"))(_MODEL[0])(**asked))


def _assembled(order: ModelOrder) -> Any:
    torch.set_num_threads(1)  # several are many times slower where anything else runs
    parts: dict[str, Part] = {name: calling(name, _own_part, name) for name in order.own}
    broken: Mapping[str, Part] = {}
    if order.mistake is not None:
        from studyattn.lm.broken import broken_parts  # late: only here is the reference at hand

        broken = broken_parts(order.mistake)
    # Late: a GPT does without the library of tokenizers.
    if order.folder:
        from studyattn.lm.llama.running import RealModel

        torch.set_grad_enabled(False)
        return RealModel(Path(order.folder), {**parts, **broken})
    from studyattn.lm.training import OwnGpt

    return OwnGpt(order.sizes, order.seed, parts, broken)


def _own_part(name: str) -> Part:
    """Return a part of the learner's package."""
    part: Part = getattr(importlib.import_module("mine"), name)
    return part


def _answered(seconds: float, work: Callable[[], Any]) -> Tensor:
    """Return what `work` returns within so many seconds as JSON in bytes, `(n,)` of uint8."""
    try:
        with at_most(seconds):
            told = {"value": work()}
    except (TooSlowError, PartError) as error:
        told = {"failure": Failure(error.part, error.message, error.line)}
    return torch.frombuffer(bytearray(msgspec.json.encode(told)), dtype=torch.uint8)
