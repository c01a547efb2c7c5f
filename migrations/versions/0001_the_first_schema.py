"""The first schema."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ingest.store.models import UtcDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "archive_facts",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_archive_facts")),
    )
    op.create_table(
        "channels",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("username", sa.String(length=64), nullable=True),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("visibility", sa.String(length=8), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("added_at", UtcDateTime(), nullable=False),
        sa.Column("synced_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("channel_id", name=op.f("pk_channels")),
        sa.UniqueConstraint("username", name=op.f("uq_channels_username")),
    )
    op.create_table(
        "embeddings",
        sa.Column("content_hash", sa.String(length=32), nullable=False),
        sa.Column("encoder", sa.String(length=200), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("content_hash", "encoder", name=op.f("pk_embeddings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "inbox",
        sa.Column(
            "inbox_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("update_id", sa.BigInteger(), nullable=False),
        sa.Column("chat_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("language", sa.String(length=8), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("received_at", UtcDateTime(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("count_attempts", sa.Integer(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("inbox_id", name=op.f("pk_inbox")),
        sa.UniqueConstraint(
            "update_id",
            "chat_id",
            "message_id",
            name=op.f("uq_inbox_update_id_chat_id_message_id"),
        ),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.create_index("ix_inbox_state_inbox_id", ["state", "inbox_id"], unique=False)

    op.create_table(
        "ingest_failures",
        sa.Column(
            "failure_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("source", sa.String(length=32), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("failed_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("failure_id", name=op.f("pk_ingest_failures")),
    )
    op.create_table(
        "outbox",
        sa.Column("seq", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("stage", sa.String(length=8), nullable=False),
        sa.Column("is_new", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_outbox")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.create_index("ix_outbox_stage_seq", ["stage", "seq"], unique=False)

    op.create_table(
        "answers",
        sa.Column(
            "answer_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("inbox_id", sa.BigInteger(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.String(length=32), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("reply", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("answered_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["inbox_id"], ["inbox.inbox_id"], name=op.f("fk_answers_inbox_id")
        ),
        sa.PrimaryKeyConstraint("answer_id", name=op.f("pk_answers")),
        sa.UniqueConstraint("inbox_id", name=op.f("uq_answers_inbox_id")),
    )
    op.create_table(
        "messages",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("posted_at", UtcDateTime(), nullable=False),
        sa.Column("edited_at", UtcDateTime(), nullable=True),
        sa.Column("deleted_at", UtcDateTime(), nullable=True),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("lang", sa.String(length=8), nullable=True),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("author_id", sa.String(length=32), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("entities", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("attachment", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("reactions", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("views", sa.BigInteger(), nullable=True),
        sa.Column("reply_to", sa.BigInteger(), nullable=True),
        sa.Column("album_id", sa.BigInteger(), nullable=True),
        sa.Column("topic_id", sa.BigInteger(), nullable=True),
        sa.Column("forward_name", sa.Text(), nullable=True),
        sa.Column("forward_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("forward_message_id", sa.BigInteger(), nullable=True),
        sa.Column("forward_author", sa.Text(), nullable=True),
        sa.Column("forward_posted_at", UtcDateTime(), nullable=True),
        sa.Column("content_hash", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channels.channel_id"], name=op.f("fk_messages_channel_id")
        ),
        sa.PrimaryKeyConstraint("channel_id", "message_id", name=op.f("pk_messages")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.create_index(
            "ix_messages_channel_id_posted_at", ["channel_id", "posted_at"], unique=False
        )
        batch_op.create_index("ix_messages_content_hash", ["content_hash"], unique=False)

    op.create_table(
        "sent_parts",
        sa.Column("inbox_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("part", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("finished_at", UtcDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["inbox_id"], ["inbox.inbox_id"], name=op.f("fk_sent_parts_inbox_id")
        ),
        sa.PrimaryKeyConstraint("inbox_id", "part", name=op.f("pk_sent_parts")),
    )
    op.create_table(
        "message_versions",
        sa.Column(
            "version_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False
        ),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("message_id", sa.BigInteger(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("entities", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("attachment", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("edited_at", UtcDateTime(), nullable=True),
        sa.Column("recorded_at", UtcDateTime(), nullable=False),
        sa.Column("content_hash", sa.String(length=32), nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id", "message_id"],
            ["messages.channel_id", "messages.message_id"],
            name=op.f("fk_message_versions_channel_id_message_id"),
        ),
        sa.PrimaryKeyConstraint("version_id", name=op.f("pk_message_versions")),
        sa.UniqueConstraint(
            "channel_id",
            "message_id",
            "content_hash",
            name=op.f("uq_message_versions_channel_id_message_id_content_hash"),
        ),
    )


def downgrade() -> None:
    op.drop_table("message_versions")
    op.drop_table("sent_parts")
    with op.batch_alter_table("messages", schema=None) as batch_op:
        batch_op.drop_index("ix_messages_content_hash")
        batch_op.drop_index("ix_messages_channel_id_posted_at")

    op.drop_table("messages")
    op.drop_table("answers")
    with op.batch_alter_table("outbox", schema=None) as batch_op:
        batch_op.drop_index("ix_outbox_stage_seq")

    op.drop_table("outbox")
    op.drop_table("ingest_failures")
    with op.batch_alter_table("inbox", schema=None) as batch_op:
        batch_op.drop_index("ix_inbox_state_inbox_id")

    op.drop_table("inbox")
    op.drop_table("embeddings")
    op.drop_table("channels")
    op.drop_table("archive_facts")
