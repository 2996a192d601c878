"""How far the files of sync folders were written and read."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

TABLES = ("sync_folder", "sync_written", "sync_read")


def upgrade() -> None:
    op.create_table(
        "sync_folder",
        sa.Column("folder", sa.Text, primary_key=True),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("machine", sa.Text, nullable=False),
        sa.Column("size", sa.Integer, nullable=False),
        sa.Column("tail", sa.String(32), nullable=False),
        sa.Column("marks", sa.JSON, nullable=False),
    )
    op.create_table(
        "sync_written",
        sa.Column("folder", sa.Text, primary_key=True),
        sa.Column("record", sa.Text, primary_key=True),
        sa.Column("digest", sa.String(32), nullable=False),
    )
    op.create_table(
        "sync_read",
        sa.Column("folder", sa.Text, primary_key=True),
        sa.Column("name", sa.Text, primary_key=True),
        sa.Column("offset", sa.Integer, nullable=False),
        sa.Column("tail", sa.String(32), nullable=False),
    )
    if op.get_context().dialect.name == "postgresql":
        for table in TABLES:
            op.execute(f"CALL be_as_in_sqlite('{table}')")


def downgrade() -> None:
    for table in TABLES:
        op.drop_table(table)
