"""What happens in practice besides attempts, and cards that a mistake in code brought back."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "practice_step",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("item_guid", sa.String(200), nullable=False, index=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sa.Column("learner_day", sa.Date, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("code", sa.Text),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.CheckConstraint("kind IN ('began', 'hint', 'revealed', 'kept', 'left')", name="kind"),
    )
    on_server = op.get_context().dialect.name == "postgresql"
    if not on_server:
        for change in ("UPDATE", "DELETE"):
            op.execute(
                f"CREATE TRIGGER practice_step_no_{change.lower()} BEFORE {change} "
                "ON practice_step "
                "BEGIN SELECT RAISE(ABORT, 'practice_step rows are only added'); END"
            )
    op.create_table(
        "brought_back",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("item_guid", sa.String(200), nullable=False, index=True),
        sa.Column("attempt_uuid", sa.String(36), nullable=False, index=True),
        sa.Column("misconception", sa.String(100), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("learner_day", sa.Date, nullable=False),
        sa.Column("taken_back_at", sa.DateTime),
    )
    if on_server:
        op.execute("CALL only_add('practice_step')")
        op.execute("CALL be_as_in_sqlite('practice_step')")
        op.execute("CALL be_as_in_sqlite('brought_back')")


def downgrade() -> None:
    op.drop_table("brought_back")
    op.drop_table("practice_step")  # its triggers go with it
