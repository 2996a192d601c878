"""An index for search by parts of words, beside that of words.

How indexes are made is told in one place, `studyattn.store.search`, and not frozen here.
"""

from alembic import op

from studyattn.store.search import rebuild_index

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    rebuild_index(op.get_bind())


def downgrade() -> None:
    rebuild_index(op.get_bind())
