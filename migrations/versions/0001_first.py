"""The tables of the first release, and the triggers that keep the log append-only."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

APPEND_ONLY = ("review", "attempt", "concept_change")
TABLES = (
    "source",
    "concept",
    "concept_requires",
    "concept_change",
    "item",
    "card",
    "note",
    "wording",
    "review",
    "attempt",
    "setting",
)


def upgrade() -> None:
    create_sources_and_concepts()
    create_items_and_notes()
    create_log()
    op.create_table(
        "setting",
        sa.Column("key", sa.String(64), primary_key=True),
        sa.Column("value", sa.JSON, nullable=False),
    )
    if op.get_context().dialect.name == "postgresql":
        settle_on_server()
        return
    for table in APPEND_ONLY:
        forbid("UPDATE", table)
        forbid("DELETE", table)


def downgrade() -> None:
    for table in reversed(TABLES):
        op.drop_table(table)  # its indexes and triggers go with it
    if op.get_context().dialect.name == "postgresql":
        for routine in ROUTINES:
            op.execute(f"DROP ROUTINE {routine}")


def forbid(change: str, table: str) -> None:
    op.execute(
        f"CREATE TRIGGER {table}_no_{change.lower()} BEFORE {change} ON {table} "
        f"BEGIN SELECT RAISE(ABORT, '{table} rows are only added'); END"
    )


ROUTINES = {
    # Rows come with numbers of their own too; the next number is one more than the last there is.
    "follow_numbers": """() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE last bigint;
BEGIN
    EXECUTE format('SELECT max(id) FROM %I', TG_TABLE_NAME) INTO last;
    PERFORM setval(pg_get_serial_sequence(quote_ident(TG_TABLE_NAME), 'id'), coalesce(last, 1),
                   last IS NOT NULL);
    RETURN NULL;
END $$""",
    # Texts of any length, ordered by their characters' numbers: as in SQLite, on every server.
    "be_as_in_sqlite": """(of_table text) LANGUAGE plpgsql AS $$
DECLARE each record;
BEGIN
    FOR each IN SELECT column_name FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = of_table
        AND data_type IN ('text', 'character varying')
    LOOP
        EXECUTE format('ALTER TABLE %I ALTER COLUMN %I TYPE text COLLATE "C"', of_table,
                       each.column_name);
    END LOOP;
    IF EXISTS (SELECT FROM information_schema.columns WHERE table_schema = current_schema()
               AND table_name = of_table AND column_name = 'id') THEN
        EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I FOR EACH STATEMENT '
                       'EXECUTE FUNCTION follow_numbers()', of_table || '_numbers', of_table);
    END IF;
END $$""",
    "refuse_change": """() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% rows are only added', TG_TABLE_NAME
        USING ERRCODE = 'integrity_constraint_violation';
END $$""",
    "only_add": """(to_table text) LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER %I BEFORE UPDATE OR DELETE ON %I FOR EACH ROW '
                   'EXECUTE FUNCTION refuse_change()', to_table || '_no_change', to_table);
    EXECUTE format('CREATE TRIGGER %I BEFORE TRUNCATE ON %I FOR EACH STATEMENT '
                   'EXECUTE FUNCTION refuse_change()', to_table || '_no_truncate', to_table);
END $$""",
}


def settle_on_server() -> None:
    """What SQLite does by itself or by its triggers, said to PostgreSQL."""
    for name, text in ROUTINES.items():
        kind = "FUNCTION" if "RETURNS" in text else "PROCEDURE"
        op.execute(f"CREATE {kind} {name}{text}")
    for table in TABLES:
        op.execute(f"CALL be_as_in_sqlite('{table}')")
    for table in APPEND_ONLY:
        op.execute(f"CALL only_add('{table}')")


def create_sources_and_concepts() -> None:
    op.create_table(
        "source",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guid", sa.String(64), nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("path", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False, index=True),
        sa.Column("front_matter", sa.JSON, nullable=False),
        sa.Column("imported_at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "concept",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("slug", sa.String(200), nullable=False, unique=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("state", sa.String(16), nullable=False, index=True),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("pack", sa.String(64)),
        sa.Column("source_id", sa.Integer, sa.ForeignKey("source.id"), index=True),
        sa.Column("joined_into_id", sa.Integer, sa.ForeignKey("concept.id"), index=True),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("core", sa.Boolean, nullable=False),
        sa.Column("retired", sa.Boolean, nullable=False),
        sa.CheckConstraint("state IN ('unseen', 'known-unknown', 'known')", name="state"),
    )
    op.create_table(
        "concept_requires",
        sa.Column("concept_id", sa.Integer, sa.ForeignKey("concept.id"), primary_key=True),
        sa.Column(
            "requires_id", sa.Integer, sa.ForeignKey("concept.id"), primary_key=True, index=True
        ),
    )
    op.create_table(
        "concept_change",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column(
            "concept_id", sa.Integer, sa.ForeignKey("concept.id"), nullable=False, index=True
        ),
        sa.Column("at", sa.DateTime, nullable=False, index=True),
        sa.Column("from_state", sa.String(16), nullable=False),
        sa.Column("to_state", sa.String(16), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("author", sa.String(16), nullable=False),
    )


def create_items_and_notes() -> None:
    op.create_table(
        "item",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guid", sa.String(200), nullable=False, unique=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("concept_id", sa.Integer, sa.ForeignKey("concept.id"), nullable=False),
        sa.Column("source_id", sa.Integer, sa.ForeignKey("source.id"), index=True),
        sa.Column("pack", sa.String(64)),
        sa.Column("position", sa.Integer, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("suspended", sa.Boolean, nullable=False),
        sa.Column("marked", sa.Boolean, nullable=False),
        sa.Column("retired", sa.Boolean, nullable=False),
        sa.Column("buried_until", sa.Date),
        sa.Column("phase", sa.String(12), nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("stability", sa.Double),
        sa.Column("difficulty", sa.Double),
        sa.Column("due", sa.DateTime),
        sa.Column("last_review", sa.DateTime),
        sa.Column("last_day", sa.Date),
        sa.Column("reps", sa.Integer, nullable=False),
        sa.Column("lapses", sa.Integer, nullable=False),
        sa.CheckConstraint("kind IN ('card', 'drill')", name="kind"),
        sa.CheckConstraint("phase IN ('new', 'learning', 'review', 'relearning')", name="phase"),
    )
    op.create_index(
        "ix_item_due", "item", ["kind", "phase", "due", "last_review", "suspended", "retired"]
    )
    op.create_index("ix_item_path", "item", ["concept_id", "kind", "phase", "position"])
    op.create_table(
        "card",
        sa.Column("item_id", sa.Integer, sa.ForeignKey("item.id"), primary_key=True),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("front", sa.Text, nullable=False),
        sa.Column("back", sa.Text, nullable=False),
        sa.Column("answer", sa.Text),
        sa.Column("extra", sa.JSON, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("edited_at", sa.DateTime),
        sa.Column("sibling_group", sa.String(200), index=True),
    )
    op.create_table(
        "note",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guid", sa.String(64), nullable=False, unique=True),
        sa.Column("concept_id", sa.Integer, sa.ForeignKey("concept.id"), index=True),
        sa.Column("source_id", sa.Integer, sa.ForeignKey("source.id"), index=True),
        sa.Column("item_id", sa.Integer, sa.ForeignKey("item.id"), index=True),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("updated_at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "wording",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("guid", sa.String(200), nullable=False, index=True),
        sa.Column("at", sa.DateTime),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("body", sa.Text, nullable=False),
    )


def create_log() -> None:
    op.create_table(
        "review",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("item_guid", sa.String(200), nullable=False),
        sa.Column("rating", sa.Integer),
        sa.Column("withdraws", sa.String(36)),
        sa.Column("at", sa.DateTime, nullable=False, index=True),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sa.Column("learner_day", sa.Date, nullable=False, index=True),
        sa.Column("seconds", sa.Double, nullable=False),
        sa.Column("origin", sa.String(8), nullable=False),
        sa.CheckConstraint("rating BETWEEN 1 AND 4", name="rating"),
        sa.CheckConstraint("(rating IS NULL) <> (withdraws IS NULL)", name="rates_or_withdraws"),
    )
    op.create_index("ix_review_item_guid_at", "review", ["item_guid", "at"])
    op.create_index(
        "ix_review_withdraws",
        "review",
        ["withdraws"],
        sqlite_where=sa.text("withdraws IS NOT NULL"),
        postgresql_where=sa.text("withdraws IS NOT NULL"),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("uuid", sa.String(36), nullable=False, unique=True),
        sa.Column("item_guid", sa.String(200), nullable=False, index=True),
        sa.Column("at", sa.DateTime, nullable=False, index=True),
        sa.Column("utc_offset", sa.Integer, nullable=False),
        sa.Column("learner_day", sa.Date, nullable=False),
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("backend", sa.String(8), nullable=False),
        sa.Column("device", sa.String(8), nullable=False),
        sa.Column("verdict", sa.String(12), nullable=False),
        sa.Column("report", sa.JSON, nullable=False),
        sa.Column("hints", sa.Integer, nullable=False),
        sa.Column("revealed", sa.Boolean, nullable=False),
        sa.Column("seconds", sa.Double, nullable=False),
    )
