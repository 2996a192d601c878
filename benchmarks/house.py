"""The shape of the package in figures: sizes, import circles, statements outside `store`, helpers.

Everything is read from the source as text; nothing of the package is imported. The test command
holds what must be zero (`tests/test_house.py`); the rest is for comparing two commits:
`python -m benchmarks.house [FOLDER]`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PACKAGE = "studyattn"
DATABASE_LIBRARIES = frozenset({"sqlalchemy", "sqlite3", "psycopg", "alembic"})
DATABASE_ROOMS = ("studyattn.store", "studyattn.exchange.anki")
_STATEMENT = re.compile(
    r"^\s*(?:WITH\b|SELECT\b|INSERT\s+(?:OR\s+\w+\s+)?INTO\b|UPDATE\s+\w+\s+SET\b|DELETE\s+FROM\b)"
)
_CONSTRUCTS = frozenset({"select", "insert", "update", "delete", "text"})
_IMPERATIVE_NOT = re.compile(
    r"(?:What|Whether|How|Where|Of|Which|Who|When|As|For|To|In|On|At|From|With|Also|Not)\b"
)


@dataclass(frozen=True, slots=True)
class Module:
    """One parsed source file of the package."""

    name: str  # dotted
    path: Path
    source: str
    tree: ast.Module

    @property
    def room(self) -> str:
        """The folder right below the package; `.` for modules beside the folders."""
        parts = self.name.split(".")
        inside = len(parts) > 2 or (len(parts) == 2 and self.path.name == "__init__.py")
        return parts[1] if inside else "."


def read_modules(root: Path) -> dict[str, Module]:
    """Parse every module below `root/studyattn`, by dotted name."""
    modules = {}
    for path in sorted((root / PACKAGE).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        source = path.read_text(encoding="utf-8")
        modules[name] = Module(name, path, source, ast.parse(source))
    return modules


def hidden_names(modules: Mapping[str, Module]) -> list[str]:
    """Return what a package defines under the name of one of its modules.

    Python puts a module into its package when it is imported, in the place of that definition.
    """
    return [
        f"{name}.{node.name}"
        for name, module in modules.items()
        if module.path.name == "__init__.py"
        for node in module.tree.body
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and f"{name}.{node.name}" in modules
    ]


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Yield each dotted name that a module imports anywhere, `a.b.c` for `from a.b import c`."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def import_graph(modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """Map each module to the modules that it imports: at the top, in functions, for types only."""
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for name, module in modules.items():
        for imported in imported_names(module.tree):
            target = imported if imported in modules else imported.rpartition(".")[0]
            if target in modules and target != name:
                graph[name].add(target)
    return graph


def import_circles(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """List the strongly connected groups of two modules or more (Tarjan's algorithm)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    circles: list[list[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in sorted(graph[name]):
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            cut = stack.index(name)
            if len(stack) - cut > 1:
                circles.append(sorted(stack[cut:]))
            del stack[cut:]

    for name in sorted(graph):
        if name not in index:
            visit(name)
    return circles


def database_importers(modules: Mapping[str, Module]) -> list[str]:
    """List modules outside the database's rooms that import a database library."""
    return [
        name
        for name, module in modules.items()
        if not name.startswith(DATABASE_ROOMS)
        and any(
            each.partition(".")[0] in DATABASE_LIBRARIES for each in imported_names(module.tree)
        )
    ]


def statements(module: Module) -> int:
    """Count SQL statements: texts that begin like one, and SQLAlchemy's constructs called."""
    known = {
        name.rpartition(".")[2]
        for name in imported_names(module.tree)
        if name.startswith("sqlalchemy.")
    }
    found = 0
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found += bool(_STATEMENT.match(node.value))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            found += node.func.id in _CONSTRUCTS & known and not (
                node.func.id == "text"
                and node.args
                and isinstance(node.args[0], ast.Constant)
                and _STATEMENT.match(str(node.args[0].value)) is not None
            )
    return found


def functions(module: Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    """List the functions and methods of a module."""
    return [
        node
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def used_once(module: Module) -> list[str]:
    """List private functions that their module names exactly once besides their definition."""
    private = [
        each.name
        for each in functions(module)
        if each.name.startswith("_") and not each.name.startswith("__")
    ]
    uses: Counter[str] = Counter()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name):
            uses[node.id] += 1
        elif isinstance(node, ast.Attribute):
            uses[node.attr] += 1
    return [name for name in private if uses[name] == 1]


def late_imports(module: Module) -> int:
    """Count import statements inside functions."""
    return sum(
        isinstance(inner, ast.Import | ast.ImportFrom)
        for function in functions(module)
        for inner in ast.walk(function)
    )


def any_annotations(module: Module) -> int:
    """Count the places where `Any` is written, its import aside."""
    return sum(isinstance(node, ast.Name) and node.id == "Any" for node in ast.walk(module.tree))


def odd_docstrings(module: Module) -> tuple[int, int]:
    """Count docstrings of functions, and those whose first word is no verb and no name."""
    texts = [text for each in functions(module) if (text := ast.get_docstring(each))]
    return len(texts), sum(bool(_IMPERATIVE_NOT.match(text)) for text in texts)


def shared_class_names(modules: Mapping[str, Module]) -> dict[str, list[str]]:
    """Map each class name that several modules define to those modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for name, module in modules.items():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ClassDef):
                places[node.name].append(name)
    return {name: found for name, found in places.items() if len(found) > 1}


def main() -> int:
    """Print the table for the package in the folder that is named, or in this repository."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1]
    modules = read_modules(root)
    rooms: dict[str, list[Module]] = defaultdict(list)
    for module in modules.values():
        rooms[module.room].append(module)
    print(f"{'room':<12}{'files':>6}{'lines':>8}{'functions':>11}{'used once':>11}{'SQL':>6}")
    totals = [0] * 5
    for room in sorted(rooms, key=lambda each: -sum(m.source.count("\n") for m in rooms[each])):
        members = rooms[room]
        row = [
            len(members),
            sum(each.source.count("\n") for each in members),
            sum(len(functions(each)) for each in members),
            sum(len(used_once(each)) for each in members),
            sum(statements(each) for each in members),
        ]
        totals = [total + value for total, value in zip(totals, row, strict=True)]
        print(f"{room:<12}{row[0]:>6}{row[1]:>8}{row[2]:>11}{row[3]:>11}{row[4]:>6}")
    print(f"{'total':<12}{totals[0]:>6}{totals[1]:>8}{totals[2]:>11}{totals[3]:>11}{totals[4]:>6}")
    outside = [each for each in modules.values() if not each.name.startswith(DATABASE_ROOMS)]
    circles = import_circles(import_graph(modules))
    docstrings = [odd_docstrings(each) for each in modules.values()]
    shared = shared_class_names(modules)
    print(f"statements outside the database's rooms: {sum(map(statements, outside))}")
    print(f"modules there that import a database library: {len(database_importers(modules))}")
    print(f"import circles of any kind: {len(circles)} ({sum(map(len, circles))} modules)")
    print(f"imports inside functions: {sum(map(late_imports, modules.values()))}")
    print(f"`Any` in annotations: {sum(map(any_annotations, modules.values()))}")
    print(
        f"docstrings of functions: {sum(each[0] for each in docstrings)}, of them begun by neither"
        f" verb nor name: {sum(each[1] for each in docstrings)}"
    )
    print(
        f"class names with several meanings: {len(shared)}, of"
        f" {sum(map(len, shared.values()))} classes"
    )
    print(f"longest module: {max(each.source.count(chr(10)) for each in modules.values())} lines")
    return 0


if __name__ == "__main__":
    sys.exit(main())
