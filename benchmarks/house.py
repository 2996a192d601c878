"""The mass and the shape of the package in figures, and the budget that each room must keep.

Everything is read from the source as text; nothing of the package is imported. The test command
holds what must be zero (`tests/test_house.py`); the mass of each room is held by `budget.toml`:

    python -m benchmarks.house [FOLDER]     print the figures of this repository, or of FOLDER
    python -m benchmarks.house --check      compare them with the budget: 1 where a room is over it,
                                            whose line it prints as it would have to be
    python -m benchmarks.house --lower      write the budget of each room that has become lighter

The budget is raised by hand, in a commit whose message says in a line `Buys: …` what for.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from radon.complexity import cc_visit_ast

PACKAGE = "studyattn"
BUDGET = Path(__file__).with_name("budget.toml")
BUYS = re.compile(r"^Buys: \S.*", re.MULTILINE)
TEXTS = frozenset({".css", ".html", ".js", ".sql", ".tcss", ".toml", ".txt"})
COMPLEX = 11  # cyclomatic complexity from which radon ranks a block C
TOO_COMPLEX = 21  # and D, which no block may be
DATABASE_LIBRARIES = frozenset({"sqlalchemy", "sqlite3", "psycopg", "alembic"})
DATABASE_ROOMS = ("studyattn.store", "studyattn.exchange.anki")
_STATEMENT = re.compile(
    r"^\s*(?:WITH\b|SELECT\b|INSERT\s+(?:OR\s+\w+\s+)?INTO\b|UPDATE\s+\w+\s+SET\b|DELETE\s+FROM\b)"
)
_CONSTRUCTS = frozenset({"select", "insert", "update", "delete", "text"})
_IMPERATIVE_NOT = re.compile(
    r"(?:What|Whether|How|Where|Of|Which|Who|When|As|For|To|In|On|At|From|With|Also|Not)\b"
)


@dataclass(frozen=True)
class Module:
    """One parsed source file of the package."""

    name: str  # dotted
    path: Path
    source: str
    tree: ast.Module

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """List every node of the tree."""
        return list(ast.walk(self.tree))

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """List the functions and methods."""
        return [
            node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ]

    @cached_property
    def lines(self) -> int:
        """Count the lines, those without code included."""
        return self.source.count("\n")

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


def imported_names(module: Module) -> Iterator[str]:
    """Yield each dotted name that a module imports anywhere, `a.b.c` for `from a.b import c`."""
    for node in module.nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def import_graph(modules: Mapping[str, Module]) -> dict[str, set[str]]:
    """Map each module to the modules that it imports: at the top, in functions, for types only."""
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for name, module in modules.items():
        for imported in imported_names(module):
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
        and any(each.partition(".")[0] in DATABASE_LIBRARIES for each in imported_names(module))
    ]


def statements(module: Module) -> int:
    """Count SQL statements: texts that begin like one, and SQLAlchemy's constructs called."""
    known = {
        name.rpartition(".")[2] for name in imported_names(module) if name.startswith("sqlalchemy.")
    }
    found = 0
    for node in module.nodes:
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


def used_once(module: Module) -> list[str]:
    """List private functions that their module names exactly once besides their definition."""
    private = [
        each.name
        for each in module.functions
        if each.name.startswith("_") and not each.name.startswith("__")
    ]
    uses: Counter[str] = Counter()
    for node in module.nodes:
        if isinstance(node, ast.Name):
            uses[node.id] += 1
        elif isinstance(node, ast.Attribute):
            uses[node.attr] += 1
    return [name for name in private if uses[name] == 1]


def late_imports(module: Module) -> int:
    """Count import statements inside functions."""
    return len(
        {
            inner
            for function in module.functions
            for inner in ast.walk(function)
            if isinstance(inner, ast.Import | ast.ImportFrom)
        }
    )


def any_annotations(module: Module) -> int:
    """Count the places where `Any` is written, its import aside."""
    return sum(isinstance(node, ast.Name) and node.id == "Any" for node in module.nodes)


def odd_docstrings(module: Module) -> tuple[int, int]:
    """Count docstrings, and those whose first word is no verb and no name."""
    classes = [node for node in module.nodes if isinstance(node, ast.ClassDef)]
    owners = (module.tree, *classes, *module.functions)
    texts = [text for each in owners if (text := ast.get_docstring(each))]
    return len(texts), sum(bool(_IMPERATIVE_NOT.match(text)) for text in texts)


def shared_class_names(modules: Mapping[str, Module]) -> dict[str, list[str]]:
    """Map each class name that several modules define to those modules."""
    places: dict[str, list[str]] = defaultdict(list)
    for name, module in modules.items():
        for node in module.nodes:
            if isinstance(node, ast.ClassDef):
                places[node.name].append(name)
    return {name: found for name, found in places.items() if len(found) > 1}


_NOT_CODE = frozenset(
    {
        tokenize.COMMENT,
        tokenize.NL,
        tokenize.NEWLINE,
        tokenize.INDENT,
        tokenize.DEDENT,
        tokenize.ENDMARKER,
    }
)


def tokens(module: Module) -> int:
    """Count the tokens of code: no comment, no docstring, no line end, no indentation."""
    texts = {
        (node.lineno, node.col_offset)
        for node in module.nodes
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    }
    found = tokenize.generate_tokens(io.StringIO(module.source).readline)
    return sum(
        each.type not in _NOT_CODE and not (each.type == tokenize.STRING and each.start in texts)
        for each in found
    )


def complex_blocks(module: Module, least: int = COMPLEX) -> int:
    """Count the functions and methods of at least this complexity: those that radon ranks C."""
    blocks = cc_visit_ast(module.tree)
    return sum(
        each.letter in {"F", "M"} and each.complexity >= least
        for block in blocks
        for each in (block, *getattr(block, "closures", ()))
    )


def type_blocks(module: Module) -> int:
    """Count the blocks of imports that only a type checker runs."""
    return sum(
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Name)
        and node.test.id == "TYPE_CHECKING"
        for node in module.nodes
    )


MEASURES: Mapping[str, Callable[[Module], int]] = {
    "tokens": tokens,
    "lines": lambda module: module.lines,
    "files": lambda _module: 1,
    "functions": lambda module: len(module.functions),
    "complex": complex_blocks,
    "late_imports": late_imports,
    "type_blocks": type_blocks,
    "used_once": lambda module: len(used_once(module)),
}
"""What is counted of each module."""

DATA = "data"
FIGURES = (*MEASURES, DATA)
"""What is counted of each room, by the names of `budget.toml`: `DATA` are lines of other texts."""

Mass = dict[str, int]


def measure_rooms(root: Path, modules: Iterable[Module]) -> dict[str, Mass]:
    """Sum every measure over the modules and texts of each room, the heaviest room first."""
    rooms: dict[str, Mass] = defaultdict(lambda: dict.fromkeys(FIGURES, 0))
    for module in modules:
        for name, count in MEASURES.items():
            rooms[module.room][name] += count(module)
    for path in (root / PACKAGE).rglob("*.*"):
        if path.suffix in TEXTS:
            parts = path.relative_to(root / PACKAGE).parts
            lines = path.read_text(encoding="utf-8").count("\n")
            rooms[parts[0] if len(parts) > 1 else "."][DATA] += lines
    return dict(sorted(rooms.items(), key=lambda each: -each[1]["tokens"]))


def over_budget(rooms: Mapping[str, Mass], budget: Mapping[str, Mass]) -> list[str]:
    """Say what of each room exceeds its budget; a room without one may hold nothing."""
    return [
        f"{room}: {count:,} {name.replace('_', ' ')}, and its budget is {most:,}"
        for room, mass in rooms.items()
        for name, count in mass.items()
        if count > (most := budget.get(room, {}).get(name, 0))
    ]


def lowered(rooms: Mapping[str, Mass], budget: Mapping[str, Mass]) -> dict[str, Mass]:
    """Return the budget with each figure that is now lower; a room that is gone has none."""
    return {
        room: {name: min(count, budget[room].get(name, count)) for name, count in mass.items()}
        for room, mass in rooms.items()
        if room in budget
    }


def wanted(rooms: Mapping[str, Mass], budget: Mapping[str, Mass]) -> dict[str, Mass]:
    """Return the budget with each figure that is now higher, and of each room that is new."""
    return {
        room: {name: max(count, budget.get(room, {}).get(name, 0)) for name, count in mass.items()}
        for room, mass in rooms.items()
    }


def raised(before: Mapping[str, Mass], after: Mapping[str, Mass]) -> list[str]:
    """List the figures that are higher in the later of two budgets."""
    return [
        f"{room} {name}"
        for room, mass in after.items()
        for name, count in mass.items()
        if count > before.get(room, {}).get(name, 0)
    ]


def unpaid_raises(root: Path) -> list[str]:
    """List the commits that raise the budget without saying what the growth buys.

    Empty where the history is not at hand: an unpacked archive, a shallow clone.
    """
    path = f"benchmarks/{BUDGET.name}"
    commits = _git(root, "log", "--format=%H", "--no-merges", "--", path).split()
    found = []
    for commit in commits:
        before, after = (
            tomllib.loads(_git(root, "show", f"{at}:{path}")) for at in (f"{commit}^", commit)
        )
        more = raised(before, after) if before else []
        if more and not BUYS.search(_git(root, "show", "-s", "--format=%B", commit)):
            found.append(f"{commit[:8]} raises {', '.join(more)} and has no line “Buys: …”")
    return found


def _git(root: Path, *arguments: str) -> str:
    """Return what git prints; nothing where it fails or is not installed."""
    try:
        done = subprocess.run(
            ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def write_budget(budget: Mapping[str, Mass]) -> str:
    """Return the text of `budget.toml`: a line a room, the figures in columns."""
    head = BUDGET.read_text(encoding="utf-8").partition("\n\n")[0]
    keys = {room: room if room.isidentifier() else f'"{room}"' for room in budget}
    width = max(map(len, keys.values()))
    rows = [
        f"{keys[room]:<{width}} = {{ "
        + ", ".join(f"{name} = {mass[name]:>{_digits(budget.values(), name)}}" for name in FIGURES)
        + " }"
        for room, mass in budget.items()
    ]
    return head + "\n\n" + "\n".join(rows) + "\n"


def _digits(masses: Iterable[Mass], name: str) -> int:
    return max(len(str(mass[name])) for mass in masses)


def check(root: Path) -> int:
    """Print what is over the budget, and what has become lighter. 0 if the budget is kept."""
    rooms = measure_rooms(root, read_modules(root).values())
    budget = tomllib.loads(BUDGET.read_text(encoding="utf-8"))
    problems = [*over_budget(rooms, budget), *unpaid_raises(root)]
    for problem in problems:
        print(problem, file=sys.stderr)
    if problems:
        print(
            "Make the room lighter, or raise benchmarks/budget.toml in a commit whose message has"
            " a line “Buys: …”.",
            file=sys.stderr,
        )
        old = BUDGET.read_text(encoding="utf-8").splitlines()
        lines = write_budget(wanted(rooms, budget)).splitlines()
        print(*(line for line in lines if line not in old), sep="\n", file=sys.stderr)
    elif lowered(rooms, budget) != budget:
        print("Lighter than its budget: python -m benchmarks.house --lower")
    return bool(problems)


def print_table(rooms: Mapping[str, Mass]) -> None:
    """Print the measures of all rooms, and their sums."""
    print(f"{'room':<12}" + "".join(f"{name.replace('_', ' '):>14}" for name in FIGURES))
    total = {name: sum(mass[name] for mass in rooms.values()) for name in FIGURES}
    for room, mass in [*rooms.items(), ("total", total)]:
        print(f"{room:<12}" + "".join(f"{mass[name]:>14,}" for name in FIGURES))


def print_shape(modules: Mapping[str, Module]) -> None:
    """Print what is counted over the whole package."""
    outside = [each for each in modules.values() if not each.name.startswith(DATABASE_ROOMS)]
    circles = import_circles(import_graph(modules))
    docstrings = [odd_docstrings(each) for each in modules.values()]
    shared = shared_class_names(modules)
    print(f"SQL statements: {sum(map(statements, modules.values()))}")
    print(f"statements outside the database's rooms: {sum(map(statements, outside))}")
    print(f"modules there that import a database library: {len(database_importers(modules))}")
    print(f"import circles of any kind: {len(circles)} ({sum(map(len, circles))} modules)")
    print(f"`Any` in annotations: {sum(map(any_annotations, modules.values()))}")
    print(
        f"docstrings: {sum(each[0] for each in docstrings)}, of them begun by neither"
        f" verb nor name: {sum(each[1] for each in docstrings)}"
    )
    print(
        f"class names with several meanings: {len(shared)}, of"
        f" {sum(map(len, shared.values()))} classes"
    )
    print(f"longest module: {max(each.lines for each in modules.values())} lines")


def main() -> int:
    """Run one of the three forms of the command."""
    here = Path(__file__).parents[1]
    match sys.argv[1:]:
        case ["--check"]:
            return check(here)
        case ["--lower"]:
            rooms = measure_rooms(here, read_modules(here).values())
            budget = tomllib.loads(BUDGET.read_text(encoding="utf-8"))
            BUDGET.write_text(write_budget(lowered(rooms, budget)), encoding="utf-8")
        case folder:
            root = Path(folder[0]) if folder else here
            modules = read_modules(root)
            print_table(measure_rooms(root, modules.values()))
            print_shape(modules)
    return 0


if __name__ == "__main__":
    sys.exit(main())
