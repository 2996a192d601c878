"""The shape of the package: no circles, no database library outside its rooms, no stale page."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.house import (
    DATABASE_ROOMS,
    Module,
    database_importers,
    hidden_names,
    import_circles,
    import_graph,
    read_modules,
    statements,
)
from studyattn.cli import roff
from studyattn.cli.app import studyattn
from studyattn.cli.table import COMMANDS

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


def test_the_manual_pages_of_the_wheel_say_what_the_help_says() -> None:
    pages = {f"{roff.title(name)}.1": roff.page(studyattn, name) for name in (None, *COMMANDS)}
    kept = {file.name: file.read_text("utf-8") for file in (ROOT / "man").iterdir()}
    stale = sorted(name for name in pages.keys() | kept if pages.get(name) != kept.get(name))
    assert stale == [], "write them again: .venv/bin/studyattn man --dir man"
