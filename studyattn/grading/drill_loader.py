"""Load the drills of a pack: each `drills/<id>/checks.py` is imported once and defines `drill`.

A pack is code that its author wrote and the learner installed; unlike a submission it is trusted.
"""

from __future__ import annotations

import dataclasses
import functools
import hashlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import yaml

from studyattn.errors import DrillError
from studyattn.grading import domain, steps
from studyattn.grading.drill import Drill
from studyattn.grading.pack_errors import naming_the_pack


def drill_folders(pack: Path) -> tuple[Path, ...]:
    """The folders below `pack` that hold a drill's checks, by name."""
    return tuple(sorted(path.parent for path in (pack / "drills").glob("*/checks.py")))


@functools.cache
def load_drill(folder: Path) -> Drill:
    """Return the drill whose checks are `folder/checks.py`.

    Relative imports there reach the pack: `from ...misconceptions import weights`. DrillError, with
    the pack's file and line, when the checks cannot be imported or define no drill.
    """
    folder = folder.resolve()
    path = folder / "checks.py"
    pack = _package(folder.parent.parent)
    name = f"{pack.__name__}.drills.{folder.name}.checks"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise DrillError("a drill has no checks", where=f"{path}:1")
    module = importlib.util.module_from_spec(spec)
    with naming_the_pack(f"{path}:1", "the checks cannot be loaded"):
        spec.loader.exec_module(module)
    drill = getattr(module, "drill", None)
    if not isinstance(drill, Drill):
        raise DrillError("the checks define no `drill`", where=f"{path}:1")
    return dataclasses.replace(drill, folder=folder, **_declared(folder / "brief.md"))


def _declared(brief: Path) -> dict[str, Any]:
    """Return the domain and the steps that a brief declares, as fields of a drill."""
    text = brief.read_text("utf-8") if brief.is_file() else ""
    front_matter = text.split("---\n", 2)[1] if text.startswith("---\n") else "{}"
    with naming_the_pack(f"{brief}:1", "the brief cannot be read"):
        fields: dict[str, dict[str, str]] = yaml.safe_load(front_matter)
        inputs, parts = fields.get("domain"), fields.get("steps", {})
    place = f"{brief}:1"
    return {
        "domain": domain.parse(inputs, text, place) if inputs else None,
        "in_steps": steps.parse(parts, place),
    }


def _package(folder: Path) -> ModuleType:
    """The pack as a package of which its folders are parts; the folder's path makes the name."""
    name = "studyattn_pack_" + hashlib.sha256(str(folder).encode()).hexdigest()[:12]
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return sys.modules[name]
