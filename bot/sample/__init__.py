"""The invented town's channels that a stranger asks first, as Telegram Desktop exports them."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path


def sample_folder() -> Path:
    """Returns the folder of the sample: `<username>/result.json`, `questions.jsonl`, `demo.json`.

    Raises:
        FileNotFoundError: The package does not lie in a plain folder but in a zip, say.
    """
    folder = files(__name__)
    if not isinstance(folder, Path):
        raise FileNotFoundError(
            "The sample archive can only be read from an unpacked installation of citegram: "
            "install it with pip instead of running it from a zip."
        )
    return folder
