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
        wanted = msgspec.convert(order, ModelOrder)
        parts: dict[str, Part] = {
            name: calling(name, getattr, calling(name, importlib.import_module, "mine"), name)
            for name in wanted.own
        }
        if wanted.kind == "first":
            self.model = First(Path(wanted.folder), parts)
            return
        import torch  # late: the first model does without it

        torch.set_num_threads(1)  # several are many times slower where anything else runs
        broken: Mapping[str, Part] = {}
        if (wrong := wanted.mistake) is not None:
            # Late: only here is the reference at hand.
            from studyattn.lm.broken import broken_parts, broken_put

            entries = next((x.entries for x in wanted.puts if wrong.part in x.entries), ())
            broken = broken_put(wrong, entries) if entries else broken_parts(wrong)
        # Late: a GPT does without the library of tokenizers.
        if wanted.kind == "llama":
            from studyattn.lm.llama.running import RealModel

            torch.set_grad_enabled(False)
            self.model = RealModel(Path(wanted.folder), {**parts, **broken}, wanted.puts)
        else:
            from studyattn.lm.training import OwnGpt

            self.model = OwnGpt(wanted.sizes, wanted.seed, parts, broken)


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
