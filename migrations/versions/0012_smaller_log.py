"""The review log in fewer bytes: UUIDs as bytes, instants and days as numbers, a smaller index.

The totals by day follow with their days. What the numbers mean is frozen here, as
`studyattn.store.log_values` has it for the program.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

COLUMNS = (
    *("id", "uuid", "item_guid", "rating", "withdraws", "at", "utc_offset", "learner_day"),
    *("seconds", "origin"),
)
TOTALS = ("again", "hard", "good", "easy", "asked", "recalled", "seconds", "through")
NO_UUID = bytes(17)  # begins another name

# What is stored of a value of the schema before, by dialect.
SMALLER = {
    "sqlite": {
        "uuid": "smaller_uuid({0})",
        "at": "CAST(strftime('%s', substr({0}, 1, 19)) AS INTEGER) * 1000000"  # it would round up
        " + CAST(substr(substr({0}, 21) || '000000', 1, 6) AS INTEGER)",
        "day": "CAST(julianday({0}) - 2440587.5 AS INTEGER)",
    },
    "postgresql": {
        "uuid": "CASE WHEN {0} ~ '^[0-9a-f]{{8}}(-[0-9a-f]{{4}}){{3}}-[0-9a-f]{{12}}$'"
        " THEN decode(replace({0}, '-', ''), 'hex')"
        " ELSE decode(repeat('00', 17), 'hex') || convert_to({0}, 'UTF8') END",
        "at": "(extract(epoch FROM {0}) * 1000000)::bigint",
        "day": "({0} - DATE '1970-01-01')",
    },
}
PART = "(({0} % 1000000 + 1000000) % 1000000)"  # microseconds of a second, also before 1970
LARGER = {
    "sqlite": {
        "uuid": "larger_uuid({0})",
        "at": f"strftime('%Y-%m-%d %H:%M:%S', ({{0}} - {PART}) / 1000000, 'unixepoch')"
        f" || printf('.%06d', {PART})",
        "day": "date({0} * 86400, 'unixepoch')",
    },
    "postgresql": {
        "uuid": "CASE WHEN length({0}) = 16 THEN encode({0}, 'hex')::uuid::text"
        " ELSE convert_from(substr({0}, 18), 'UTF8') END",
        "at": "(TIMESTAMP '1970-01-01' + {0} * INTERVAL '1 microsecond')",
        "day": "(DATE '1970-01-01' + {0})",
    },
}
SMALL_TYPES = {"uuid": sa.LargeBinary(), "at": sa.BigInteger(), "day": sa.Integer()}
LARGE_TYPES = {"uuid": sa.String(36), "at": sa.DateTime(), "day": sa.Date()}
SMALL_ON_SERVER = {"uuid": "bytea", "at": "bigint", "day": "integer"}
LARGE_ON_SERVER = {"uuid": 'text COLLATE "C"', "at": "timestamp", "day": "date"}
KINDS = {"uuid": "uuid", "withdraws": "uuid", "at": "at", "learner_day": "day"}


def upgrade() -> None:
    op.drop_index("ix_review_item_guid_at", "review")
    if op.get_context().dialect.name == "sqlite":
        write_file_anew(SMALLER["sqlite"], SMALL_TYPES)
    else:
        change_server(SMALLER["postgresql"], SMALL_ON_SERVER)
    op.create_index("ix_review_item", "review", [sa.text("substr(item_guid, -8)")])


def downgrade() -> None:
    op.drop_index("ix_review_item", "review")
    if op.get_context().dialect.name == "sqlite":
        write_file_anew(LARGER["sqlite"], LARGE_TYPES)
    else:
        change_server(LARGER["postgresql"], LARGE_ON_SERVER)
    op.create_index("ix_review_item_guid_at", "review", ["item_guid", "at"])


def change_server(values: dict[str, str], kinds: dict[str, str]) -> None:
    for table, columns in (("review", KINDS), ("review_day", {"learner_day": "day"})):
        changes = (
            f"ALTER COLUMN {column} TYPE {kinds[kind]} USING {values[kind].format(column)}"
            for column, kind in columns.items()
        )
        op.get_bind().exec_driver_sql(f"ALTER TABLE {table} {', '.join(changes)}")


def write_file_anew(values: dict[str, str], kinds: dict[str, Any]) -> None:
    driver: Any = op.get_bind().connection.driver_connection
    driver.create_function("smaller_uuid", 1, smaller_uuid)
    driver.create_function("larger_uuid", 1, larger_uuid)
    for name in ("review_no_update", "review_no_delete"):
        op.execute(f"DROP TRIGGER {name}")
    for name in ("ix_review_learner_day", "ix_review_withdraws"):
        op.drop_index(name, "review")
    op.rename_table("review", "review_before")
    op.create_table(
        "review",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", kinds["uuid"], nullable=False, unique=True),
        sa.Column("item_guid", sa.String(200), nullable=False),
        sa.Column("rating", sa.Integer),
        sa.Column("withdraws", kinds["uuid"]),
        sa.Column("at", kinds["at"], nullable=False),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sa.Column("learner_day", kinds["day"], nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("origin", sa.String(8), nullable=False),
        sa.CheckConstraint("rating BETWEEN 1 AND 4", name="rating"),
        sa.CheckConstraint("(rating IS NULL) <> (withdraws IS NULL)", name="rates_or_withdraws"),
    )
    copy("review", COLUMNS, values)
    op.create_index("ix_review_learner_day", "review", ["learner_day"])
    op.create_index(
        "ix_review_withdraws",
        "review",
        ["withdraws"],
        sqlite_where=sa.text("withdraws IS NOT NULL"),
    )
    for change in ("UPDATE", "DELETE"):
        op.execute(
            f"CREATE TRIGGER review_no_{change.lower()} BEFORE {change} ON review "
            "BEGIN SELECT RAISE(ABORT, 'review rows are only added'); END"
        )
    op.rename_table("review_day", "review_day_before")
    op.create_table(
        "review_day",
        sa.Column("learner_day", kinds["day"], primary_key=True, autoincrement=False),
        *(sa.Column(name, sa.Integer, nullable=False) for name in TOTALS[:6]),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("through", sa.Integer, nullable=False),
    )
    copy("review_day", ("learner_day", *TOTALS), values)


def copy(table: str, columns: tuple[str, ...], values: dict[str, str]) -> None:
    """Fill a table with what it held before, and drop that."""
    read = [values[KINDS[name]].format(name) if name in KINDS else name for name in columns]
    op.get_bind().exec_driver_sql(
        f"INSERT INTO {table} ({', '.join(columns)}) SELECT {', '.join(read)}"  # noqa: S608 - names from above
        f" FROM {table}_before ORDER BY {columns[0]}"
    )
    op.drop_table(f"{table}_before")


def smaller_uuid(text: str | None) -> bytes | None:
    if text is None:
        return None
    if len(text) == 36:
        try:
            stored = bytes.fromhex(text.replace("-", ""))
        except ValueError:
            stored = b""
        if len(stored) == 16 and larger_uuid(stored) == text:
            return stored
    return NO_UUID + text.encode()


def larger_uuid(stored: bytes | None) -> str | None:
    if stored is None:
        return None
    if len(stored) == 16:
        digits = stored.hex()
        return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
    return stored[len(NO_UUID) :].decode()
