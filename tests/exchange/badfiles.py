"""Files that must not come in, each with what is wrong with it, for the command and the app."""

from __future__ import annotations

import io
import json
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

from studyattn.exchange.anki.writer import write_package
from studyattn.exchange.json_lines import write_lines
from studyattn.exchange.learning_note.content import learning_note
from studyattn.exchange.learning_note.writer import write_note
from studyattn.memory import Scheduler
from studyattn.store.snapshot import ConceptRecord, NoteRecord, Snapshot
from tests.exchange.homes import NOW

LIMIT_MB = 16
"""What a package may unpack to in these tests; the real limit takes a while to reach."""

HEAD = '{"type": "studyattn", "schema": 1}'
LEARNT = Snapshot(
    concepts=(ConceptRecord("rows", "Rows", "known", "", None, None, None, 0, False, False, ()),),
    notes=(NoteRecord("n", "Mine", "Each row sums to 1.", "rows", None, None, NOW, NOW),),
)


def _zipped(path: Path, entries: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in entries.items():
            archive.writestr(name, data)
    return path


def _package(folder: Path) -> Path:
    path = folder / "cards.apkg"
    write_package(path, Snapshot(), Scheduler())
    return path


def truncated_zip(folder: Path) -> Path:
    path = _package(folder)
    path.write_bytes(path.read_bytes()[:-500])
    return path


def zip_bomb(folder: Path) -> Path:
    """Some kilobytes that unpack to more than is ever unpacked."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("collection.anki2", "w", force_zip64=True) as entry:
            for _ in range(LIMIT_MB + 1):
                entry.write(bytes(2**20))
        archive.writestr("media", b"{}")
    path = folder / "bomb.apkg"
    path.write_bytes(stream.getvalue())
    return path


def path_in_media(folder: Path) -> Path:
    path = _package(folder)
    with zipfile.ZipFile(path) as archive:
        collection = archive.read("collection.anki2")
    media = json.dumps({"0": "../../.bashrc"}).encode()
    return _zipped(path, {"collection.anki2": collection, "media": media, "0": b"x"})


def no_collection(folder: Path) -> Path:
    return _zipped(folder / "no.apkg", {"collection.anki2": b"no database at all" * 99})


def newer_json(folder: Path) -> Path:
    path = folder / "all.jsonl"
    path.write_text('{"type": "studyattn", "schema": 99}\n{"type": "whatever"}\n')
    return path


def json_with_a_bad_end(folder: Path) -> Path:
    path = folder / "all.jsonl"
    path.write_text("\n".join([*write_lines(LEARNT), '{"type": "note"}']) + "\n")
    return path


def endless_line(folder: Path) -> Path:
    path = folder / "all.jsonl"
    path.write_text(HEAD + '\n{"type": "note", "body": "' + "x" * (65 * 2**20) + '"}\n')
    return path


def newer_note(folder: Path) -> Path:
    path = folder / "note.md"
    path.write_text(write_note(learning_note(LEARNT)).replace("format: 1", "format: 99"))
    return path


def broken_note(folder: Path) -> Path:
    path = folder / "note.md"
    note = write_note(learning_note(LEARNT))
    path.write_text(note.replace('"state":"known"', '"state":"mastered"'))
    return path


def binary_document(folder: Path) -> Path:
    path = folder / "qa.md"
    path.write_bytes(b"# Title\n\n\0\1\2")
    return path


def web_page(folder: Path) -> Path:
    path = folder / "qa.md"
    path.write_text("\n<HTML><body>Q: Why?\nA: So.</body></HTML>")
    return path


def latin_document(folder: Path) -> Path:
    path = folder / "qa.md"
    path.write_bytes("# Übung\n".encode("latin-1"))
    return path


def bad_log(folder: Path) -> Path:
    path = folder / "log.jsonl"
    path.write_text('{"guid": "nowhere", "rating": 3, "at": "2026-03-02T12:00:00Z"}\n')
    return path


def foreign_database(folder: Path) -> Path:
    path = folder / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE note (id)")
    connection.close()
    return path


BAD_FILES: tuple[tuple[Callable[[Path], Path], str], ...] = (
    (truncated_zip, "it is not an Anki package, or it is damaged"),
    (zip_bomb, f"it holds more than {LIMIT_MB} MB unpacked"),
    (path_in_media, "'../../.bashrc' points outside its folder"),
    (no_collection, "its collection is not an Anki database"),
    (newer_json, "it has schema 99"),
    (json_with_a_bad_end, "object missing required field `guid`"),
    (endless_line, "the line is too long"),
    (newer_note, "it is a learning note of format 99"),
    (broken_note, "'mastered' is not one of"),
    (binary_document, "this is a binary file, not text"),
    (web_page, "this is a web page"),
    (latin_document, "the text is not UTF-8"),
    (bad_log, "there is no item 'nowhere'"),
    (foreign_database, "this is a database, not a document"),
)
NAMES = [make.__name__ for make, _ in BAD_FILES]


def rows_of(database: Path) -> dict[str, list[tuple[object, ...]]]:
    """All that a database holds, by table."""
    with sqlite3.connect(database) as connection:
        names = [
            name
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            )
        ]
        found = {name: connection.execute(f"SELECT * FROM {name}").fetchall() for name in names}
    connection.close()
    return found
