"""Tokens, hosts, origins, and how often a password may be tried."""

from __future__ import annotations

import pytest

from studyattn.serve.access import Doors, FailureLimit, Owner, Visitor, new_token, visitor_of


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


def test_a_cookie_is_whose_it_says_and_nobody_else_can_write_one() -> None:
    key = b"k" * 32
    came, anna = Visitor(None), Visitor(Owner("anna", "of a password"))
    for visitor in (came, anna):
        assert visitor_of(visitor.cookie(key), key) == visitor
        assert visitor_of(visitor.cookie(key), b"another key") is None
    assert came.id != Visitor(None).id
    text, signature = anna.cookie(key).split(".")
    ben = Visitor(Owner("ben", "of a password")).cookie(key).partition(".")[0]
    for forged in (
        "",
        ".",
        text,
        f"{text}.",
        f"{ben}.{signature}",
        f"{text}.{signature}0",
        "\udcff.ü",
    ):
        assert visitor_of(forged, key) is None
