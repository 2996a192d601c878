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
from studyattn.lm.records import Mistake

_PROGRAM: Final = Path(__file__).resolve().parents[1]
_NOTHING: Final = b'"""Nothing of this is needed here."""\n'
_ROOM: Final = (
    "lm.parts", "lm.records", "lm.watched", "lm.model", "lm.answers", "lm.trial", "lm.training",
    "lm.worker", "lm.llama.parts",
)  # fmt: skip
_FOR_MISTAKES: Final = ("lm.broken", "errors", "grading.pack_errors", "grading.misconception")

PACK: Final = "pack"
"""The name by which a worker imports the pack of a mistake."""


def beside(
    own: Iterable[tuple[str, str]], mistake: Mistake | None, pack: Path, *modules: str
) -> Iterator[SourceFile]:
    """Yield all that a worker is given to import.

    `own` are the names and texts of the files of the learner's package, `pack` the folder of the
    pack of a mistake, `modules` further ones of this room.
    """
    yield from room(*modules)
    yield from own_package(own)
    if mistake is not None:
        yield from reference_and_pack(pack)


def room(*modules: str) -> Iterator[SourceFile]:
    """Yield the modules of this room that a worker needs, and those that are named."""
    yield from (_empty(name) for name in ("studyattn", "studyattn.lm", "studyattn.lm.llama"))
    yield from map(_module, (*_ROOM, *modules))


def reference_and_pack(pack: Path) -> Iterator[SourceFile]:
    """Yield the reference and the misconceptions of the pack in a folder."""
    yield _empty("studyattn.grading")
    yield from map(_module, _FOR_MISTAKES)
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
