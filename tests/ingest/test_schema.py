"""Migrations: up, down and up again; the models; older and newer databases."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, inspect, text

from ingest.errors import DatabaseTooNew
from ingest.store.engine import Database, open_database
from ingest.store.models import metadata
from ingest.store.schema import HEAD, known_revisions, migrations_config, upgrade

REVISIONS = known_revisions()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "citegram.sqlite"


@pytest.mark.parametrize("revision", REVISIONS)
async def test_every_step_goes_up_down_and_up(path: Path, revision: str) -> None:
    def climb(connection: Connection) -> None:
        config = migrations_config(connection)
        command.upgrade(config, revision)
        command.downgrade(config, "-1")
        command.upgrade(config, revision)

    async with open_database(path) as database, database.writing() as connection:
        await connection.run_sync(climb)


async def test_models_are_what_the_migrations_make(database: Database) -> None:
    async with database.reading() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync), metadata)
        )
    assert differences == []


async def test_a_downgrade_leaves_nothing(path: Path) -> None:
    async with open_database(path) as database:
        await upgrade(database)
        async with database.writing() as connection:
            await connection.run_sync(
                lambda sync: command.downgrade(migrations_config(sync), "base")
            )
            left = await connection.run_sync(lambda sync: inspect(sync).get_table_names())
    assert left == ["alembic_version"]


async def test_a_newer_database_is_refused_untouched(database: Database) -> None:
    async with database.writing() as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(DatabaseTooNew, match=r"newer citegram.*9999"):
        await upgrade(database)


async def test_a_copy_is_made_before_an_upgrade(path: Path) -> None:
    """An older database with something in it is there twice afterwards."""
    async with open_database(path) as database:
        async with database.writing() as connection:
            await connection.run_sync(
                lambda sync: command.upgrade(migrations_config(sync), REVISIONS[0])
            )
            await connection.execute(
                text("INSERT INTO archive_facts (name, value) VALUES ('kept', 'yes')")
            )
            await connection.execute(
                text("UPDATE alembic_version SET version_num = :one"), {"one": REVISIONS[0]}
            )
        if REVISIONS[0] == HEAD:
            pytest.skip("there is only one schema so far")
        await upgrade(database)
    (copy,) = path.parent.glob("citegram.before-*.sqlite")
    async with open_database(copy) as kept, kept.reading() as connection:
        value = (await connection.execute(text("SELECT value FROM archive_facts"))).scalar_one()
    assert value == "yes"


def test_the_newest_revision_is_written_down() -> None:
    assert REVISIONS[-1] == HEAD


async def test_upgrading_twice_is_upgrading_once(database: Database) -> None:
    await upgrade(database)
    assert list((database.path or Path()).parent.glob("*.before-*")) == []
