"""Opens the collection: creates it, uses it, or tells why it can't be used."""

from __future__ import annotations

from dataclasses import dataclass

from qdrant_client import AsyncQdrantClient, models

from ingest.errors import IndexMismatch
from ingest.index.schema import COLLECTION, DENSE, FILTERED_BY, LEMMAS, SCHEMA_VERSION


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """What a collection was built by: the encoder (None: words only) and the schema."""

    encoder: str | None = None
    dimension: int | None = None
    schema: int = SCHEMA_VERSION

    def __str__(self) -> str:
        return f"{self.encoder or 'no encoder'} (schema {self.schema})"


@dataclass(frozen=True, slots=True)
class Opened:
    """An open collection; an empty one has to be filled anew."""

    built: Built
    is_empty: bool


async def open_collection(client: AsyncQdrantClient, wanted: Built | None) -> Opened:
    """Makes sure that there is a collection to search.

    Args:
        wanted: What it should be built by; None takes whatever is there, since the encoder
            can't be loaded just now.

    Raises:
        IndexMismatch: It holds another encoder's vectors. Mixing them would give nonsense and
            making new ones takes long, so nothing is done without being asked.
    """
    built = await _built(client)
    if built is None:
        return await create_collection(client, wanted or Built())
    if wanted is None or built == wanted:
        return Opened(built, is_empty=False)
    if built.encoder is None or built.encoder == wanted.encoder:
        # Words only, or vectors that the cache still has: rebuilding costs no encoding.
        return await create_collection(client, wanted)
    raise IndexMismatch(built_by=str(built), wanted=str(wanted))


async def create_collection(client: AsyncQdrantClient, wanted: Built) -> Opened:
    """Makes an empty collection in the place of the one that may be there."""
    if await client.collection_exists(COLLECTION):
        await client.delete_collection(COLLECTION)
    dense = {}
    if wanted.dimension:
        dense[DENSE] = models.VectorParams(
            size=wanted.dimension,
            distance=models.Distance.COSINE,
            # A flat scan of a million passages takes tens of milliseconds and needs no
            # building; a graph pays beyond that.
            hnsw_config=models.HnswConfigDiff(m=0),
        )
    await client.create_collection(
        COLLECTION,
        vectors_config=dense,
        sparse_vectors_config={LEMMAS: models.SparseVectorParams(modifier=models.Modifier.IDF)},
        metadata={
            "encoder": wanted.encoder,
            "dimension": wanted.dimension,
            "schema": wanted.schema,
        },
    )
    for key, kind in FILTERED_BY.items():
        await client.create_payload_index(COLLECTION, key, kind)
    return Opened(wanted, is_empty=True)


async def _built(client: AsyncQdrantClient) -> Built | None:
    if not await client.collection_exists(COLLECTION):
        return None
    metadata = (await client.get_collection(COLLECTION)).config.metadata or {}
    return Built(
        encoder=metadata.get("encoder"),
        dimension=metadata.get("dimension"),
        schema=int(metadata.get("schema") or 0),
    )
