"""No index of reviews by their instant: no statement that is waited for needs it."""

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_review_at", "review")


def downgrade() -> None:
    op.create_index("ix_review_at", "review", ["at"])
