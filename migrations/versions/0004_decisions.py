"""The learner's last decision on each field, with its time and where it was made.

Older homes kept the outcome alone. What was decided in them counts as decided before everything
else, and settings as decided after what an older export says of them.
"""

import json
from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

LONG_AGO = datetime(1970, 1, 1)  # noqa: DTZ001 - instants are kept in UTC without saying so
A_SECOND_LATER = datetime(1970, 1, 1, 0, 0, 1)  # noqa: DTZ001 - the same

OUTCOMES = (
    ("item", "suspended", "SELECT guid, 'true' FROM item WHERE suspended"),
    ("item", "marked", "SELECT guid, 'true' FROM item WHERE marked"),
    (
        "item",
        "buried_until",
        "SELECT guid, buried_until FROM item WHERE buried_until IS NOT NULL",
    ),
    (
        "concept",
        "joined_into",
        """SELECT concept.slug, whole.slug FROM concept
        JOIN concept AS whole ON whole.id = concept.joined_into_id""",
    ),
    (
        "brought-back",
        "taken_back_at",
        "SELECT uuid, taken_back_at FROM brought_back WHERE taken_back_at IS NOT NULL",
    ),
    (
        "setting",
        "value",
        """SELECT key, CAST(value AS TEXT) FROM setting
        WHERE key = 'scheduling.parameters' OR key LIKE 'settings.%'
        AND key NOT IN ('settings.theme', 'settings.editor', 'settings.note_path')""",
    ),
)


def upgrade() -> None:
    decision = op.create_table(
        "decision",
        sa.Column("kind", sa.String(16), primary_key=True),
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("field", sa.String(16), primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("replica", sa.String(36), nullable=False),
    )
    if op.get_context().dialect.name == "postgresql":
        op.execute("CALL be_as_in_sqlite('decision')")
    connection = op.get_bind()
    for kind, field, outcomes in OUTCOMES:
        rows = [
            {
                "kind": kind,
                "name": name,
                "field": field,
                "value": _value(field, value),
                "at": A_SECOND_LATER if kind == "setting" else LONG_AGO,
                "replica": "",
            }
            for name, value in connection.execute(sa.text(outcomes))
        ]
        if rows:
            connection.execute(sa.insert(decision), rows)


def downgrade() -> None:
    op.drop_table("decision")


def _value(field: str, value: object) -> object:
    if field in {"suspended", "marked"}:
        return True
    if field == "value":
        return json.loads(str(value))
    if field == "taken_back_at":
        at = datetime.fromisoformat(value) if isinstance(value, str) else value
        return f"{at.isoformat()}+00:00"
    return str(value)
