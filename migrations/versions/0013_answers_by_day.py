"""Answers of each learner day by rating and age, by hour and by kind, which follow from the log."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Filled when statistics are first asked for (`store.queries.answers`).
    op.create_table(
        "review_answers",
        sa.Column("learner_day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hour", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(32), primary_key=True),
        sa.Column("rating", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("age", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("answers", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("through", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("review_answers")
