"""How every process logs: events with fields, to stderr, without secrets."""

from __future__ import annotations

import logging
import re
import sys

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

_BOT_TOKEN = re.compile(r"\d{6,}:[\w-]{30,}")
"""Source: core.telegram.org/bots/api#authorizing-your-bot."""


def configure_logs(level: str) -> None:
    """Console lines on a terminal, JSON otherwise; standard library loggers join in."""
    number = logging.getLevelNamesMapping()[level.upper()]
    shared: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redact,
    ]
    renderer = (
        structlog.dev.ConsoleRenderer()
        if sys.stderr.isatty()
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.addFilter(_redact_record)
    logging.basicConfig(level=max(number, logging.WARNING), handlers=[handler], force=True)


def redact(_logger: WrappedLogger, _method: str, event: EventDict) -> EventDict:
    """Takes bot tokens out of every field."""
    return {
        key: _BOT_TOKEN.sub("<bot token>", value) if isinstance(value, str) else value
        for key, value in event.items()
    }


def _redact_record(record: logging.LogRecord) -> bool:
    record.msg, record.args = _BOT_TOKEN.sub("<bot token>", record.getMessage()), None
    if record.exc_info:
        trace = logging.Formatter().formatException(record.exc_info)
        record.exc_info, record.exc_text = None, _BOT_TOKEN.sub("<bot token>", trace)
    return True
