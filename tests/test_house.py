"""The shape of the package: no circles of any kind, no database library outside its rooms."""

from __future__ import annotations

from pathlib import Path

from benchmarks.house import (
    DATABASE_ROOMS,
    database_importers,
    import_circles,
    import_graph,
    read_modules,
    statements,
)

ROOT = Path(__file__).resolve().parent.parent


def test_no_module_imports_itself_over_others_not_even_for_types() -> None:
    assert import_circles(import_graph(read_modules(ROOT))) == []


def test_only_the_databases_rooms_import_a_database_library() -> None:
    assert database_importers(read_modules(ROOT)) == []


def test_only_the_databases_rooms_hold_statements() -> None:
    found = {
        name: count
        for name, module in read_modules(ROOT).items()
        if not name.startswith(DATABASE_ROOMS) and (count := statements(module))
    }
    assert found == {}


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
