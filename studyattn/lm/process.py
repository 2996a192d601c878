"""Start the workers that hold models, and give them what they import.

They are workers of `grading`, with the same walls. This side has no torch.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from studyattn.grading.limits import MEBIBYTE, ResourceLimits
from studyattn.grading.run.runner import Runner
from studyattn.grading.submission import Backend, SourceFile
from studyattn.lm.parts import GPT, LLAMA, ModelKind

LIMITS: Final = ResourceLimits(
    seconds=7 * 24 * 3600.0,  # of CPU time; each answer has a limit of its own
    memory=3072 * MEBIBYTE,
    file_size=0,
    output=1 << 50,  # what parts print while they train for hours is dropped
)

_PROGRAM: Final = Path(__file__).resolve().parents[1]
_NOTHING: Final = b'"""Nothing of this is needed here."""\n'
_GIVEN: Final = ("errors", "grading.call_plan", "grading.misconception", "grading.pack_errors")

PACK: Final = "pack"
"""The name by which a worker imports the pack of a mistake."""


class StoppedError(Exception):
    """The worker was ended because that was asked for."""


class ModelServer(Runner):
    """Starts workers of models; a context manager that ends them all.

    `folder` is where a model with so many parameters is kept: its workers may read it. Without
    one, they are GPTs.
    """

    def __init__(
        self,
        folder: Path | None = None,
        parameters: int = 0,
        *,
        kind: ModelKind | None = None,
        backend: Backend = Backend.TORCH,
    ) -> None:
        self.folder = folder
        self.kind = kind or (LLAMA if folder else GPT)
        memory = LIMITS.memory + (parameters * 4 + 512 * MEBIBYTE if folder else 0)
        limits = dataclasses.replace(LIMITS, memory=memory)
        super().__init__(backend, limits=limits, readable=[str(folder)] if folder else ())


# ── what it is given to import ───────────────────────────────────────────────────────────────────


def beside(pack: Path | None) -> Iterator[SourceFile]:
    """Yield what the worker of a model is given to import beside the learner's package, as text.

    It can read neither this program nor the learner's files. Parts are compared with the
    reference, and the attention of a model that makes a mistake, from the folder of a `pack`, is
    the reference's.
    """
    yield from map(_empty, ("studyattn", "studyattn.grading"))
    for name in _GIVEN:
        path = _PROGRAM.joinpath(*name.split(".")).with_suffix(".py")
        yield SourceFile(f"studyattn/{name}", path.read_bytes(), f"studyattn.{name}")
    for name in ("attention", "lm", "lm.llama"):
        yield from _package(_PROGRAM.joinpath(*name.split(".")), f"studyattn.{name}")
    if pack is not None:
        yield from _package(pack, PACK)
        for name in ("misconceptions", "reference"):
            yield from _package(pack / name, f"{PACK}.{name}")


def _package(folder: Path, name: str) -> Iterator[SourceFile]:
    if not (folder / "__init__.py").exists():
        yield _empty(name)
    for path in sorted(folder.glob("*.py")):
        module = name if path.name == "__init__.py" else f"{name}.{path.stem}"
        yield SourceFile(f"{name}/{path.name}", path.read_bytes(), module)


def _empty(module: str) -> SourceFile:
    return SourceFile(f"{module}/__init__.py", _NOTHING, module)
