"""Writes a chat as Telegram Desktop does in HTML, out of its JSON export: for comparing both.

Source: tdesktop's export_output_html.cpp, for the shape of the pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

_A_PAGE = 1000
_ESCAPES = {"\n": "<br>", '"': "&quot;", "&": "&amp;", "'": "&apos;", "<": "&lt;", ">": "&gt;"}
_TAGS = {
    "bold": "strong",
    "italic": "em",
    "code": "code",
    "pre": "pre",
    "underline": "u",
    "strikethrough": "s",
    "blockquote": "blockquote",
}
_CLICKS = {
    "hashtag": "ShowHashtag(&quot;x&quot;)",
    "cashtag": "ShowCashtag(&quot;x&quot;)",
    "bot_command": "ShowBotCommand(&quot;x&quot;)",
    "mention_name": "ShowMentionName()",
    "custom_emoji": "ShowNotLoadedEmoji();",
}
_MEDIA = {
    "voice_message": ("media_voice_message", "Voice message"),
    "video_message": ("media_video", "Video message"),
    "video_file": ("media_video", "Video file"),
    "animation": ("media_video", "Animation"),
    "sticker": ("media_photo", "Sticker"),
}


def write_html(export: dict[str, Any], folder: Path, *, zone: tzinfo = UTC) -> None:
    """Writes ``messages.html``, ``messages2.html``..."""
    found = export["messages"]
    for page, start in enumerate(range(0, max(len(found), 1), _A_PAGE)):
        name = f"messages{page + 1 if page else ''}.html"
        blocks = "".join(_messages(found[start : start + _A_PAGE], export, zone))
        title = _text(export["name"] + " ")
        (folder / name).write_text(
            '<!DOCTYPE html>\n<html>\n\n <head>\n\n  <meta charset="utf-8"/>\n'
            "<title>Exported Data</title>\n </head>\n\n "
            '<body onload="CheckLocation();">\n\n  <div class="page_wrap">\n\n'
            '   <div class="page_header">\n\n    <div class="content">\n\n'
            f'     <div class="text bold">\n{title}\n     </div>\n\n    </div>\n\n   </div>\n\n'
            f'   <div class="page_body chat_page">\n\n    <div class="history">\n{blocks}\n'
            "    </div>\n\n   </div>\n\n  </div>\n\n </body>\n\n</html>\n",
            encoding="utf-8",
        )


def _text(text: str) -> str:
    return "".join(_ESCAPES.get(letter, letter) for letter in text)


def _messages(found: list[dict[str, Any]], export: dict[str, Any], zone: tzinfo) -> Iterator[str]:
    before: dict[str, Any] = {}
    for number, raw in enumerate(found):
        if number == 0:
            yield _div("message service", _div("body details", "1 May 2024"), f' id="message-{1}"')
        if raw["type"] == "service":
            yield _div("message service", _div("body details", "Something happened"), _id(raw))
            before = {}
            continue
        yield _message(raw, before, export, zone)
        before = raw


def _id(raw: dict[str, Any]) -> str:
    return f' id="message{raw["id"]}"'


def _div(classes: str, inner: str, more: str = "") -> str:
    return f'\n      <div class="{classes}"{more}>\n{inner}\n      </div>\n'


def _message(
    raw: dict[str, Any], before: dict[str, Any], export: dict[str, Any], zone: tzinfo
) -> str:
    keys = ("from_id", "forwarded_from", "forwarded_from_id")
    joined = bool(before) and all(raw.get(k) == before.get(k) for k in keys)
    joined = joined and int(raw["date_unixtime"]) - int(before["date_unixtime"]) <= (
        1 if "forwarded_from" in raw else 900
    )
    body = _div("pull_right date details", "12:00", f' title="{_time(raw, zone)}"')
    if not joined:
        body += _div("from_name", _text(raw.get("from") or export["name"]))
    inner = ""
    if "reply_to_message_id" in raw:
        number = raw["reply_to_message_id"]
        link = f'<a href="#go_to_message{number}" onclick="return GoToMessage({number})">'
        inner += _div("reply_to details", f"In reply to {link}this message</a>")
    inner += _media(raw)
    written = "".join(_part(part) for part in raw.get("text_entities") or ())
    inner += _div("text", written) if written else ""
    if raw.get("author"):
        inner += _div("signature details", _text(raw["author"]))
    if "forwarded_from" in raw:
        origin = _div(
            "from_name",
            _text(raw["forwarded_from"] or "Deleted Account")
            + f'<span class="date details" title="{_time(raw, zone)}"> 01.05.2024 12:00:00</span>',
        )
        inner = _div("forwarded body", origin + inner)
    body += inner + _reactions(raw)
    classes = "message default clearfix" + (" joined" if joined else "")
    return _div(classes, _div("body", body), _id(raw))


def _time(raw: dict[str, Any], zone: tzinfo) -> str:
    local = datetime.fromtimestamp(int(raw["date_unixtime"]), zone)
    standard = (local.utcoffset() or timedelta()) - (local.dst() or timedelta())
    minutes = int(standard.total_seconds()) // 60
    sign = "-" if minutes < 0 else "+"
    offset = f"{sign}{abs(minutes) // 60:02}:{abs(minutes) % 60:02}"
    return f"{local:%d.%m.%Y %H:%M:%S} UTC{offset}"


def _part(part: dict[str, Any]) -> str:
    text, kind = _text(part["text"]), part["type"]
    if kind in _TAGS:
        return f"<{_TAGS[kind]}>{text}</{_TAGS[kind]}>"
    if kind in _CLICKS:
        return f'<a href="" onclick="return {_CLICKS[kind]}">{text}</a>'
    address = {
        "link": text,
        "text_link": _text(part.get("href", "")),
        "email": f"mailto:{text}",
        "phone": f"tel:{text}",
        "mention": f"https://t.me/{text[1:]}",
    }
    if kind in address:
        return f'<a href="{address[kind]}">{text}</a>'
    if kind == "spoiler":
        hidden = f'<span aria-hidden="true">{text}</span>'
        return f'<span class="spoiler hidden" onclick="ShowSpoiler(this)">{hidden}</span>'
    return text


def _media(raw: dict[str, Any]) -> str:
    if "poll" in raw:
        return _poll(raw["poll"])
    if "photo" in raw:
        return _generic("media_photo", "Photo")
    if "media_type" not in raw and "file" not in raw:
        return ""
    kind = raw.get("media_type")
    if kind == "audio_file":
        song = f"{raw['performer']} – {raw['title']}" if raw.get("performer") else None
        return _generic("media_audio_file", song or raw.get("file_name") or "Audio file")
    classes, title = _MEDIA.get(kind or "", ("media_file", raw.get("file_name") or "File"))
    return _generic(classes, title)


def _generic(classes: str, title: str) -> str:
    inner = _div("title bold", _text(title)) + _div("description", "Not included")
    inner += _div("status details", "1.0 KB")
    body = _div("fill pull_left", "") + _div("body", inner)
    return _div("media_wrap clearfix", _div(f"media clearfix pull_left {classes}", body))


def _poll(poll: dict[str, Any]) -> str:
    inner = _div("question bold", _text(poll["question"]))
    inner += _div("details", "Final results" if poll["closed"] else "Anonymous poll")
    for answer in poll["answers"]:
        votes = answer["voters"]
        told = f' <span class="details">{votes} votes</span>' if votes else ""
        inner += _div("answer", f"- {_text(answer['text'])}{told}")
    total = poll["total_voters"]
    inner += _div("total details\t", f"{total} votes" if total else "No votes")
    return _div("media_wrap clearfix", _div("media_poll", inner))


def _reactions(raw: dict[str, Any]) -> str:
    if not raw.get("reactions"):
        return ""
    inner = ""
    for one in raw["reactions"]:
        emoji = f'<span class="emoji">\n{one["emoji"]}\n</span>'
        count = f'<span class="count">\n{one["count"]}\n</span>'
        inner += f'<span class="reaction">\n{emoji}\n{count}\n</span>'
    return f'\n<span class="reactions">\n{inner}\n</span>\n'
