"""The address of a shared database on a PostgreSQL server, and whose things in it are meant.

`postgresql+psycopg://user@host/name?learner=anna`: each learner has a schema of their own in the
database, `studyattn_anna`. Text only: nothing here connects to anything.
"""

from __future__ import annotations

import getpass
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import SplitResult, parse_qsl, unquote, urlencode, urlsplit

from studyattn.errors import InputError

_SCHEMES = frozenset({"postgresql+psycopg", "postgresql", "postgres"})
_LEARNER = re.compile(r"[a-z0-9][a-z0-9_.-]{0,49}")  # PostgreSQL's names have at most 63 bytes
_EXAMPLE = "Write it as postgresql+psycopg://user@host/name."


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A learner's part of a database on a server."""

    url: str = field(repr=False)  # as SQLAlchemy reads it; may have a password in it
    shown: str  # the same for people: without the password
    learner: str

    @property
    def schema(self) -> str:
        """The schema that holds everything of this learner."""
        return f"studyattn_{self.learner}"

    def __str__(self) -> str:
        return f"{self.shown} (learner {self.learner})"


def is_address(text: str) -> bool:
    """Tell whether this names a server rather than a file."""
    return text.partition("://")[0].lower() in _SCHEMES and "://" in text


def read_address(
    text: str, learner: str | None = None, environment: Mapping[str, str] | None = None
) -> ServerAddress:
    """Parse an address. The learner is `learner`, else the address's, else the user.

    Raises InputError, which never repeats a password.
    """
    environment = os.environ if environment is None else environment
    if not is_address(text):
        raise InputError(
            "this is not a PostgreSQL address",
            where="--db",
            advice=f"{_EXAMPLE} A SQLite database is chosen with --home.",
        )
    try:
        parts = urlsplit(text)
        shown = _shown(parts)
    except ValueError as error:
        raise InputError("this address cannot be read", where="--db", advice=_EXAMPLE) from error
    if not parts.path.strip("/"):
        raise InputError("this address has no database name", where="--db", advice=_EXAMPLE)
    query = parse_qsl(parts.query, keep_blank_values=True)
    named = learner or next((value for key, value in query if key == "learner"), None)
    rest = urlencode([pair for pair in query if pair[0] != "learner"])
    url = parts._replace(scheme="postgresql+psycopg", query=rest).geturl()
    return ServerAddress(url, shown, _profile(named or _user(parts, environment)))


def _profile(name: str) -> str:
    name = name.lower()
    if not _LEARNER.fullmatch(name):
        raise InputError(
            f"{name!r} is not a valid learner name",
            where="--learner",
            advice="Use up to 50 of the letters a to z, digits, '_', '.' and '-'.",
        )
    return name


def _user(parts: SplitResult, environment: Mapping[str, str]) -> str:
    """Return the user who connects, as PostgreSQL's own library finds it."""
    named = unquote(parts.username or "") or environment.get("PGUSER")
    if named:
        return named
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):
        raise InputError(
            "no user is named",
            where="--db",
            advice="Write the user before the host, or add --learner NAME.",
        ) from None


def _shown(parts: SplitResult) -> str:
    user = f"{parts.username}@" if parts.username else ""
    host = parts.hostname or dict(parse_qsl(parts.query)).get("host", "localhost")
    host = f"[{host}]" if ":" in host else host
    port = f":{parts.port}" if parts.port else ""
    return f"postgresql://{user}{host}{port}{parts.path}"
