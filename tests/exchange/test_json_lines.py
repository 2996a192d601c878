"""JSON Lines: out, in, out again is the same file; what does not fit is refused with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from studyattn.errors import DocumentError, InputError
from studyattn.exchange.import_file import FileKind, file_kind, import_file
from studyattn.exchange.json_lines import SCHEMA, is_everything, read_lines, write_lines
from studyattn.exchange.merge.load_snapshot import load_snapshot
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.exchange.merge.snapshot import Snapshot
from studyattn.store.database import Database
from studyattn.study.review.rebuild import check_database, refold
from tests.exchange.generated import snapshot
from tests.exchange.homes import NOW, Homes

HEAD = '{"type": "studyattn", "schema": 1}'
NOTE = (
    '{"type": "note", "guid": "n", "title": "t", "body": "b", "concept": null, "source": null,'
    ' "item": null, "created_at": "2026-01-01T00:00:00+00:00",'
    ' "updated_at": "2026-01-01T00:00:00+00:00"}'
)


def exported(database: Database) -> bytes:
    with database.read() as connection:
        return "".join(f"{line}\n" for line in write_lines(load_snapshot(connection))).encode()


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(snapshot())
def test_what_comes_out_goes_in_and_comes_out_the_same(homes: Homes, before: Snapshot) -> None:
    with homes.new() as first, homes.new() as second:
        merge_into(first, before, refold)
        file = exported(first)
        merge_into(second, read_lines(file.splitlines(keepends=True), "all.jsonl"), refold)
        assert exported(second) == file
        assert merge_into(first, before, refold).changes_nothing
        assert not check_database(second.home)


def refused(*lines: str) -> str:
    with pytest.raises(DocumentError) as caught:
        read_lines([f"{line}\n".encode() for line in lines], "all.jsonl")
    return str(caught.value)


def test_a_newer_schema_is_refused_in_one_line() -> None:
    message = refused(HEAD.replace("1", str(SCHEMA + 1)), "whatever comes then")
    assert message == (
        "all.jsonl:1: it has schema 2; this studyattn reads up to 1. Use a newer studyattn"
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "the line is not JSON"),
        ("[]", "the line is no JSON object"),
        ("[" * 100_000, "the line is not JSON"),
        ('{"type": "secret"}', "no kind of line 'secret'"),
        (NOTE.replace('"title": "t", ', ""), "lacks 'title'"),
        (NOTE.replace('"t"', "5"), "note.title is not a text"),
        (NOTE.replace('"t"', '"\\ud800"'), "note.title is not whole characters"),
        (NOTE.replace('"b"', '"b", "more": 1'), "unknown field 'more'"),
        (NOTE.replace("+00:00", ""), "is not a time with its offset"),
        ('{"type": "setting", "key": "settings.x", "value": NaN}', "the line is not JSON"),
        ('{"type": "setting", "key": "settings.x", "value": 1e999}', "setting.value is not"),
    ],
)
def test_a_line_that_does_not_fit_is_refused(line: str, problem: str) -> None:
    message = refused(HEAD, line)
    assert message.startswith("all.jsonl:2: ")
    assert problem in message


def test_the_same_thing_twice_is_refused() -> None:
    assert "two of note 'n'" in refused(HEAD, NOTE, NOTE)


def test_a_line_of_a_megabyte_is_read() -> None:
    long = NOTE.replace('"b"', json.dumps("x" * 1_000_000))
    (note,) = read_lines([HEAD.encode(), long.encode()], "all.jsonl").notes
    assert len(note.body) == 1_000_000


def test_a_file_with_one_bad_reference_leaves_nothing_behind(homes: Homes, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    path.write_text(
        "\n".join(
            [HEAD, NOTE, NOTE.replace('"n"', '"m"').replace('"item": null', '"item": "nowhere"')]
        )
    )
    with homes.new() as database:
        before = exported(database)
        with pytest.raises(InputError, match="there is no item 'nowhere'") as caught:
            import_file(database, path, FileKind.EVERYTHING, NOW, refold)
        assert str(caught.value).startswith(f"{path}: ")
        assert exported(database) == before


def test_only_what_says_so_is_taken_for_an_export(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"guid": "a", "rating": 3, "at": "2026-01-01T00:00:00+00:00"}\n')
    assert file_kind(log) is None
    log.write_text(HEAD)
    assert file_kind(log) is FileKind.EVERYTHING
    assert not is_everything("[" * 100_000)
