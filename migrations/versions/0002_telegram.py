"""How far each channel is read from Telegram: cursors, gaps, waits; attempts of failures."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from ingest.store.models import UtcDateTime

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "sync_floods",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("method", sa.String(length=64), nullable=False),
        sa.Column("wait_s", sa.Integer(), nullable=False),
        sa.Column("count_in_a_row", sa.Integer(), nullable=False),
        sa.Column("asked_at", UtcDateTime(), nullable=False),
        sa.Column("until_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("channel_id", "method", name=op.f("pk_sync_floods")),
    )
    op.create_table(
        "sync_states",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("access_hash", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.String(length=64), nullable=True),
        sa.Column("state_since", UtcDateTime(), nullable=False),
        sa.Column("floor_id", sa.BigInteger(), nullable=False),
        sa.Column("cursor_id", sa.BigInteger(), nullable=False),
        sa.Column("top_id", sa.BigInteger(), nullable=False),
        sa.Column("checked_at", UtcDateTime(), nullable=True),
        sa.Column("sweep_id", sa.BigInteger(), nullable=False),
        sa.Column("sweep_started_at", UtcDateTime(), nullable=True),
        sa.Column("swept_at", UtcDateTime(), nullable=True),
        sa.Column("linked_id", sa.BigInteger(), nullable=True),
        sa.Column("migrated_to", sa.BigInteger(), nullable=True),
        sa.Column("last_error", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channels.channel_id"], name=op.f("fk_sync_states_channel_id")
        ),
        sa.PrimaryKeyConstraint("channel_id", name=op.f("pk_sync_states")),
    )
    op.create_table(
        "sync_gaps",
        sa.Column("gap_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("from_id", sa.BigInteger(), nullable=False),
        sa.Column("to_id", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.String(length=16), nullable=False),
        sa.Column("found_at", UtcDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["channel_id"], ["channels.channel_id"], name=op.f("fk_sync_gaps_channel_id")
        ),
        sa.PrimaryKeyConstraint("gap_id", name=op.f("pk_sync_gaps")),
    )
    with op.batch_alter_table("sync_gaps", schema=None) as batch_op:
        batch_op.create_index(
            "ix_sync_gaps_channel_id_from_id", ["channel_id", "from_id"], unique=False
        )
    op.create_table(
        "document_texts",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("file_name", sa.Text(), nullable=False),
        sa.Column("size_bytes", sa.BigInteger(), nullable=True),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("tried_at", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("channel_id", "message_id", name=op.f("pk_document_texts")),
    )
    with op.batch_alter_table("document_texts", schema=None) as batch_op:
        batch_op.create_index(
            "ix_document_texts_state_channel_id", ["state", "channel_id"], unique=False
        )
    op.create_table(
        "forgotten",
        sa.Column(
            "forgotten_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            nullable=False,
        ),
        sa.Column("channel_id", sa.BigInteger(), nullable=True),
        sa.Column("message_id", sa.BigInteger(), nullable=True),
        sa.Column("author", sa.Text(), nullable=True),
        sa.Column("forgotten_at", UtcDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("forgotten_id", name=op.f("pk_forgotten")),
    )
    with op.batch_alter_table("forgotten", schema=None) as batch_op:
        batch_op.create_index(
            "ix_forgotten_channel_id_message_id", ["channel_id", "message_id"], unique=False
        )
    op.add_column(
        "ingest_failures",
        sa.Column("count_attempts", sa.Integer(), server_default="1", nullable=False),
    )


def downgrade() -> None:
    with op.batch_alter_table("ingest_failures", schema=None) as batch_op:
        batch_op.drop_column("count_attempts")
    with op.batch_alter_table("document_texts", schema=None) as batch_op:
        batch_op.drop_index("ix_document_texts_state_channel_id")
    op.drop_table("document_texts")
    with op.batch_alter_table("forgotten", schema=None) as batch_op:
        batch_op.drop_index("ix_forgotten_channel_id_message_id")
    op.drop_table("forgotten")
    with op.batch_alter_table("sync_gaps", schema=None) as batch_op:
        batch_op.drop_index("ix_sync_gaps_channel_id_from_id")
    op.drop_table("sync_gaps")
    op.drop_table("sync_states")
    op.drop_table("sync_floods")
