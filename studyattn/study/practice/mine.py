"""The package `mine`: the learner's code that passed, for other code to import.

It lies beside the files of the drills, so that they can build on one another, and is written again
when something passes. It is plain Python: a copy of the folder runs without this program. What the
drill being worked on requires and has not passed is lent from the pack's solutions meanwhile.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

from studyattn.errors import InputError, NotFoundError
from studyattn.grading.backend_choice import choose
from studyattn.grading.submission import (
    LENT,
    OWN,
    PASSED,
    Backend,
    SourceFile,
    Submission,
    files_beside,
    module_name,
    own_package,
    tree_of,
)
from studyattn.home import Home
from studyattn.memory.state import drill_id
from studyattn.packs.model import DrillBrief
from studyattn.store.queries.practice import PassedCode, passed_code
from studyattn.study.practice.drill_file import DrillFile
from studyattn.study.practice.drills import find_drill
from studyattn.study.profile import Profile

PACKAGE: Final = PASSED
_INIT: Final = "__init__.py"
_MARK: Final = "# Written by `studyattn drill mine`; changes made here are overwritten."
_HEAD: Final = """\
{mark}
\"\"\"Code of mine that passed its drill, in {backend}.

    from mine import {example}
\"\"\"

from importlib import import_module

_MODULES = {{
{modules}}}
__all__ = list(_MODULES)


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    if name not in _MODULES:
        raise ImportError(f"{{name}} has not passed its drill in {backend} yet")
    return getattr(import_module(f"{{__name__}}.{{_MODULES[name]}}"), name)
"""


class MyModule(NamedTuple):
    """A module of the package."""

    drill: str
    entries: tuple[str, ...]
    code: str
    passed_on: date | None  # None for what is lent

    @property
    def name(self) -> str:
        """The name of the module in the package."""
        return f"{LENT if self.passed_on is None else OWN}{module_name(self.drill)}"


class MyPackage(NamedTuple):
    """All modules in one backend."""

    backend: str
    modules: tuple[MyModule, ...]

    def lacks(self) -> dict[str, tuple[str, ...]]:
        """Return by drill what its code takes from the package and the package has not."""
        there = {name for module in self.modules for name in module.entries}
        missing = {
            module.drill: tuple(sorted(_taken(module.code) - there)) for module in self.modules
        }
        return {drill: names for drill, names in missing.items() if names}

    def files(self) -> dict[str, str]:
        """Return the text of each file by its name."""
        files = {f"{module.name}.py": _source(module, self.modules) for module in self.modules}
        return {**files, _INIT: self._start()}

    def beside(self) -> tuple[SourceFile, ...]:
        """Return the files as a submission imports them."""
        return tuple(own_package(self.files().items()))

    def submission(self, drill: str) -> Submission:
        """Return the code of a drill as it is graded."""
        module = next(each for each in self.modules if each.drill == drill)
        code, backend = module.code.encode(), Backend(self.backend)
        return Submission(f"{drill}.py", code, backend, module.entries, beside=self.beside())

    def write(self, folder: Path) -> None:
        """Write the package into `folder`, a file at a time, and remove what is in it no longer.

        Raises InputError if the folder holds other code, or cannot be written.
        """
        start = DrillFile(folder / _INIT)
        if not (start.text() or _MARK).startswith(_MARK):
            raise InputError(
                "a package with this name already exists and is not overwritten",
                where=str(folder),
                advice="Choose another folder with --dir.",
            )
        files = self.files()
        for name, text in files.items():
            file = DrillFile(folder / name)
            if file.text() != text:
                file.write(text)
        for prefix in (OWN, LENT):
            for path in folder.glob(f"{prefix}*.py"):
                if path.name not in files:
                    path.unlink(missing_ok=True)

    def _start(self) -> str:
        homes = {entry: module.name for module in self.modules for entry in module.entries}
        lines = [f'    "{entry}": "{name}",\n' for entry, name in sorted(homes.items())]
        example = min(homes, default="softmax")
        return _HEAD.format(
            mark=_MARK, backend=self.backend, example=example, modules="".join(lines)
        )


def my_package(profile: Profile, backend: str | None, *, lend: Iterable[str] = ()) -> MyPackage:
    """Return the package in `backend`, or that of the latest pass.

    The code of the drills `lend`, and of those that they require, is lent where it has not passed.
    """
    with profile.database.read() as connection:
        passed = passed_code(connection)
    chosen = backend or (passed[-1].backend if passed else "torch")
    modules = {each.drill: each for each in _passed_modules(profile.home, passed, chosen)}
    lent = {each.drill: each for each in lent_package(profile.home, lend, chosen).modules}
    return MyPackage(chosen, tuple({**modules, **lent, **modules}.values()))


def lent_package(home: Home, drills: Iterable[str], backend: str = "torch") -> MyPackage:
    """Return the package as it is for somebody who has passed nothing: all of it is lent."""
    return MyPackage(
        backend,
        tuple(
            MyModule(brief.id, brief.entry, brief.solution(backend).read_text("utf-8"), None)
            for brief in _with_required(home, drills)
            if backend in brief.backends
        ),
    )


def refresh(profile: Profile, backend: str, lend_to: DrillBrief | None = None) -> None:
    """Write the package beside the files of drills, as far as that folder can be written.

    No drill fails for the lack of it: code that imports from it is told what is missing.
    """
    package = my_package(profile, backend, lend=() if lend_to is None else lend_to.requires)
    if package.modules:
        with contextlib.suppress(InputError, OSError):
            package.write(profile.home.drills / PACKAGE)


def submission_of(
    profile: Callable[[], AbstractContextManager[Profile]],
    brief: DrillBrief,
    path: Path,
    source: bytes,
    backend: str | None = None,
) -> Submission:
    """Return `source`, the text of the file at `path`, as it is to be graded.

    `profile` opens the home, where the code takes from the package. Raises InputError.
    """
    beside = files_beside(path, source)
    chosen, why = choose(
        brief.id, source, brief.entry, brief.backends, given=backend, beside=beside
    )
    if builds_on_it(source):
        with profile() as opened:
            beside = _imported_files(opened, brief, chosen, path, source)
    return Submission(str(path), source, chosen, brief.entry, beside=beside, why=why)


def _imported_files(
    profile: Profile, brief: DrillBrief, backend: str, path: Path, source: bytes
) -> tuple[SourceFile, ...]:
    """Return the files that `source`, the text of the file at `path`, may import.

    Those in its folder, and the package: as it is there, or else as it is now.
    """
    refresh(profile, backend, brief)
    beside = files_beside(path, source)
    if any(file.module == PACKAGE for file in beside):
        return beside
    package = my_package(profile, backend, lend=brief.requires)
    return (*beside, *package.beside()) if package.modules else beside


def builds_on_it(source: bytes) -> bool:
    """Return whether code may import from the package."""
    return re.search(rb"^[ \t]*(?:from|import)[ \t]+mine\b", source, re.MULTILINE) is not None


def _passed_modules(home: Home, passed: Sequence[PassedCode], backend: str) -> Iterator[MyModule]:
    """Yield the code that passed in `backend`, of drills that an installed pack has."""
    for each in passed:
        if each.backend == backend:
            drill = drill_id(each.guid)
            with contextlib.suppress(NotFoundError):
                entries = find_drill(home, drill).brief.entry
                code = each.code.removeprefix("\ufeff")  # an editor's mark, and no Python
                yield MyModule(drill, entries, code, each.learner_day)


def _with_required(home: Home, names: Iterable[str]) -> list[DrillBrief]:
    """Return these drills, and those that they require."""
    found: dict[str, DrillBrief] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = find_drill(home, name).brief
            waiting += found[name].requires
    return list(found.values())


def _source(module: MyModule, among: Iterable[MyModule]) -> str:
    """Return the module's text; what it imports from files of other drills, it finds here."""
    text = module.code
    for each in among:
        file = module_name(each.drill)
        for written, meant in (
            (rf"from[ \t]+{file}[ \t]+import\b", f"from {PACKAGE}.{each.name} import"),
            (rf"import[ \t]+{file}[ \t]*$", f"from {PACKAGE} import {each.name} as {file}"),
        ):
            text = re.sub(rf"^([ \t]*){written}", rf"\1{meant}", text, flags=re.MULTILINE)
    if module.passed_on is None:
        return f"# Lent by the pack: your own `{module.drill}` has not passed yet.\n{text}"
    return text


def _taken(code: str) -> set[str]:
    """Return the names that code imports from the package."""
    return {
        alias.name
        for node in ast.walk(tree_of(code))
        if isinstance(node, ast.ImportFrom) and node.module == PACKAGE
        for alias in node.names
    }
