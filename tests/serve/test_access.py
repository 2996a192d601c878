"""Tokens, hosts, origins, and how often a password may be tried."""

from __future__ import annotations

import pytest

from studyattn.serve.access import Doors, FailureLimit, Visitors, new_token


def test_only_the_token_opens() -> None:
    doors = Doors(new_token(), "127.0.0.1")
    assert doors.knows_token(doors.token or "")
    assert not doors.knows_token("")
    assert not doors.knows_token("ü" * 43)
    assert Doors(None, "127.0.0.1").knows_token("")


@pytest.mark.parametrize(
    ("listening", "named", "answers"),
    [
        ("127.0.0.1", "127.0.0.1:8000", True),
        ("127.0.0.1", "localhost:8000", True),
        ("127.0.0.1", "[::1]:8000", True),
        ("127.0.0.1", "evil.example:8000", False),
        ("127.0.0.1", "127.0.0.1.evil.example", False),
        ("127.0.0.1", "study.example", True),
        ("127.0.0.1", "", False),
        ("127.0.0.1", "[", False),
        ("0.0.0.0", "study.example", True),
        ("0.0.0.0", "evil.example", False),
    ],
)
def test_a_name_that_is_not_the_servers_is_refused(
    listening: str, named: str, answers: bool
) -> None:
    doors = Doors("t", listening, frozenset({"study.example"}))
    assert doors.answers_to(named) is answers


def test_a_server_that_others_reach_answers_to_any_name_unless_some_are_given() -> None:
    assert Doors("t", "0.0.0.0").answers_to("10.1.2.3:8000")


@pytest.mark.parametrize(
    ("origin", "own"),
    [
        ("http://localhost:8000", True),
        ("https://localhost:8000", True),
        ("http://localhost:8001", False),
        ("http://evil.example", False),
        ("null", False),
        (None, False),
    ],
)
def test_only_the_servers_own_page_may_open_a_socket(origin: str | None, own: bool) -> None:
    assert Doors.is_own_page(origin, "localhost:8000") is own


def test_passwords_are_tried_five_times_a_minute() -> None:
    now = [0.0]
    limit = FailureLimit(lambda: now[0])
    for _ in range(5):
        assert not limit.is_reached("a")
        limit.note("a")
    assert limit.is_reached("a")
    assert not limit.is_reached("b")
    now[0] = 61.0
    assert not limit.is_reached("a")


def test_a_right_password_does_not_count() -> None:
    limit = FailureLimit(lambda: 0.0, most=1)
    limit.note("a")
    limit.forgive("a")
    assert not limit.is_reached("a")


def test_the_oldest_visitors_are_forgotten() -> None:
    visitors = Visitors(most=2)
    first, second, third = visitors.new(), visitors.new(), visitors.new()
    assert visitors.find(first.cookie) is None
    assert visitors.find(second.cookie) is second
    assert visitors.find(third.cookie) is third
    assert visitors.find(None) is None
