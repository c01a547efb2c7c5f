"""What of a stored message has to change when Telegram itself shows its present state."""

from __future__ import annotations

from ingest.store.rows import Values

_PREVIEW = ("preview_title", "preview_description")


def current_changes(stored: Values, incoming: Values) -> Values:
    """The columns to change so that the row shows the post as it is now.

    Reactions, views and hidden edits change their columns and no text. A link's preview comes
    some seconds after its post and may come again; the first one counts, since an edit of the
    preview is no edit of the post.
    """
    changed = {
        key: value for key, value in incoming.items() if value is not None and value != stored[key]
    }
    if "text" in changed:
        changed["entities"] = incoming["entities"]
    elif "attachment" in changed and _has_preview(stored["attachment"]):
        _keep_preview(stored, changed)
    if "text" not in changed and "attachment" not in changed:
        # The post lost something that the archive keeps: its preview, say.
        changed.pop("content_hash", None)
        changed.pop("lang", None)
    if stored["deleted_at"] is not None:
        changed["deleted_at"] = None
    return changed


def is_edit(stored: Values, changed: Values) -> bool:
    """Whether a reader would say that the post was edited; a new preview is no edit."""
    if "content_hash" not in changed:
        return False
    before, after = stored["attachment"], changed.get("attachment", stored["attachment"])
    return "text" in changed or _bare(before) != _bare(after)


def _keep_preview(stored: Values, changed: Values) -> None:
    if _bare(stored["attachment"]) == _bare(changed["attachment"]):
        for key in ("attachment", "content_hash", "lang"):
            changed.pop(key, None)


def _has_preview(attachment: Values | None) -> bool:
    return any(key in (attachment or {}) for key in _PREVIEW)


def _bare(attachment: Values | None) -> Values:
    return {key: value for key, value in (attachment or {}).items() if key not in _PREVIEW}
