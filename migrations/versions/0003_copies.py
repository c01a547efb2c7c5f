"""Which posts are copies of which: their texts' keys, what likely copies share, and the pairs."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "copy_marks",
        sa.Column("channel_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("message_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text_key", sa.BigInteger(), nullable=True),
        sa.Column("origin_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("origin_message_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("channel_id", "message_id", name=op.f("pk_copy_marks")),
        sqlite_with_rowid=False,
    )
    with op.batch_alter_table("copy_marks", schema=None) as batch_op:
        batch_op.create_index("ix_copy_marks_text_key", ["text_key"], unique=False)
        batch_op.create_index(
            "ix_copy_marks_origin_channel_id_origin_message_id",
            ["origin_channel_id", "origin_message_id"],
            unique=False,
        )
    op.create_table(
        "copy_bands",
        sa.Column("band", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("text_key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("band", "text_key", name=op.f("pk_copy_bands")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "near_copies",
        sa.Column("text_key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("other_key", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("text_key", "other_key", name=op.f("pk_near_copies")),
        sqlite_with_rowid=False,
    )
    # The index process looks at every post once more and finds its copies.
    op.execute(
        "INSERT INTO outbox (channel_id, message_id, stage, is_new) "
        "SELECT channel_id, message_id, 'text', false FROM messages "
        "WHERE deleted_at IS NULL ORDER BY posted_at"
    )


def downgrade() -> None:
    op.drop_table("near_copies")
    op.drop_table("copy_bands")
    with op.batch_alter_table("copy_marks", schema=None) as batch_op:
        batch_op.drop_index("ix_copy_marks_origin_channel_id_origin_message_id")
        batch_op.drop_index("ix_copy_marks_text_key")
    op.drop_table("copy_marks")
