"""Where an item's memory begins: an item that was reset, or learned before its log began."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "memory_start",
        sa.Column("item_guid", sa.String(200), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sa.Column("learner_day", sa.Date, nullable=False),
        sa.Column("interval", sa.Double),
        sa.Column("ease", sa.Double),
    )
    if op.get_context().dialect.name == "postgresql":
        op.execute("CALL be_as_in_sqlite('memory_start')")


def downgrade() -> None:
    op.drop_table("memory_start")
