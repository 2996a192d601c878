"""What came from Anki, as it was there: note types, notes, and cards with their whole log."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "anki_type",
        sa.Column("number", sa.String(20), primary_key=True),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("definition", sa.Text, nullable=False),
    )
    op.create_table(
        "anki_note",
        sa.Column("guid", sa.String(200), primary_key=True),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("notetype", sa.String(20), nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("fields", sa.Text, nullable=False),
        sa.Column("tags", sa.Text, nullable=False),
        sa.Column("media", sa.Text, nullable=False),
    )
    op.create_table(
        "anki_card",
        sa.Column("item_guid", sa.String(200), primary_key=True),
        sa.Column("note", sa.String(200), nullable=False),
        sa.Column("ord", sa.BigInteger, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("deck", sa.Text, nullable=False),
        sa.Column("changed", sa.BigInteger, nullable=False),
        sa.Column("wording", sa.String(64), nullable=False),
        sa.Column("schedule", sa.Text, nullable=False),
        sa.Column("log", sa.Text, nullable=False),
        sa.Column("answers", sa.Integer, nullable=False),
    )
    if op.get_context().dialect.name == "postgresql":
        for table in ("anki_type", "anki_note", "anki_card"):
            op.execute(f"CALL be_as_in_sqlite('{table}')")


def downgrade() -> None:
    for table in ("anki_card", "anki_note", "anki_type"):
        op.drop_table(table)
