"""The drills of a pack: each `drills/<id>/checks.py` is imported once and has a `drill`.

A pack is code that its author wrote and the learner installed; unlike a submission it is trusted.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from studyattn.errors import PackError
from studyattn.grading.drill import Drill


def drill_folders(pack: Path) -> tuple[Path, ...]:
    """The folders below `pack` that hold a drill's checks, by name."""
    return tuple(sorted(path.parent for path in (pack / "drills").glob("*/checks.py")))


@functools.cache
def load_drill(folder: Path) -> Drill:
    """The drill whose checks are `folder/checks.py`.

    Relative imports there reach the pack: `from ...misconceptions import weights`. Raises PackError
    when the checks cannot be imported or make no drill.
    """
    folder = folder.resolve()
    path = folder / "checks.py"
    pack = _package(folder.parent.parent)
    name = f"{pack.__name__}.drills.{folder.name}.checks"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise PackError("a drill has no checks", where=str(path))
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise PackError(f"{type(error).__name__}: {error}", where=str(path)) from error
    drill = getattr(module, "drill", None)
    if not isinstance(drill, Drill):
        raise PackError("the checks define no `drill`", where=str(path))
    return drill


def _package(folder: Path) -> ModuleType:
    """The pack as a package of which its folders are parts; the folder's path makes the name."""
    name = "studyattn_pack_" + hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return sys.modules[name]
