"""The house itself: docs that cannot rot, commands that load lazily, files of a human size."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import COMMANDS, LazyGroup, main
from ingest.settings import PREFIX, Settings

ROOT = Path(__file__).parents[1]
PACKAGES = ("bot", "agent", "ingest", "migrations")
MAX_LINES = 400
"""A gate for those who forget the aim, which is 250."""


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_tell_its_help(name: str) -> None:
    result = CliRunner().invoke(main, [name, "--help"], prog_name="citegram")
    assert 0 == result.exit_code, result.output
    assert "Usage: citegram" in result.output


def test_an_unknown_command_is_a_usage_error() -> None:
    assert isinstance(main, LazyGroup)
    assert 2 == CliRunner().invoke(main, ["fly"]).exit_code


def test_every_setting_is_described_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for name, field in Settings.model_fields.items():
        assert f"`{PREFIX}{name.upper()}`" in readme
        assert field.description
        assert field.description in readme


def test_every_command_is_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    for name, lazy in COMMANDS.items():
        assert f"| `citegram {name}` | {lazy.summary} |" in readme


@pytest.mark.parametrize(
    ("module", "forbidden"),
    [
        ("bot.cli", {"sqlalchemy", "aiogram", "telethon", "openai", "qdrant_client", "pydantic"}),
        ("agent.wiring", {"aiogram", "telethon", "qdrant_client", "openai", "fastembed"}),
        ("ingest.index.lifecycle", {"qdrant_client", "sqlalchemy", "fastembed", "aiohttp"}),
    ],
)
def test_what_is_not_needed_is_not_loaded(module: str, forbidden: set[str]) -> None:
    """`--help` and `ask` start at once because of what they leave alone."""
    code = f"import sys, {module}; print(*sorted({{m.partition('.')[0] for m in sys.modules}}))"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    ).stdout.split()
    assert set() == forbidden & set(loaded)


def test_files_can_be_held_in_the_head() -> None:
    large = [
        path.relative_to(ROOT)
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if len(path.read_text("utf-8").splitlines()) > MAX_LINES
    ]
    assert [] == large


def test_telethon_is_imported_in_one_place() -> None:
    importers = {
        path.relative_to(ROOT).parts[:3]
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.py")
        if "import telethon" in (text := path.read_text("utf-8")) or "from telethon" in text
    }
    assert importers <= {("ingest", "sources", "telegram")}
