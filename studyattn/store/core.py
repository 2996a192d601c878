"""SQLAlchemy's connection over one of ours, within its transaction.

Alembic's migrations speak through it, and so do tests and measurements that speak through the
models. It ends no transaction: that is left to whoever began it.
"""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, StaticPool, create_engine


def core_of(beneath: object, dialect: str) -> Connection:
    """Return SQLAlchemy's connection over that of a driver's library."""
    engine = create_engine(f"{dialect}://", creator=lambda: beneath, poolclass=StaticPool)
    ends: Any = engine.dialect
    ends.do_begin = ends.do_commit = ends.do_rollback = _leave
    return engine.connect()


def _leave(_connection: object) -> None:
    """Do nothing in the place of what would begin or end a transaction."""
