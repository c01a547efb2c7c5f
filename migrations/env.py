"""Runs the migrations on the connection that the program hands over."""

from __future__ import annotations

from alembic import context
from sqlalchemy import Connection

from ingest.store.models import metadata


def _run(connection: Connection) -> None:
    # Batch mode: SQLite changes a table by copying it.
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()


handed_over = context.config.attributes.get("connection")
if handed_over is None:
    raise SystemExit("migrations run from citegram itself: start any command of it")
_run(handed_over)
