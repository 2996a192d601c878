"""A long drill half-written: the solution's functions up to a step, the starter's after it."""

from __future__ import annotations

import ast
from pathlib import Path

from studyattn.bundled import content_dir
from studyattn.grading.drill_loader import load_drill
from studyattn.grading.submission import tree_of

MULTI_HEAD = content_dir() / "attention" / "drills" / "multi-head-attention"
STEPS = ("project_qkv", "split_heads", "weigh", "merge_heads", "multi_head_attention")


def written(count: int, folder: Path = MULTI_HEAD, backend: str = "numpy") -> str:
    """The file of a learner who has written so many steps."""
    names = [each.name for each in load_drill(folder).in_steps][:count]
    own = "" if backend == "torch" else f"_{backend}"
    solution = (folder / f"solution{own}.py").read_text("utf-8")
    starter = (folder / f"starter{own}.py").read_text("utf-8")
    parts = {each.name: each for each in tree_of(solution).body if isinstance(each, _NAMED)}
    text = [f"# backend: {backend}", *solution.splitlines()[1 : _begin(solution)]]
    for each in tree_of(starter).body:
        if isinstance(each, _NAMED):
            source, node = (solution, parts[each.name]) if each.name in names else (starter, each)
            text += ["", "", ast.get_source_segment(source, node) or ""]
    return "\n".join(text) + "\n"


_NAMED = (ast.FunctionDef, ast.ClassDef)


def _begin(source: str) -> int:
    return next(each.lineno for each in tree_of(source).body if isinstance(each, _NAMED)) - 1
