"""Downloads one model of fastembed's catalogue: ``python -m ... MODEL CACHE_DIR``.

`hub.py` runs it as a process that it can stop.
"""

from __future__ import annotations

import sys

from fastembed import TextEmbedding

from ingest.index.encoders.hub import register_e5_small


def main(model: str, cache_dir: str) -> None:
    """Fetches the files, trying once: waiting and trying again is the caller's business.

    Raises:
        ValueError: No source gives the model.
    """
    register_e5_small()
    for family in TextEmbedding.EMBEDDINGS_REGISTRY:
        for description in family._list_supported_models():
            if description.model.lower() == model.lower():
                family.download_model(description, cache_dir, retries=1)
                return
    raise ValueError(f"fastembed knows no {model}")


if __name__ == "__main__":
    main(*sys.argv[1:])
