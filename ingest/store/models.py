"""The tables. SQLite by default, PostgreSQL by URL; migrations/ brings a database here."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    DateTime,
    Dialect,
    Float,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC time; SQLite alone would give it back without its zone."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Refuses naive times: nobody could say later which zone they were in."""
        del dialect
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a naive time cannot be stored; give it a zone")
        return value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Gives the zone back."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


BigId = BigInteger().with_variant(Integer, "sqlite")
"""SQLite grows ids by itself only in a column of type INTEGER."""

channels = Table(
    "channels",
    metadata,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("username", String(64), unique=True),
    Column("title", Text, nullable=False),
    Column("visibility", String(8), nullable=False),
    Column("kind", String(12), nullable=False),
    Column("added_at", UtcDateTime, nullable=False),
    Column("synced_at", UtcDateTime),
)

messages = Table(
    "messages",
    metadata,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("posted_at", UtcDateTime, nullable=False),
    Column("edited_at", UtcDateTime),
    Column("deleted_at", UtcDateTime),
    Column("kind", String(12), nullable=False),
    Column("lang", String(8)),
    Column("author", Text),
    Column("author_id", String(32)),
    Column("text", Text, nullable=False),
    Column("entities", JSON(none_as_null=True)),
    Column("attachment", JSON(none_as_null=True)),
    Column("reactions", JSON(none_as_null=True)),
    Column("views", BigInteger),
    Column("reply_to", BigInteger),
    Column("album_id", BigInteger),
    Column("topic_id", BigInteger),
    Column("forward_name", Text),
    Column("forward_channel_id", BigInteger),
    Column("forward_message_id", BigInteger),
    Column("forward_author", Text),
    Column("forward_posted_at", UtcDateTime),
    Column("content_hash", String(32), nullable=False),
    ForeignKeyConstraint(["channel_id"], ["channels.channel_id"]),
    Index("ix_messages_channel_id_posted_at", "channel_id", "posted_at"),
    Index("ix_messages_content_hash", "content_hash"),
    sqlite_with_rowid=False,
)

message_versions = Table(
    "message_versions",
    metadata,
    Column("version_id", BigId, primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
    Column("entities", JSON(none_as_null=True)),
    Column("attachment", JSON(none_as_null=True)),
    Column("edited_at", UtcDateTime),
    Column("recorded_at", UtcDateTime, nullable=False),
    Column("content_hash", String(32), nullable=False),
    ForeignKeyConstraint(
        ["channel_id", "message_id"], ["messages.channel_id", "messages.message_id"]
    ),
    UniqueConstraint("channel_id", "message_id", "content_hash"),
)

embeddings = Table(
    "embeddings",
    metadata,
    Column("content_hash", String(32), primary_key=True),
    Column("encoder", String(200), primary_key=True),
    Column("vector", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)

outbox = Table(
    "outbox",
    metadata,
    Column("seq", BigId, primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("stage", String(8), nullable=False),
    # False where the index may hold older passages of the message, which then have to go.
    Column("is_new", Boolean, nullable=False),
    Index("ix_outbox_stage_seq", "stage", "seq"),
    # A position is never given twice, or a slow drainer would take a new row for its own.
    sqlite_autoincrement=True,
)

ingest_failures = Table(
    "ingest_failures",
    metadata,
    Column("failure_id", BigId, primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("message_id", BigInteger),
    Column("source", String(32), nullable=False),
    Column("reason", Text, nullable=False),
    Column("failed_at", UtcDateTime, nullable=False),
    Column("count_attempts", Integer, nullable=False, server_default="1"),
)

sync_states = Table(
    "sync_states",
    metadata,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("access_hash", BigInteger, nullable=False),
    Column("state", String(12), nullable=False),
    Column("reason", String(64)),
    Column("state_since", UtcDateTime, nullable=False),
    # The history in (floor_id, cursor_id] is held, but for the gaps.
    Column("floor_id", BigInteger, nullable=False),
    Column("cursor_id", BigInteger, nullable=False),
    Column("top_id", BigInteger, nullable=False),
    Column("checked_at", UtcDateTime),
    # A sweep that has begun has come to sweep_id.
    Column("sweep_id", BigInteger, nullable=False),
    Column("sweep_started_at", UtcDateTime),
    Column("swept_at", UtcDateTime),
    Column("linked_id", BigInteger),
    Column("migrated_to", BigInteger),
    Column("last_error", Text),
    ForeignKeyConstraint(["channel_id"], ["channels.channel_id"]),
)

sync_gaps = Table(
    "sync_gaps",
    metadata,
    Column("gap_id", BigId, primary_key=True),
    Column("channel_id", BigInteger, nullable=False),
    Column("from_id", BigInteger, nullable=False),
    Column("to_id", BigInteger, nullable=False),
    Column("reason", String(16), nullable=False),
    Column("found_at", UtcDateTime, nullable=False),
    ForeignKeyConstraint(["channel_id"], ["channels.channel_id"]),
    Index("ix_sync_gaps_channel_id_from_id", "channel_id", "from_id"),
)

document_texts = Table(
    "document_texts",
    metadata,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    Column("state", String(8), nullable=False),
    Column("file_name", Text, nullable=False),
    Column("size_bytes", BigInteger),
    Column("text", Text),
    Column("reason", Text),
    Column("tried_at", UtcDateTime),
    Index("ix_document_texts_state_channel_id", "state", "channel_id"),
)

copy_marks = Table(
    "copy_marks",
    metadata,
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, primary_key=True, autoincrement=False),
    # Posts of one text have one key; null: too short to be told a copy.
    Column("text_key", BigInteger),
    # What it is a forward of, whether the archive has that or not.
    Column("origin_channel_id", BigInteger),
    Column("origin_message_id", BigInteger),
    Index("ix_copy_marks_text_key", "text_key"),
    Index(
        "ix_copy_marks_origin_channel_id_origin_message_id",
        "origin_channel_id",
        "origin_message_id",
    ),
    sqlite_with_rowid=False,
)

copy_bands = Table(
    "copy_bands",
    metadata,
    Column("band", BigInteger, primary_key=True, autoincrement=False),
    Column("text_key", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

near_copies = Table(
    "near_copies",
    metadata,
    # Each pair stands here both ways round.
    Column("text_key", BigInteger, primary_key=True, autoincrement=False),
    Column("other_key", BigInteger, primary_key=True, autoincrement=False),
    sqlite_with_rowid=False,
)

forgotten = Table(
    "forgotten",
    metadata,
    Column("forgotten_id", BigId, primary_key=True),
    # A post (channel and message), or everything of an author (by id or by name).
    Column("channel_id", BigInteger),
    Column("message_id", BigInteger),
    Column("author", Text),
    Column("forgotten_at", UtcDateTime, nullable=False),
    Index("ix_forgotten_channel_id_message_id", "channel_id", "message_id"),
)

sync_floods = Table(
    "sync_floods",
    metadata,
    # 0 where the wait is about no channel: looking up names, say.
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    Column("method", String(64), primary_key=True),
    Column("wait_s", Integer, nullable=False),
    Column("count_in_a_row", Integer, nullable=False),
    Column("asked_at", UtcDateTime, nullable=False),
    Column("until_at", UtcDateTime, nullable=False),
)

inbox = Table(
    "inbox",
    metadata,
    Column("inbox_id", BigId, primary_key=True),
    Column("update_id", BigInteger, nullable=False),
    Column("chat_id", BigInteger, nullable=False),
    Column("message_id", BigInteger, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    Column("language", String(8), nullable=False),
    Column("question", Text, nullable=False),
    Column("asked_at", UtcDateTime, nullable=False),
    Column("received_at", UtcDateTime, nullable=False),
    Column("state", String(12), nullable=False),
    Column("count_attempts", Integer, nullable=False, default=0),
    Column("finished_at", UtcDateTime),
    # Telegram picks the next update id at random after a quiet week, so it alone is no key.
    UniqueConstraint("update_id", "chat_id", "message_id"),
    Index("ix_inbox_state_inbox_id", "state", "inbox_id"),
    sqlite_autoincrement=True,
)

answers = Table(
    "answers",
    metadata,
    Column("answer_id", BigId, primary_key=True),
    Column("inbox_id", BigInteger, unique=True),
    Column("status", String(12), nullable=False),
    Column("reason", String(32)),
    Column("confidence", Float),
    Column("reply", JSON(none_as_null=True), nullable=False),
    Column("answered_at", UtcDateTime, nullable=False),
    ForeignKeyConstraint(["inbox_id"], ["inbox.inbox_id"]),
)

sent_parts = Table(
    "sent_parts",
    metadata,
    Column("inbox_id", BigInteger, primary_key=True, autoincrement=False),
    Column("part", Integer, primary_key=True, autoincrement=False),
    Column("message_id", BigInteger, nullable=False),
    Column("finished_at", UtcDateTime),
    ForeignKeyConstraint(["inbox_id"], ["inbox.inbox_id"]),
)

archive_facts = Table(
    "archive_facts",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
