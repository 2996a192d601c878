"""`columns.txt` says what the models say: `python -m tests.store.test_columns` writes it anew."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Column

import studyattn.store
from studyattn.store.column_types import handling, kind_of
from studyattn.store.columns import tables
from studyattn.store.models import Base

PAGE = Path(studyattn.store.__file__).with_name("columns.txt")
HEAD = """\
# The tables and their columns, as `python -m tests.store.test_columns` writes them from the models:
# name, kind, whether it is a key, the table whose numbers it has, and its default as JSON.
"""


def written() -> str:
    return HEAD + "".join(f"{row}\n" for row in _rows())


def _rows() -> Iterator[str]:
    for table in Base.metadata.sorted_tables:
        yield table.name
        yield from (f"  {' '.join(_marks(column))}" for column in table.columns)


def _marks(column: Column[Any]) -> Iterator[str]:
    yield from (column.name, kind_of(column.type))
    if column.primary_key:
        yield "key"
    for key in column.foreign_keys:
        yield f">{key.column.table.name}"
    default: Any = column.default
    if default is not None:
        yield f"={json.dumps(default.arg if default.is_scalar else default.arg(None))}"


def test_the_page_of_columns_is_that_of_the_models() -> None:
    assert PAGE.read_text("utf-8") == written()
    for table in Base.metadata.sorted_tables:
        for column in table.columns:
            assert tables()[table.name][column.name].handled is handling(column.type)
    assert list(tables()) == [table.name for table in Base.metadata.sorted_tables]


if __name__ == "__main__":
    PAGE.write_text(written(), "utf-8")
