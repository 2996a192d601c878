"""The learner's tags on items."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    text = sa.Text()
    if op.get_context().dialect.name == "postgresql":
        text = sa.Text(collation="C")
    op.add_column("item", sa.Column("tags", text, nullable=False, server_default=sa.text("''")))
    # SQLite leaves rows on their pages as they are; recovery knows rows by their number of values.
    op.execute("UPDATE item SET tags = ''")


def downgrade() -> None:
    op.drop_column("item", "tags")
