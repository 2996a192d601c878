"""Full-text search over notes, cards, concepts and sources.

An index is made of what the tables hold and is nobody's only copy, so how one is made is told in
one place, `studyattn.store.search`, and not frozen here.
"""

from alembic import op

from studyattn.store.search import create_index, drop_index

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    create_index(op.get_bind())


def downgrade() -> None:
    drop_index(op.get_bind())
