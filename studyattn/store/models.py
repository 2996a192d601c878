"""The tables, as SQLAlchemy typed models. Queries live beside their use; rules live in `study`.

Rows of `review`, `attempt` and `concept_change` are never changed or deleted (triggers of the first
migration refuse it); an item's memory columns are a cache of the fold over its reviews.
"""

from __future__ import annotations

from datetime import date, datetime
from typing import Any, ClassVar

from sqlalchemy import JSON, BigInteger, CheckConstraint, ForeignKey, Index, MetaData, text
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

from studyattn.store.column_types import (
    JsonText,
    LogDay,
    LogInstant,
    LogUuid,
    String,
    Tags,
    Text,
    UtcDateTime,
)
from studyattn.store.vocabulary import OWN

__all__ = ["OWN"]

NAMING = {
    "ix": "ix_%(column_0_label)s",
    "uq": "uq_%(table_name)s_%(column_0_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


_EMPTY = text("''")


class Base(DeclarativeBase):
    metadata = MetaData(naming_convention=NAMING)
    type_annotation_map: ClassVar[dict[Any, Any]] = {
        datetime: UtcDateTime(),
        dict[str, Any]: JSON(),
        list[str]: JSON(),
        Any: JSON(),
    }


class SourceRow(Base):
    """A document that a learner imported, kept whole."""

    __tablename__ = "source"

    id: Mapped[int] = mapped_column(primary_key=True)
    guid: Mapped[str] = mapped_column(String(64), unique=True)
    kind: Mapped[str] = mapped_column(String(16))  # qa | note | post | slides | summary
    title: Mapped[str] = mapped_column(Text)
    path: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)
    digest: Mapped[str] = mapped_column(String(64), index=True)  # SHA-256 of the text
    front_matter: Mapped[dict[str, Any]] = mapped_column(default=dict)
    imported_at: Mapped[datetime]
    edits: Mapped[dict[str, Any]] = mapped_column(JsonText, default=dict, server_default=_EMPTY)


class ConceptRow(Base):
    """One idea to know; `state` is unseen, known-unknown or known."""

    __tablename__ = "concept"
    __table_args__ = (
        CheckConstraint("state IN ('unseen', 'known-unknown', 'known')", name="state"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    slug: Mapped[str] = mapped_column(String(200), unique=True)
    title: Mapped[str] = mapped_column(Text)
    state: Mapped[str] = mapped_column(String(16), default="unseen", index=True)
    body: Mapped[str] = mapped_column(Text, default="")  # explanation, Markdown
    pack: Mapped[str | None] = mapped_column(String(64))
    source_id: Mapped[int | None] = mapped_column(ForeignKey("source.id"), index=True)
    joined_into_id: Mapped[int | None] = mapped_column(ForeignKey("concept.id"), index=True)
    position: Mapped[int] = mapped_column(default=0)  # place in the pack's path, or of import
    core: Mapped[bool] = mapped_column(default=False)
    retired: Mapped[bool] = mapped_column(default=False)  # the pack no longer has it


class ConceptRequiresRow(Base):
    """`concept` is easier after `requires`."""

    __tablename__ = "concept_requires"

    concept_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), primary_key=True)
    requires_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), primary_key=True, index=True)


class ConceptChangeRow(Base):
    """One change of a concept's state, with who made it and why. Rows are only added."""

    __tablename__ = "concept_change"

    id: Mapped[int] = mapped_column(primary_key=True)
    concept_id: Mapped[int] = mapped_column(ForeignKey("concept.id"), index=True)
    at: Mapped[datetime] = mapped_column(index=True)
    from_state: Mapped[str] = mapped_column(String(16))
    to_state: Mapped[str] = mapped_column(String(16))
    reason: Mapped[str] = mapped_column(Text)
    author: Mapped[str] = mapped_column(String(16))  # learner | import | program | undo


class NoteRow(Base):
    """The learner's own Markdown, tied to a concept, a source, an item or nothing."""

    __tablename__ = "note"

    id: Mapped[int] = mapped_column(primary_key=True)
    guid: Mapped[str] = mapped_column(String(64), unique=True)
    concept_id: Mapped[int | None] = mapped_column(ForeignKey("concept.id"), index=True)
    source_id: Mapped[int | None] = mapped_column(ForeignKey("source.id"), index=True)
    item_id: Mapped[int | None] = mapped_column(ForeignKey("item.id"), index=True)
    title: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime]
    updated_at: Mapped[datetime]


class ItemRow(Base):
    """A scheduled card or drill. The memory columns are a cache of the fold."""

    __tablename__ = "item"
    __table_args__ = (
        CheckConstraint("kind IN ('card', 'drill')", name="kind"),
        CheckConstraint("phase IN ('new', 'learning', 'review', 'relearning')", name="phase"),
        # The day's queue and every count of what comes due are answered by these two alone.
        Index("ix_item_due", "kind", "phase", "due", "last_review", "suspended", "retired"),
        Index("ix_item_path", "concept_id", "kind", "phase", "position"),
        # Every count of the items of concepts is answered by this one alone.
        Index(
            "ix_item_concept",
            *("concept_id", "kind", "phase", "retired", "suspended"),
            *("stability", "due", "forgotten_at"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    guid: Mapped[str] = mapped_column(String(200), unique=True)
    kind: Mapped[str] = mapped_column(String(8))  # card | drill
    concept_id: Mapped[int] = mapped_column(ForeignKey("concept.id"))
    source_id: Mapped[int | None] = mapped_column(ForeignKey("source.id"), index=True)
    pack: Mapped[str | None] = mapped_column(String(64))
    position: Mapped[int] = mapped_column(default=0)  # order among new items
    created_at: Mapped[datetime]

    suspended: Mapped[bool] = mapped_column(default=False)
    marked: Mapped[bool] = mapped_column(default=False)
    retired: Mapped[bool] = mapped_column(default=False)  # gone from its pack or source
    buried_until: Mapped[date | None]  # learner day on which it comes back

    phase: Mapped[str] = mapped_column(String(12), default="new")
    step: Mapped[int] = mapped_column(default=0)
    stability: Mapped[float | None]  # days
    difficulty: Mapped[float | None]  # 1–10
    due: Mapped[datetime | None]
    last_review: Mapped[datetime | None]
    last_day: Mapped[date | None]  # learner day of the last review
    reps: Mapped[int] = mapped_column(default=0)
    lapses: Mapped[int] = mapped_column(default=0)
    tags: Mapped[tuple[str, ...]] = mapped_column(Tags, default="", server_default=_EMPTY)
    forgotten_at: Mapped[datetime | None]  # the last rating `again`, be it withdrawn


class CardRow(Base):
    """A card's text. A drill's text stays in its pack."""

    __tablename__ = "card"

    item_id: Mapped[int] = mapped_column(ForeignKey("item.id"), primary_key=True)
    kind: Mapped[str] = mapped_column(
        String(12)
    )  # basic | cloze | typed | numeric | computed | bug
    front: Mapped[str] = mapped_column(Text)
    back: Mapped[str] = mapped_column(Text)
    answer: Mapped[str | None] = mapped_column(Text)  # what typed and numeric compare with
    extra: Mapped[dict[str, Any]] = mapped_column(default=dict)  # tolerance, links, example ids
    digest: Mapped[str] = mapped_column(String(64))  # of the text as it came from pack or source
    edited_at: Mapped[datetime | None]  # the learner's own wording wins over a later sync
    sibling_group: Mapped[str | None] = mapped_column(String(200), index=True)


class WordingRow(Base):
    """An earlier wording of a card or note. Rows are only added.

    Of a card `title` is the question and `body` the answer, as Markdown.
    """

    __tablename__ = "wording"

    id: Mapped[int] = mapped_column(primary_key=True)
    guid: Mapped[str] = mapped_column(String(200), index=True)  # of the item or the note
    at: Mapped[datetime | None]  # since when it was worded so; none: as it came from pack or source
    title: Mapped[str] = mapped_column(Text)
    body: Mapped[str] = mapped_column(Text)


class ReviewRow(Base):
    """One rating of one item, or the withdrawal of an earlier row. Rows are only added."""

    __tablename__ = "review"
    __table_args__ = (
        CheckConstraint("rating BETWEEN 1 AND 4", name="rating"),
        CheckConstraint("(rating IS NULL) <> (withdraws IS NULL)", name="rates_or_withdraws"),
        # The last letters of guids tell nearly all items apart, at a third of the size (`rules`).
        Index("ix_review_item", text("substr(item_guid, -8)")),
        Index(
            "ix_review_withdraws",
            "withdraws",
            sqlite_where=text("withdraws IS NOT NULL"),
            postgresql_where=text("withdraws IS NOT NULL"),
        ),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str] = mapped_column(LogUuid, unique=True)
    item_guid: Mapped[str] = mapped_column(String(200))
    rating: Mapped[int | None]  # 1–4; none in a withdrawal
    withdraws: Mapped[str | None] = mapped_column(LogUuid)
    at: Mapped[datetime] = mapped_column(LogInstant)
    utc_offset: Mapped[int]  # minutes east of UTC on the learner's clock
    learner_day: Mapped[date] = mapped_column(LogDay, index=True)
    seconds: Mapped[float] = mapped_column(default=0.0)
    origin: Mapped[str] = mapped_column(String(8))  # learner | import | merge


class MemoryStartRow(Base):
    """The instant at which an item's memory begins: its reviews up to then count no more.

    Without an interval it is new again; with one it was learned before its log began.
    """

    __tablename__ = "memory_start"

    item_guid: Mapped[str] = mapped_column(String(200), primary_key=True)
    at: Mapped[datetime]
    utc_offset: Mapped[int]
    learner_day: Mapped[date]
    interval: Mapped[float | None]  # days
    ease: Mapped[float | None]  # SM-2's, in thousandths


class AnkiTypeRow(Base):
    """A note type of Anki, as its older packages describe it."""

    __tablename__ = "anki_type"

    number: Mapped[str] = mapped_column(String(20), primary_key=True)
    changed: Mapped[int] = mapped_column(BigInteger)  # seconds
    definition: Mapped[str] = mapped_column(Text)  # JSON


class AnkiNoteRow(Base):
    """A note of Anki as it last came: what cards of ours are made of, and go back as."""

    __tablename__ = "anki_note"

    guid: Mapped[str] = mapped_column(String(200), primary_key=True)
    number: Mapped[int] = mapped_column(BigInteger)
    notetype: Mapped[str] = mapped_column(String(20))
    changed: Mapped[int] = mapped_column(BigInteger)  # seconds
    fields: Mapped[str] = mapped_column(Text)  # HTML, with U+001F between them
    tags: Mapped[str] = mapped_column(Text)
    media: Mapped[dict[str, Any]] = mapped_column(JsonText)  # names there → names in the home


class AnkiCardRow(Base):
    """A card of Anki as it last came, with its whole log; some have no item here."""

    __tablename__ = "anki_card"

    item_guid: Mapped[str] = mapped_column(String(200), primary_key=True)
    note: Mapped[str] = mapped_column(String(200))  # its guid
    ord: Mapped[int] = mapped_column(BigInteger)
    number: Mapped[int] = mapped_column(BigInteger)
    deck: Mapped[str] = mapped_column(Text)
    changed: Mapped[int] = mapped_column(BigInteger)  # seconds
    wording: Mapped[str] = mapped_column(String(64))  # digest of the text that its note gives
    schedule: Mapped[str] = mapped_column(Text)  # JSON
    log: Mapped[str] = mapped_column(Text)  # JSON
    answers: Mapped[int]  # rows of the log that are reviews here


class AttemptRow(Base):
    """One graded submission of a drill: its code and the verdict. Rows are only added."""

    __tablename__ = "attempt"

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str] = mapped_column(String(36), unique=True)
    item_guid: Mapped[str] = mapped_column(String(200), index=True)
    at: Mapped[datetime] = mapped_column(index=True)
    utc_offset: Mapped[int]
    learner_day: Mapped[date]
    code: Mapped[str] = mapped_column(Text)
    backend: Mapped[str] = mapped_column(String(8))
    device: Mapped[str] = mapped_column(String(8))
    verdict: Mapped[str] = mapped_column(String(12))
    report: Mapped[dict[str, Any]] = mapped_column(default=dict)
    hints: Mapped[int] = mapped_column(default=0)
    revealed: Mapped[bool] = mapped_column(default=False)
    seconds: Mapped[float] = mapped_column(default=0.0)


class PracticeStepRow(Base):
    """An event of practice other than an attempt, such as a hint. Rows are only added."""

    __tablename__ = "practice_step"
    __table_args__ = (
        CheckConstraint("kind IN ('began', 'hint', 'revealed', 'kept', 'left')", name="kind"),
    )

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str] = mapped_column(String(36), unique=True)
    item_guid: Mapped[str] = mapped_column(String(200), index=True)
    at: Mapped[datetime]
    utc_offset: Mapped[int]
    learner_day: Mapped[date]
    kind: Mapped[str] = mapped_column(String(12))
    number: Mapped[int] = mapped_column(default=0)  # of the hint, or of the file kept
    code: Mapped[str | None] = mapped_column(Text)  # what the file said that was kept
    seconds: Mapped[float] = mapped_column(default=0.0)  # of work since the row before


class BroughtBackRow(Base):
    """A card that a mistake in code made due, until it is answered or the learner takes it back.

    It says nothing of the card's memory, which stays the fold of its reviews.
    """

    __tablename__ = "brought_back"

    id: Mapped[int] = mapped_column(primary_key=True)
    uuid: Mapped[str] = mapped_column(String(36), unique=True)
    item_guid: Mapped[str] = mapped_column(String(200), index=True)
    attempt_uuid: Mapped[str] = mapped_column(String(36), index=True)
    misconception: Mapped[str] = mapped_column(String(100))
    reason: Mapped[str] = mapped_column(Text)  # a sentence for the learner
    at: Mapped[datetime]
    learner_day: Mapped[date]
    taken_back_at: Mapped[datetime | None]


class SettingRow(Base):
    """One setting that differs from its default, and small state such as pack digests."""

    __tablename__ = "setting"

    key: Mapped[str] = mapped_column(String(64), primary_key=True)
    value: Mapped[Any]


class DecisionRow(Base):
    """The learner's last decision on one field of one thing (`store.decisions`)."""

    __tablename__ = "decision"

    kind: Mapped[str] = mapped_column(String(16), primary_key=True)
    name: Mapped[str] = mapped_column(String(200), primary_key=True)  # guid, slug, uuid or key
    field: Mapped[str] = mapped_column(String(16), primary_key=True)
    value: Mapped[Any]
    at: Mapped[datetime]
    replica: Mapped[str] = mapped_column(String(36))  # where it was made


class SyncFolderRow(Base):
    """The file that this database writes in a folder through which a learner's databases sync."""

    __tablename__ = "sync_folder"

    folder: Mapped[str] = mapped_column(Text, primary_key=True)  # absolute path
    name: Mapped[str] = mapped_column(String(64))  # of the file
    machine: Mapped[str] = mapped_column(Text)  # host and home that wrote it
    size: Mapped[int]  # bytes of it, as it was left
    tail: Mapped[str] = mapped_column(String(32))  # digest of its last bytes
    marks: Mapped[dict[str, Any]]  # the last row of each log that is in it


class SyncWrittenRow(Base):
    """A record in the own file of a folder, by a digest of its last line."""

    __tablename__ = "sync_written"

    folder: Mapped[str] = mapped_column(Text, primary_key=True)
    record: Mapped[str] = mapped_column(Text, primary_key=True)  # its type and name
    digest: Mapped[str] = mapped_column(String(32))


class SyncReadRow(Base):
    """The position up to which a file of another database was read."""

    __tablename__ = "sync_read"

    folder: Mapped[str] = mapped_column(Text, primary_key=True)
    name: Mapped[str] = mapped_column(Text, primary_key=True)
    offset: Mapped[int]  # bytes
    tail: Mapped[str] = mapped_column(String(32))  # digest of the last bytes before it
