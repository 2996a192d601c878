"""Runs migrations on the connection that `studyattn.store.migrate` or a test hands over.

The connection's transaction, its pragmas and the backup before it are the caller's.
"""

from alembic import context
from sqlalchemy import Connection, Engine

from studyattn.store.models import Base
from studyattn.store.queries import answers, days
from studyattn.store.search import is_of_index


def is_of_models(name: str | None, kind: str, _parents: object) -> bool:
    """Whether the models describe a thing of the database.

    They describe neither indexes for search nor the log's totals, which follow from other tables.
    """
    follows = name in {days.TABLE, answers.TABLE} or is_of_index(name or "")
    return kind != "table" or not follows


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        render_as_batch=True,  # SQLite cannot alter most of a table: Alembic rebuilds it
        transactional_ddl=True,  # our connections begin for themselves, so SQLite's DDL rolls back
        compare_type=True,
        compare_server_default=True,
        include_name=is_of_models,
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if isinstance(given, Engine):
    with given.connect() as opened:
        run(opened)
elif isinstance(given, Connection):
    run(given)
else:
    raise SystemExit("migrations run when studyattn opens a database: start it instead")
