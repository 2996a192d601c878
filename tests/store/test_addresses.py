"""Addresses of a database on a server: whose part is meant, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from studyattn.address import read_address
from studyattn.errors import InputError
from studyattn.home import find_home

SECRET = "s3cret"


@pytest.mark.parametrize(
    ("text", "whose", "schema", "shown"),
    [
        ("postgresql+psycopg://anna@host/db", None, "studyattn_anna", "postgresql://anna@host/db"),
        ("postgres://anna:pw@host:99/db", "Ben", "studyattn_ben", "postgresql://anna@host:99/db"),
        ("postgresql://u@h/db?learner=c.d&sslmode=require", None, "studyattn_c.d", "//u@h/db"),
        ("postgresql:///db?host=/run/pg", None, "studyattn_me", "postgresql:///run/pg/db"),
    ],
)
def test_an_address_says_whose_part_is_meant(
    text: str, whose: str | None, schema: str, shown: str
) -> None:
    address = read_address(text, whose, {"PGUSER": "me"})
    assert address.schema == schema
    assert shown in address.shown
    assert "learner=" not in address.url
    assert "pw" not in f"{address!r} {address}"


@pytest.mark.parametrize(
    "text",
    [
        "sqlite:///x.db",
        "x.db",
        "postgresql://host",
        "postgresql://u@h:port/db",
        "postgresql://u@h/db?learner=x%22;drop",
        "postgresql://u@h/db?learner=" + "x" * 51,
    ],
)
def test_what_is_no_address_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(InputError) as raised:
        read_address(text.replace("u@", f"u:{SECRET}@"), None, {})
    assert SECRET not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_home_has_its_database_where_the_option_or_the_environment_says(tmp_path: Path) -> None:
    environment = {"STUDYATTN_DB": "postgresql://anna@h/db", "STUDYATTN_LEARNER": "ben"}
    said = find_home(tmp_path, environment).server
    chosen = find_home(tmp_path, environment, database="postgresql://o@p/q", learner="x").server
    assert (str(said), str(chosen)) == (
        "postgresql://anna@h/db (learner ben)",
        "postgresql://o@p/q (learner x)",
    )
    assert find_home(tmp_path, {}).server is None
    with pytest.raises(InputError, match="a shared database"):
        find_home(tmp_path, {}, learner="anna")
