"""Everything that can be configured: ``CITEGRAM_*`` from the environment or `.env`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from dotenv import dotenv_values
from pydantic import BeforeValidator, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX = "CITEGRAM_"


class SettingsError(Exception):
    """The settings are wrong; `lines` has one sentence a mistake, without the values."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__(*self.lines)

    def __str__(self) -> str:
        return "\n".join(self.lines)


def _split_ids(value: object) -> object:
    """Lets a list of ids be written as people write it: ``123, 456``."""
    if isinstance(value, str):
        return tuple(part for part in value.replace(",", " ").replace(";", " ").split() if part)
    return value


Ids = Annotated[tuple[int, ...], NoDecode, BeforeValidator(_split_ids)]


class Settings(BaseSettings):
    """The settings of every citegram process. Nothing is required for `citegram demo`."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX,
        env_file=".env",
        env_ignore_empty=False,
        extra="ignore",  # `.env` may hold other programs' keys; ours are checked by `load`
        frozen=True,
        hide_input_in_errors=True,  # a token typed into the wrong field must not be printed
    )

    data_dir: Path = Field(
        default=Path("data"),
        description="Folder of the archive, the search index and the models.",
    )
    database_url: SecretStr | None = Field(
        default=None,
        description="Another database than DATA_DIR/citegram.sqlite (an SQLAlchemy URL).",
    )
    timezone: str = Field(
        default="Europe/Moscow",
        description="Zone of «yesterday» and of exports that have local times only.",
    )
    language: Literal["auto", "ru", "en"] = Field(
        default="auto", description="Language of the bot's own words; auto: the asker's."
    )
    embedder: str = Field(
        default="auto",
        description=(
            "Encoder: auto (bundled multilingual-e5-small), a fastembed model's name, a folder "
            "with an ONNX model, openai:MODEL, hashing (instant and rough), none (text search "
            "only)."
        ),
    )
    embedder_base_url: str | None = Field(
        default=None, description="Server of openai:MODEL encoders; default: LLM_BASE_URL."
    )
    embedder_api_key: SecretStr | None = Field(
        default=None, description="Its key; default: LLM_API_KEY."
    )
    reranker: Literal["late", "features"] = Field(
        default="late",
        description=(
            "late: compares questions word by word, in context, with posts; keeps about 4 KB a "
            "post for it. features: does without."
        ),
    )
    qdrant_url: str | None = Field(
        default=None, description="A Qdrant server or cluster instead of the embedded one."
    )
    qdrant_api_key: SecretStr | None = Field(default=None, description="Its key.")
    index_idle_s: float = Field(
        default=600, ge=1, description="The index process leaves after so many idle seconds."
    )
    llm_base_url: str | None = Field(
        default=None,
        description="An OpenAI-compatible server; without it answers are extractive.",
    )
    llm_model: str | None = Field(
        default=None, description="The model's name there; servers of one model need none."
    )
    llm_api_key: SecretStr | None = Field(
        default=None, description="Its key; local servers need none."
    )
    answer_deadline_s: float = Field(
        default=60, gt=0, description="Longest time that one answer may take, in seconds."
    )
    bot_token: SecretStr | None = Field(
        default=None, description="The bot's token from @BotFather; `citegram bot` needs it."
    )
    bot_api_url: str | None = Field(
        default=None, description="Another Bot API server than api.telegram.org."
    )
    owner_ids: Ids = Field(
        default=(), description="Telegram user ids of the owners, separated by commas."
    )
    allowed_ids: Ids = Field(
        default=(), description="Telegram user ids that may ask beside the owners."
    )
    api_id: int | None = Field(
        default=None,
        gt=0,
        description="The program's id from https://my.telegram.org/apps, to read channels.",
    )
    api_hash: SecretStr | None = Field(default=None, description="Its hash, from the same page.")
    session: SecretStr | None = Field(
        default=None,
        description="A Telethon session as text, instead of the file of `citegram login`.",
    )
    sync_pause_s: float = Field(
        default=1.0,
        ge=0,
        description="Seconds between two requests for history; less risks the account.",
    )
    sync_max_wait_s: float = Field(
        default=3600,
        ge=0,
        description="Longest wait of Telegram's that `citegram sync` sits out, in seconds.",
    )
    sync_max_file_mb: int = Field(
        default=20,
        ge=0,
        description="Attached documents up to so many megabytes are read; 0: none are.",
    )
    telegram_timeout_s: float = Field(
        default=30, gt=0, description="Longest wait for one answer of Telegram's, in seconds."
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="Least severe log line that is written to stderr."
    )

    @field_validator("timezone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ZoneInfoNotFoundError, ValueError) as error:
            raise ValueError("not a time zone; write it like Europe/Moscow") from error
        return value

    @field_validator(
        "bot_token", "llm_api_key", "qdrant_api_key", "embedder_api_key", "api_hash", "session"
    )
    @classmethod
    def _not_blank(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().strip():
            raise ValueError("is empty; remove the line or fill it in")
        return value

    @property
    def zone(self) -> ZoneInfo:
        """The configured zone."""
        return ZoneInfo(self.timezone)

    @property
    def database_address(self) -> str | None:
        """The database's URL with its password, if another than the default one is named."""
        return self.database_url.get_secret_value() if self.database_url else None

    @property
    def database_path(self) -> Path:
        """The SQLite file that is used unless `database_url` names another database."""
        return self.data_dir / "citegram.sqlite"


def load(env_file: Path | None = Path(".env")) -> Settings:
    """Reads the settings of this process.

    Raises:
        SettingsError: Unknown ``CITEGRAM_`` keys or bad values; one line each, values unprinted.
    """
    lines = [f"{key} is not a setting of citegram{_suggestion(key)}" for key in _unknown(env_file)]
    try:
        settings = Settings(_env_file=env_file)  # type: ignore[call-arg]  # pydantic-settings adds it
    except ValidationError as error:
        lines += [_sentence(problem["loc"], problem["msg"]) for problem in error.errors()]
        raise SettingsError(lines) from None  # the chained error would print the input
    if lines:
        raise SettingsError(lines)
    return settings


def _unknown(env_file: Path | None) -> list[str]:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    written = set(os.environ)
    if env_file and env_file.is_file():
        written |= set(dotenv_values(env_file))
    return sorted(
        key for key in written if key.upper().startswith(PREFIX) and key.upper() not in known
    )


def _suggestion(key: str) -> str:
    import difflib  # noqa: PLC0415 - needed only when something is already wrong

    known = [PREFIX + name.upper() for name in Settings.model_fields]
    near = difflib.get_close_matches(key.upper(), known, n=1)
    return f"; did you mean {near[0]}?" if near else ""


def _sentence(loc: tuple[int | str, ...], message: str) -> str:
    name = PREFIX + str(loc[0]).upper() if loc else "settings"
    return f"{name}: {message.removeprefix('Value error, ')}"
