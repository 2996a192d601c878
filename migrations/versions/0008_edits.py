"""The cards that a learner made of a document's questions in the preview of an import."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    text = sa.Text()
    if op.get_context().dialect.name == "postgresql":
        text = sa.Text(collation="C")
    op.add_column("source", sa.Column("edits", text, nullable=False, server_default=sa.text("''")))
    # SQLite leaves rows on their pages as they are; recovery knows rows by their number of values.
    op.execute("UPDATE source SET edits = ''")


def downgrade() -> None:
    op.drop_column("source", "edits")
