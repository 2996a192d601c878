"""The cards that a learner made of a document's questions in the preview of an import."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    none = sa.Column("edits", sa.JSON, nullable=False, server_default="{}")
    op.add_column("source", none)


def downgrade() -> None:
    op.drop_column("source", "edits")
