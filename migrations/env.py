"""Runs migrations on the connection that `studyattn.store.migrate` or a test hands over.

The connection's transaction, its pragmas and the backup before it are the caller's.
"""

from alembic import context

from studyattn.store.models import Base

connection = context.config.attributes.get("connection")
if connection is None:
    raise SystemExit("migrations run when studyattn opens a database: start it instead")
context.configure(
    connection=connection,
    target_metadata=Base.metadata,
    render_as_batch=True,  # SQLite cannot alter most of a table: Alembic rebuilds it
    compare_type=True,
    compare_server_default=True,
)
with context.begin_transaction():
    context.run_migrations()
