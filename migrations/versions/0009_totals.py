"""Totals that follow from the log: of each learner day, and when each item was last forgotten."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Filled when the home is opened (`store.queries.days`).
    op.create_table(
        "review_day",
        sa.Column("learner_day", sa.Date, primary_key=True),
        sa.Column("again", sa.Integer, nullable=False),
        sa.Column("hard", sa.Integer, nullable=False),
        sa.Column("good", sa.Integer, nullable=False),
        sa.Column("easy", sa.Integer, nullable=False),
        sa.Column("asked", sa.Integer, nullable=False),
        sa.Column("recalled", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("through", sa.Integer, nullable=False),
    )
    # The update writes every row again: recovery knows rows by their number of values.
    op.add_column("item", sa.Column("forgotten_at", sa.DateTime))
    op.execute(
        "UPDATE item SET forgotten_at ="
        " (SELECT max(at) FROM review WHERE item_guid = item.guid AND rating = 1)"
    )
    op.create_index(
        "ix_item_concept",
        "item",
        [
            *("concept_id", "kind", "phase", "retired", "suspended"),
            *("stability", "due", "forgotten_at"),
        ],
    )


def downgrade() -> None:
    op.drop_index("ix_item_concept", "item")
    op.drop_column("item", "forgotten_at")
    op.drop_table("review_day")
