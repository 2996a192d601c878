"""The shape of the package: no circles, no database library outside its rooms, no stale page."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.house import (
    DATABASE_ROOMS,
    TOO_COMPLEX,
    Module,
    complex_blocks,
    database_importers,
    hidden_names,
    import_circles,
    import_graph,
    lowered,
    measure_rooms,
    over_budget,
    read_modules,
    statements,
    unpaid_raises,
    wanted,
)

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="module")
def modules() -> dict[str, Module]:
    return read_modules(ROOT)


def test_no_module_imports_itself_over_others_not_even_for_types(
    modules: dict[str, Module],
) -> None:
    assert import_circles(import_graph(modules)) == []


def test_only_the_databases_rooms_import_a_database_library(
    modules: dict[str, Module],
) -> None:
    assert database_importers(modules) == []


def test_no_block_is_worse_than_c(modules: dict[str, Module]) -> None:
    assert [name for name, each in modules.items() if complex_blocks(each, TOO_COMPLEX)] == []


def test_only_the_databases_rooms_hold_statements(modules: dict[str, Module]) -> None:
    found = {
        name: count
        for name, module in modules.items()
        if not name.startswith(DATABASE_ROOMS) and (count := statements(module))
    }
    assert found == {}


def test_no_package_defines_what_one_of_its_modules_is_called(
    modules: dict[str, Module],
) -> None:
    assert hidden_names(modules) == []


def test_a_circle_through_a_late_import_for_types_is_found(tmp_path: Path) -> None:
    package = tmp_path / "studyattn"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "one.py").write_text("def f():\n    from studyattn import two\n")
    (package / "two.py").write_text(
        "from typing import TYPE_CHECKING\n"
        "if TYPE_CHECKING:\n    from studyattn.one import f\n"
        "QUERY = 'SELECT 1'\nimport sqlite3\n"
    )
    modules = read_modules(tmp_path)
    assert import_circles(import_graph(modules)) == [["studyattn.one", "studyattn.two"]]
    assert database_importers(modules) == ["studyattn.two"]
    assert statements(modules["studyattn.two"]) == 1


def test_the_manual_pages_of_the_wheel_say_what_the_help_says(tmp_path: Path) -> None:
    """Asked of a program of its own: what tests have loaded here may change a page."""
    command = [sys.executable, "-m", "studyattn", "man", "--dir", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    pages, kept = (
        {file.name: file.read_text("utf-8") for file in folder.iterdir()}
        for folder in (tmp_path, ROOT / "man")
    )
    stale = sorted(name for name in pages.keys() | kept if pages.get(name) != kept.get(name))
    assert stale == [], "write them again: .venv/bin/studyattn man --dir man"


def test_a_room_over_its_budget_is_named_with_both_figures() -> None:
    assert over_budget(
        {"store": {"tokens": 1200, "lines": 90}}, {"store": {"tokens": 1000, "lines": 90}}
    ) == ["store: 1,200 tokens, and its budget is 1,000"]
    assert over_budget({"attic": {"files": 1}}, {}) == ["attic: 1 files, and its budget is 0"]


def test_a_budget_is_only_lowered_by_the_command() -> None:
    rooms = {"store": {"tokens": 900, "lines": 95}, "attic": {"tokens": 5, "lines": 5}}
    budget = {"store": {"tokens": 1000, "lines": 90}, "cellar": {"tokens": 7, "lines": 7}}
    assert lowered(rooms, budget) == {"store": {"tokens": 900, "lines": 90}}


def test_the_budget_that_would_do_keeps_the_figures_that_are_lower() -> None:
    rooms = {"store": {"tokens": 900, "lines": 95}, "attic": {"tokens": 5, "lines": 5}}
    budget = {"store": {"tokens": 1000, "lines": 90}, "cellar": {"tokens": 7, "lines": 7}}
    assert wanted(rooms, budget) == {
        "store": {"tokens": 1000, "lines": 95},
        "attic": {"tokens": 5, "lines": 5},
    }


def test_a_raised_budget_needs_a_commit_that_says_what_it_buys(tmp_path: Path) -> None:
    path = tmp_path / "benchmarks" / "budget.toml"
    path.parent.mkdir()

    def commit(tokens: int, message: str) -> None:
        path.write_text(f"store = {{ tokens = {tokens} }}\n", encoding="utf-8")
        git = ("git", "-C", str(tmp_path), "-c", "user.name=A", "-c", "user.email=a@example.org")
        subprocess.run([*git, "add", "."], check=True)
        subprocess.run([*git, "commit", "--quiet", "--message", message], check=True)

    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    commit(1000, "Set a budget")
    commit(900, "Remove a table")
    commit(950, "Read one more format\n\nBuys: decks of a program that many use.")
    assert unpaid_raises(tmp_path) == []
    commit(960, "Add a helper")
    (found,) = unpaid_raises(tmp_path)
    assert "raises store tokens" in found


def test_the_measures_count_code_and_not_what_explains_it(tmp_path: Path) -> None:
    source = '"""A module."""\n\n# Why.\n\n\ndef f(x):\n    """Say it."""\n    return x + 1\n'
    (tmp_path / "studyattn").mkdir()
    (tmp_path / "studyattn" / "a.py").write_text(source, encoding="utf-8")
    (tmp_path / "studyattn" / "words.txt").write_text("one\ntwo\n", encoding="utf-8")
    (mass,) = measure_rooms(tmp_path, read_modules(tmp_path).values()).values()
    assert mass["data"] == 2
    # def f ( x ) : return x + 1
    assert (mass["tokens"], mass["lines"], mass["functions"], mass["complex"]) == (10, 8, 1, 0)


def test_a_block_of_eleven_ways_is_complex(tmp_path: Path) -> None:
    (tmp_path / "studyattn").mkdir()
    for name, branches in (("simple", 9), ("complex", 10)):
        body = "\n".join(
            f"    if x == {number}:\n        return {number}" for number in range(branches)
        )
        (tmp_path / "studyattn" / f"{name}.py").write_text(f"def f(x):\n{body}\n", encoding="utf-8")
    found = {name: complex_blocks(each) for name, each in read_modules(tmp_path).items()}
    assert found == {"studyattn.simple": 0, "studyattn.complex": 1}
