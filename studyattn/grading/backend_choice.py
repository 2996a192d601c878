"""Choose the array library that a submission is graded with, from its source.

A comment ``# backend: numpy`` in the first lines decides, else what the file imports. In a file
that imports both libraries, the code that answers the drill decides: its entries, and what they
call in the file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeGuard

from studyattn.errors import InputError
from studyattn.extras import is_installed
from studyattn.grading.submission import Backend, SourceFile, tree_of

NAMED = "named in the file"
"""Why a backend was chosen that a comment in the first lines names."""

HEADER_LINES = 10
_HEADER = re.compile(rb"^[ \t]*#[ \t]*backend[ \t]*:[ \t]*([A-Za-z0-9_-]+)")
_IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+(numpy|torch)\b", re.MULTILINE)


OF_TENSORS = frozenset(
    {
        *("amax", "bmm", "contiguous", "detach", "div", "exp", "expand", "log_softmax"),
        *("logsumexp", "masked_fill", "masked_fill_", "matmul", "new_zeros", "permute"),
        *("rsqrt", "softmax", "sqrt", "tril", "triu", "unsqueeze"),
    }
)
"""Methods of a tensor, not of an array of numpy: torch code may call no function of torch."""


_USUAL = {"np": "numpy", "numpy": "numpy", "torch": "torch"}
"""Modules by their usual names, for a file that uses one and forgets its import."""


class BackendChoice(NamedTuple):
    """A backend, and why it was chosen: empty where nothing in the file decided."""

    backend: Backend
    why: str = ""


def choose(
    drill: str,
    source: bytes,
    entries: Sequence[str],
    offered: Sequence[str],
    *,
    given: str | None = None,
    beside: Iterable[SourceFile] = (),
) -> BackendChoice:
    """Return the backend of a submission to the drill `drill`, `offered` in these, best first.

    What is `given` wins over the file. InputError if the drill is not offered in what is given or
    named in the file.
    """
    missing = [Backend(each) for each in offered if not is_installed(each)]
    backend, why = (given, "") if given else read(source, entries, offered, missing, beside)
    if backend not in offered:
        raise InputError(
            f"the drill {drill!r} cannot be done in {backend}",
            advice=f"Use {' or '.join(offered)}.",
        )
    return BackendChoice(Backend(backend), why)


def read(
    source: bytes,
    entries: Sequence[str],
    offered: Sequence[str],
    missing: Collection[Backend] = (),
    beside: Iterable[SourceFile] = (),
) -> BackendChoice:
    """Return the backend that `source` asks for, where the libraries `missing` are not installed.

    A name in the first lines that is not a backend counts as none. A file without any import of an
    array library is in that of the files `beside` it which it imports.
    """
    named = _named(source)
    if named is not None:
        return BackendChoice(named, NAMED)
    tree = _parsed(source)
    used = _used(tree, entries) if isinstance(tree, ast.Module) else frozenset()
    wanted, why = _wanted(_imported(tree), used, beside)
    if len(wanted | used) > 1 and Backend.TORCH in missing and used != {Backend.TORCH}:
        wanted, why = frozenset({Backend.NUMPY}), "torch is not installed"
    if len(wanted) == 1 and wanted <= set(offered):
        return BackendChoice(min(wanted), why)
    installed = [each for each in offered if each not in missing]
    return BackendChoice(Backend([*installed, offered[0]][0]))


def _wanted(
    imports: frozenset[Backend], used: frozenset[Backend], beside: Iterable[SourceFile]
) -> tuple[frozenset[Backend], str]:
    """Return what a file asks for, and the words for why."""
    if used and imports != used:  # one alone decides; code for both must fail, in torch
        return used if len(used) == 1 else frozenset({Backend.TORCH}), "the code uses it"
    if imports:
        return imports, "the file imports it"
    theirs = (imported(each.source) for each in beside)
    return frozenset().union(*theirs), "a file that it imports does"


def _named(source: bytes) -> Backend | None:
    """Return the backend that a comment in the first lines names, if it is one."""
    found = filter(None, map(_HEADER.match, source.split(b"\n", HEADER_LINES)[:HEADER_LINES]))
    return next((each for name in found for each in Backend if each == name[1].decode()), None)


def imported(source: bytes) -> frozenset[Backend]:
    """Return the array libraries that a file imports."""
    return _imported(_parsed(source))


def _parsed(source: bytes) -> ast.Module | str:
    """Return the syntax tree, or the text of what is not Python: the worker tells why."""
    try:
        return tree_of(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source.decode("utf-8", "replace")


def _imported(tree: ast.Module | str) -> frozenset[Backend]:
    """Return the array libraries that are imported anywhere in the file."""
    if isinstance(tree, str):
        return frozenset(map(Backend, _IMPORT.findall(tree)))
    return _libraries(_imports(tree).values())


def _libraries(modules: Iterable[str]) -> frozenset[Backend]:
    roots = {module.partition(".")[0] for module in modules}
    return frozenset(each for each in Backend if each in roots)


def _imports(tree: ast.Module) -> dict[str, str]:
    """Return the module behind each name that an import anywhere in the file gives."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {each.asname or each.name.partition(".")[0]: each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            found |= {each.asname or each.name: module for each in node.names}
    return found


def _used(tree: ast.Module, entries: Sequence[str]) -> frozenset[Backend]:
    """Return the libraries that the entries use, directly or in what they call in the file."""
    imports = _USUAL | _imports(tree)
    of_tensors = OF_TENSORS - {each.name for each in ast.walk(tree) if _is_definition(each)}
    modules, used = set[str](), set[Backend]()
    for node in _reached(_defined(tree), entries):
        if isinstance(node, ast.Name) and node.id in imports:
            modules.add(imports[node.id])
        elif isinstance(node, ast.Call) and isinstance(method := node.func, ast.Attribute):
            is_of_tensors = method.attr in of_tensors and _root(method) not in imports
            used |= {Backend.TORCH} if is_of_tensors else set()
    return _libraries(modules) | used


def _reached(defined: Mapping[str, list[ast.AST]], entries: Sequence[str]) -> Iterator[ast.AST]:
    """Yield the nodes of these functions, and of all that they name in the file."""
    waiting, seen = [*entries], set[str]()
    while waiting:
        name = waiting.pop()
        for whole in () if name in seen else defined.get(name, ()):
            for node in ast.walk(whole):
                yield node
                waiting += [node.id] if isinstance(node, ast.Name) else []
        seen.add(name)


def _is_definition(
    node: ast.AST,
) -> TypeGuard[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)


def _defined(tree: ast.Module) -> dict[str, list[ast.AST]]:
    """Return by name what defines functions, classes and variables outside of functions."""
    defined: dict[str, list[ast.AST]] = {}
    outside: list[ast.AST] = [*tree.body]
    while outside:
        node = outside.pop()
        if _is_definition(node):
            defined.setdefault(node.name, []).append(node)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            for each in ast.walk(node):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    defined.setdefault(each.id, []).append(node)
        else:
            outside += ast.iter_child_nodes(node)
    return defined


def _root(node: ast.AST) -> str:
    """Return the name at the left of a chain of attributes; nothing where it is no name."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
