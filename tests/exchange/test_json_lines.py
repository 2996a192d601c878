"""JSON Lines: out, in, out again is the same file; what does not fit is refused with its line."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import get_args, get_type_hints

import pytest
from hypothesis import HealthCheck, given, settings

from studyattn.errors import DocumentError, InputError
from studyattn.exchange.import_file import import_file
from studyattn.exchange.json_lines import SCHEMA, read_lines, write_lines
from studyattn.exchange.merge.merge_into import merge_into
from studyattn.exchange.recognition import is_everything
from studyattn.exchange.registry import JSON_LINES, format_of
from studyattn.memory import Rating
from studyattn.packs.card_kinds import KINDS
from studyattn.store.database import Database
from studyattn.store.decisions import DECIDED
from studyattn.store.queries.snapshot import load_snapshot
from studyattn.store.snapshot import DecisionRecord, RatingName, Snapshot
from studyattn.store.vocabulary import STATES, State
from studyattn.study.review.rebuild import check_database, refold
from tests.exchange.generated import snapshot
from tests.exchange.homes import NOW, Homes

HEAD = '{"type": "studyattn", "schema": 1}'
NOTE = (
    '{"type": "note", "guid": "n", "title": "t", "body": "b", "concept": null, "source": null,'
    ' "item": null, "created_at": "2026-01-01T00:00:00+00:00",'
    ' "updated_at": "2026-01-01T00:00:00+00:00"}'
)
SETTING = '{"type": "setting", "key": "settings.x", "value": 5}'
CARD = (
    '{"type": "item", "guid": "i", "kind": "card", "concept": "c", "source": null, "pack": null,'
    ' "position": 0, "created_at": "1999-01-01T00:00:00Z", "suspended": false, "marked": false,'
    ' "retired": false, "buried_until": null, "card": {"kind": "basic", "front": "f", "back": "b",'
    ' "answer": null, "extra": {}, "digest": "", "edited_at": "2026-01-01T00:00:00+01:00",'
    ' "sibling_group": null}}'
)
REVIEW = (
    '{"type": "review", "uuid": "r", "item_guid": "i", "rating": "good", "withdraws": null, "at":'
    ' "1999-01-01T00:00:00Z", "utc_offset": 60, "learner_day": "2026-01-01", "seconds": 4.5,'
    ' "origin": "learner"}'
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
        "all.jsonl:1: it has schema 3; this version of studyattn reads up to 2. Use a newer "
        "version of studyattn"
    )


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "the line is not JSON"),
        ("[]", "expected `object`, got `array`"),
        ("[" * 100_000, "expected `object`, got `array`"),
        (SETTING.replace("5", "[" * 100_000), "the line is nested too deeply"),
        (SETTING.replace("5", "NaN"), "the line is not JSON"),
        (SETTING.replace("5", "1e999"), "number out of range at `$.value`"),
        ('{"type": "secret"}', "invalid value 'secret' at `$.type`"),
        (NOTE.replace('"title": "t", ', ""), "object missing required field `title`"),
        (NOTE.replace('"t"', "5"), "expected `str`, got `int` at `$.title`"),
        (NOTE.replace('"t"', '"\\ud800"'), "the line is not JSON"),
        (NOTE.replace('"b"', '"b", "more": 1'), "object contains unknown field `more`"),
        (NOTE.replace("+00:00", ""), "expected `datetime` with a timezone component"),
        (NOTE.replace("2026", "1969"), "expected a time from 1970 to 9000 at `$.created_at`"),
        (
            CARD.replace("basic", "picture"),
            "'picture' is not one of the known values at `$.c",
        ),
        (CARD.replace('"answer": null, ', ""), "missing required field `answer` at `$.card`"),
        (CARD.replace("2026", "9001"), "expected a time from 1970 to 9000 at `$.card.edited_at`"),
        (CARD.replace('"position": 0', '"position": 9223372036854775808'), "at `$.position`"),
        (CARD.replace('"kind": "card"', '"kind": "drill"'), "a drill must not have one"),
        (REVIEW.replace("good", "fine"), "'fine' is not one of the known values at `$.rating`"),
        (REVIEW.replace('"good"', "3"), "at `$.rating`"),
        (REVIEW.replace("60", "1441"), "expected `int` <= 1440 at `$.utc_offset`"),
        (REVIEW.replace("4.5", "-1"), "expected `float` >= 0.0 at `$.seconds`"),
        (REVIEW.replace("2026-01-01", "2026-1-1"), "at `$.learner_day`"),
        (REVIEW.replace('"withdraws": null', '"withdraws": "r"'), "either rates or withdraws"),
    ],
)
def test_a_line_that_does_not_fit_is_refused(line: str, problem: str) -> None:
    message = refused(HEAD, line)
    assert message.startswith("all.jsonl:2: ")
    assert problem in message


def test_a_time_with_any_offset_is_read_as_utc() -> None:
    lines = [HEAD, CARD, REVIEW]
    held = read_lines([line.encode() for line in lines], "all.jsonl")
    (item,) = held.items
    assert item.card is not None
    assert item.card.edited_at == datetime(2025, 12, 31, 23, tzinfo=UTC)
    assert item.card.edited_at.tzinfo is UTC
    assert '"edited_at": "2025-12-31T23:00:00+00:00"' in list(write_lines(held))[1]


def test_the_kinds_and_states_of_a_file_are_those_of_the_program() -> None:
    for kind in KINDS:
        lines = [HEAD.encode(), CARD.replace("basic", kind).encode()]
        (item,) = read_lines(lines, "all.jsonl").items
        assert item.card is not None
        assert item.card.kind == kind
    assert get_args(RatingName) == tuple(rating.name.lower() for rating in Rating)
    assert get_args(State) == STATES


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
            import_file(database, path, JSON_LINES, NOW, refold)
        assert str(caught.value).startswith(f"{path}: ")
        assert exported(database) == before


def test_only_what_says_so_is_taken_for_an_export(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_text('{"guid": "a", "rating": 3, "at": "2026-01-01T00:00:00+00:00"}\n')
    assert format_of(log) is None
    log.write_text(HEAD)
    assert format_of(log) is JSON_LINES
    assert not is_everything(log, b"[" * 100_000)


def test_each_kind_of_decision_can_be_written_and_read() -> None:
    kinds = get_args(get_type_hints(DecisionRecord)["kind"])
    assert set(kinds) == {kind for kind, _ in DECIDED}
