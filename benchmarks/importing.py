"""Time the import of 10,000 questions and answers: the preview, the import, and again.

    python -m benchmarks.importing [--questions N]

Printed beside it, as measures: what the Markdown library alone needs to parse the same text, and
what the raw `sqlite3` module needs to insert as many rows of the same texts with the same
durability.
"""

from __future__ import annotations

import argparse
import sqlite3
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from studyattn.exchange.documents.importing import apply_import, read_documents
from studyattn.exchange.documents.plan import ImportPlan
from studyattn.home import Home
from studyattn.store.database import open_database

NOW = datetime(2026, 1, 5, 12, tzinfo=UTC)

Result = TypeVar("Result")


def main() -> None:
    parser = argparse.ArgumentParser(description="Import a large Q&A document.")
    parser.add_argument("--questions", type=int, default=10_000)
    count = parser.parse_args().questions
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        document = folder / "questions.md"
        text = questions(count)
        document.write_text(text, encoding="utf-8")
        parsed, _ = timed(lambda: parse_with_library(text))
        with open_database(Home(folder / "home"), now=NOW) as database:
            planned, plan = timed(lambda: read_documents(database, [document]).plan)
            applied, _ = timed(lambda: apply_import(database, plan, NOW))
            again, second = timed(lambda: read_documents(database, [document]).plan)
            document.write_text(text.replace("What is", "Say what is"), encoding="utf-8")
            reworded, third = timed(lambda: read_documents(database, [document]).plan)
        inserted, _ = timed(lambda: insert_raw(folder / "raw.db", plan))
    assert second.changes_nothing
    assert all(card.row is not None for card in third.sources[0].cards)
    size = len(text) / 1e6
    print(f"the Markdown library alone, {size:.1f} MB     {parsed:6.2f} s")
    print(f"preview of {count:,} questions        {planned:6.2f} s   {planned / parsed:4.1f}×")
    print(f"preview when all of it is there       {again:6.2f} s   {again / parsed:4.1f}×")
    print(f"preview when every question changed   {reworded:6.2f} s   {reworded / parsed:4.1f}×")
    print(f"raw sqlite3, the same rows            {inserted:6.2f} s")
    print(f"import of the preview                 {applied:6.2f} s   {applied / inserted:4.1f}×")


def questions(count: int) -> str:
    """A document of `count` questions with an answer of three lines and a link each."""
    parts = ["# Questions\n\n## Questions\n"]
    parts.extend(
        f"### {number}. What is thing {number} of the {number * 7919 % 10007}?\n\n"
        f"It is *thing* {number}, with $x_{{{number}}}$ and an answer\nthat goes on over lines.\n\n"
        f"**Learn more:**\n- [page {number}](https://example.org/{number})\n\n---\n"
        for number in range(1, count + 1)
    )
    return "\n".join(parts)


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    begun = time.perf_counter()
    result = work()
    return time.perf_counter() - begun, result


def parse_with_library(text: str) -> None:
    from markdown_it import MarkdownIt

    MarkdownIt("commonmark").parse(text)


def insert_raw(path: Path, plan: ImportPlan) -> None:
    """As many rows in four tables, with the texts of the plan, in one durable transaction."""
    cards = plan.sources[0].cards
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;"
        "CREATE TABLE concept (id INTEGER PRIMARY KEY, slug TEXT UNIQUE, title TEXT, state TEXT);"
        "CREATE TABLE change (id INTEGER PRIMARY KEY, concept INTEGER, at TEXT, reason TEXT);"
        "CREATE TABLE item (id INTEGER PRIMARY KEY, guid TEXT UNIQUE, concept INTEGER, at TEXT);"
        "CREATE TABLE card (id INTEGER PRIMARY KEY, front TEXT, back TEXT, digest TEXT);"
    )
    at = NOW.isoformat()
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany(
        "INSERT INTO concept VALUES (?, ?, ?, 'known-unknown')",
        [(row, card.concept, card.front) for row, card in enumerate(cards)],
    )
    connection.executemany(
        "INSERT INTO change VALUES (?, ?, ?, 'asked')",
        [(row, row, at) for row in range(len(cards))],
    )
    connection.executemany(
        "INSERT INTO item VALUES (?, ?, ?, ?)",
        [(row, card.guid, row, at) for row, card in enumerate(cards)],
    )
    connection.executemany(
        "INSERT INTO card VALUES (?, ?, ?, ?)",
        [(row, card.front, card.back, card.digest) for row, card in enumerate(cards)],
    )
    connection.execute("COMMIT")
    connection.close()


if __name__ == "__main__":
    main()
