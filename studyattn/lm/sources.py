"""What the worker of a model is given to import: this room, the learner's parts, a mistake.

A worker can read neither this program nor the learner's files, so all of it is handed over as text,
under the names by which it is imported. The reference is among it only for a model that makes a
mistake, whose attention is the reference's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from studyattn.grading.submission import SourceFile, own_package
from studyattn.lm.records import ModelOrder

_PROGRAM: Final = Path(__file__).resolve().parents[1]
_NOTHING: Final = b'"""Nothing of this is needed here."""\n'
_ROOM: Final = ("parts", "records", "calls", "model", "trial", "worker")
_OF_GPT: Final = ("training",)
_OF_REAL: Final = tuple(
    f"llama.{name}" for name in ("records", "forward", "trial", "heads", "running")
)
_FOR_MISTAKES: Final = ("errors", "grading.pack_errors", "grading.misconception")

PACK: Final = "pack"
"""The name by which a worker imports the pack of a mistake."""


def beside(own: Iterable[tuple[str, str]], order: ModelOrder, pack: Path) -> Iterator[SourceFile]:
    """Yield all that the worker of a model is given to import.

    `own` are the names and texts of the files of the learner's package, `pack` the folder of the
    pack of a mistake.
    """
    yield from (_empty(name) for name in ("studyattn", "studyattn.lm", "studyattn.lm.llama"))
    modules = (*_ROOM, *(_OF_REAL if order.folder else _OF_GPT))
    yield from (_module(f"lm.{name}") for name in modules)
    yield from own_package(own)
    if order.mistake is not None:
        yield _empty("studyattn.grading")
        yield from map(_module, ("lm.broken", *_FOR_MISTAKES))
        yield from _package(_PROGRAM / "attention", "studyattn.attention")
        yield _empty(PACK)
        yield from _package(pack / "misconceptions", f"{PACK}.misconceptions")


def _module(name: str) -> SourceFile:
    path = _PROGRAM.joinpath(*name.split(".")).with_suffix(".py")
    return SourceFile(f"studyattn/{name}", path.read_bytes(), f"studyattn.{name}")


def _package(folder: Path, name: str) -> Iterator[SourceFile]:
    for path in sorted(folder.glob("*.py")):
        module = name if path.name == "__init__.py" else f"{name}.{path.stem}"
        yield SourceFile(f"{name}/{path.name}", path.read_bytes(), module)


def _empty(module: str) -> SourceFile:
    return SourceFile(f"{module}/__init__.py", _NOTHING, module)
