"""The worker of a model: it assembles one and answers what `process` asks of it.

The learner's package `mine` lies beside this code, in the same worker, behind the same walls as a
submission; the folder of a real model is what it may read besides. An answer is JSON in bytes, with
a `value`, a `failure` (the part that cannot be used) or why it was `refused`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from operator import attrgetter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from studyattn.lm.calls import Part, PartError, RefusedError, TooSlowError, at_most, calling
from studyattn.lm.first import First
from studyattn.lm.records import Failure, ModelOrder

Array = Any
"""An array of the library in which the parts are written."""

Answer = NDArray[np.uint8]


class _Held:
    """The one model of this worker, once it was assembled."""

    model: Any

    def assemble(self, order: Mapping[str, Any]) -> None:
        """Import the parts of a model and put it together."""
        self.model = _assembled(msgspec.convert(order, ModelOrder))


_HELD = _Held()


def ask(seconds: float, question: Array) -> Answer:
    """Return what is asked for within so many seconds, as JSON in bytes, `(n,)` of uint8."""
    asked = msgspec.json.decode(np.asarray(question).tobytes())
    try:
        with at_most(seconds):
            told = {"value": attrgetter(asked.pop("of"))(_HELD)(**asked)}
    except (TooSlowError, PartError) as error:
        told = {"failure": Failure(error.part, error.message, error.line)}
    except RefusedError as error:
        told = {"refused": error.args}
    return np.frombuffer(msgspec.json.encode(told), np.uint8)


def _assembled(order: ModelOrder) -> Any:
    parts: dict[str, Part] = {
        name: calling(name, getattr, calling(name, importlib.import_module, "mine"), name)
        for name in order.own
    }
    if order.kind == "first":
        return First(Path(order.folder), parts)
    import torch  # late: the first model does without it

    torch.set_num_threads(1)  # several are many times slower where anything else runs
    broken: Mapping[str, Part] = {}
    if order.mistake is not None:
        # Late: only here is the reference at hand.
        from studyattn.lm.broken import broken_parts, broken_put

        entries = next((x.entries for x in order.puts if order.mistake.part in x.entries), ())
        broken = broken_put(order.mistake, entries) if entries else broken_parts(order.mistake)
    # Late: a GPT does without the library of tokenizers.
    if order.kind == "llama":
        from studyattn.lm.llama.running import RealModel

        torch.set_grad_enabled(False)
        return RealModel(Path(order.folder), {**parts, **broken}, order.puts)
    from studyattn.lm.training import OwnGpt

    return OwnGpt(order.sizes, order.seed, parts, broken)
