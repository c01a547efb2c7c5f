"""The embedded Qdrant as the unmodified qdrant-client sees it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid5

import httpx
import pytest
from aiohttp import web
from qdrant_client import AsyncQdrantClient, models
from qdrant_client.http.exceptions import UnexpectedResponse
from qdrant_client.http.models import QueryResponse

from ingest.errors import IndexUnavailable
from ingest.index.access import require_key
from ingest.index.embedded import choice
from ingest.index.embedded.contract import Engine, Operation
from ingest.index.embedded.engine import CHUNK_POINTS, EdgeEngine
from ingest.index.embedded.lane import Lane
from ingest.index.embedded.local_mode import LocalModeEngine
from ingest.index.embedded.rest import build_rest

KEY = "the key"
POSTS = "posts"

DOCUMENTS: tuple[Sequence[int], ...] = (
    (1, 1, 2, 3),
    (1, 4),
    (2, 2, 2, 5, 6, 7),
    (8,),
)
"""Terms of four documents; a term is its number."""

DENSE = ([1.0, 0.0, 0.0], [0.6, 0.8, 0.0], [0.0, 3.0, 4.0], [-1.0, 0.0, 0.0])
K1, B = 1.2, 0.75


def point_id(number: int) -> str:
    return str(uuid5(UUID(int=0), str(number)))


def bm25_document(terms: Sequence[int]) -> models.SparseVector:
    average = sum(map(len, DOCUMENTS)) / len(DOCUMENTS)
    norm = K1 * (1 - B + B * len(terms) / average)
    counts = Counter(terms)
    return models.SparseVector(
        indices=list(counts),
        values=[count * (K1 + 1) / (count + norm) for count in counts.values()],
    )


def bm25_query(terms: Sequence[int]) -> models.SparseVector:
    return models.SparseVector(indices=list(terms), values=[1.0] * len(terms))


def bm25_score(query: Sequence[int], document: Sequence[int]) -> float:
    """BM25 by its textbook formula."""
    weights = bm25_document(document)
    tf = dict(zip(weights.indices, weights.values, strict=True))
    score = 0.0
    for term in query:
        df = sum(term in other for other in DOCUMENTS)
        score += tf.get(term, 0.0) * math.log(1 + (len(DOCUMENTS) - df + 0.5) / (df + 0.5))
    return score


def points() -> list[models.PointStruct]:
    return [
        models.PointStruct(
            id=point_id(number),
            vector={"dense": DENSE[number], "lemmas": bm25_document(terms)},
            payload={"channel_id": number % 2, "message_id": number, "posted_at": 1000 + number},
        )
        for number, terms in enumerate(DOCUMENTS)
    ]


@asynccontextmanager
async def served(
    engine: type[EdgeEngine] | type[LocalModeEngine], root: Path
) -> AsyncIterator[str]:
    """The address of an engine on loopback."""
    lane = Lane(lambda: engine(root))
    await lane.open()
    runner = web.AppRunner(build_rest(lane, middlewares=(require_key(KEY),)))
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
        await lane.close()


@asynccontextmanager
async def connected(url: str) -> AsyncIterator[AsyncQdrantClient]:
    client = AsyncQdrantClient(
        url=url, metadata={"api-key": KEY}, trust_env=False, check_compatibility=False
    )
    try:
        yield client
    finally:
        await client.close()


async def create(client: AsyncQdrantClient) -> None:
    await client.create_collection(
        POSTS,
        vectors_config={
            "dense": models.VectorParams(
                size=3,
                distance=models.Distance.COSINE,
                hnsw_config=models.HnswConfigDiff(m=0),
                quantization_config=models.TurboQuantization(
                    turbo=models.TurboQuantQuantizationConfig(bits=models.TurboQuantBitSize.BITS4)
                ),
            )
        },
        sparse_vectors_config={"lemmas": models.SparseVectorParams(modifier=models.Modifier.IDF)},
        metadata={"encoder": "a", "dimension": 3},
    )


@pytest.fixture
async def edge(tmp_path: Path) -> AsyncIterator[AsyncQdrantClient]:
    """A client of an empty collection in Edge."""
    async with served(EdgeEngine, tmp_path) as url, connected(url) as client:
        await create(client)
        yield client


@pytest.fixture(params=[EdgeEngine, LocalModeEngine])
async def client(
    request: pytest.FixtureRequest, tmp_path: Path
) -> AsyncIterator[AsyncQdrantClient]:
    """A client of four documents, in each engine."""
    async with served(request.param, tmp_path) as url, connected(url) as client:
        await create(client)
        await client.upsert(POSTS, points())
        yield client


def create_blank(engine: Engine, **optimizers: int) -> None:
    engine.answer(
        Operation.CREATE,
        POSTS,
        {"vectors": {"size": 3, "distance": "Cosine"}, "optimizers_config": optimizers},
    )


def scores(response: QueryResponse) -> dict[int, float]:
    return {point.payload["message_id"]: point.score for point in response.points if point.payload}


async def test_sparse_scores_are_bm25(client: AsyncQdrantClient) -> None:
    """Client-side weights times the engine's idf are BM25 to five digits."""
    response = await client.query_points(
        POSTS, query=bm25_query([1, 2]), using="lemmas", limit=10, with_payload=True
    )

    expected = {
        number: pytest.approx(bm25_score([1, 2], terms), rel=1e-5)
        for number, terms in enumerate(DOCUMENTS)
        if {1, 2} & set(terms)
    }
    assert expected == scores(response)


async def test_dense_scores_are_cosines(client: AsyncQdrantClient) -> None:
    """Vectors of any length are compared by angle; rescoring undoes the quantisation."""
    response = await client.query_points(
        POSTS,
        query=[1.0, 0.0, 0.0],
        using="dense",
        limit=10,
        with_payload=True,
        search_params=models.SearchParams(
            quantization=models.QuantizationSearchParams(rescore=True)
        ),
    )

    expected = {0: 1.0, 1: 0.6, 2: 0.0, 3: -1.0}
    assert list(expected) == list(scores(response))
    assert pytest.approx(expected, abs=1e-5) == scores(response)


async def test_batch_answers_each_query_under_its_own_filter(client: AsyncQdrantClient) -> None:
    """Both halves of a hybrid search go in one request, each with its filter."""
    odd = models.FieldCondition(key="channel_id", match=models.MatchAny(any=[1, 7]))
    early = models.FieldCondition(key="posted_at", range=models.Range(gte=1000, lt=1002))
    dense, lexical = await client.query_batch_points(
        POSTS,
        [
            models.QueryRequest(
                query=[1.0, 0.0, 0.0],
                using="dense",
                filter=models.Filter(must=[odd]),
                limit=5,
                with_payload=["message_id"],
            ),
            models.QueryRequest(
                query=bm25_query([1, 2]),
                using="lemmas",
                filter=models.Filter(must=[early], must_not=[odd]),
                limit=5,
                with_payload=True,
            ),
        ],
    )

    assert list(scores(dense)) == [1, 3]
    assert list(scores(lexical)) == [0]


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        (models.Filter(must=models.HasIdCondition(has_id=[point_id(2)])), {2}),
        (models.Filter(must_not=[models.HasIdCondition(has_id=[point_id(2)])]), {0, 1, 3}),
        (
            models.Filter(
                must=[
                    models.FieldCondition(
                        key="message_id", match=models.MatchExcept(**{"except": [0, 1]})
                    )
                ]
            ),
            {2, 3},
        ),
        (
            models.Filter(
                should=[
                    models.FieldCondition(key="message_id", match=models.MatchValue(value=3)),
                    models.Filter(
                        must=[
                            models.FieldCondition(key="posted_at", range=models.Range(gt=1000)),
                            models.FieldCondition(
                                key="channel_id", match=models.MatchValue(value=0)
                            ),
                        ]
                    ),
                ]
            ),
            {2, 3},
        ),
        (
            models.Filter(
                must=[models.IsEmptyCondition(is_empty=models.PayloadField(key="author"))]
            ),
            {0, 1, 2, 3},
        ),
        (
            models.Filter(
                min_should=models.MinShould(
                    min_count=2,
                    conditions=[
                        models.FieldCondition(key="message_id", range=models.Range(lte=1)),
                        models.FieldCondition(key="message_id", range=models.Range(gte=1)),
                    ],
                )
            ),
            {1},
        ),
    ],
)
async def test_filters_choose_points(
    client: AsyncQdrantClient, condition: models.Filter, expected: set[int]
) -> None:
    """Each kind of condition chooses the same points in either engine."""
    found, _ = await client.scroll(POSTS, scroll_filter=condition, limit=10)
    counted = await client.count(POSTS, count_filter=condition)

    assert expected == {point.payload["message_id"] for point in found if point.payload}
    assert len(expected) == counted.count


async def test_prefetches_are_fused(client: AsyncQdrantClient) -> None:
    """Reciprocal rank fusion over two prefetches, ranks counted from 0 and k = 2."""
    response = await client.query_points(
        POSTS,
        prefetch=[
            models.Prefetch(query=[1.0, 0.0, 0.0], using="dense", limit=2),
            models.Prefetch(query=bm25_query([5]), using="lemmas", limit=2),
        ],
        query=models.FusionQuery(fusion=models.Fusion.RRF),
        with_payload=True,
    )

    assert pytest.approx({0: 1 / 2, 2: 1 / 2, 1: 1 / 3}) == scores(response)


async def test_mmr_passes_over_a_copy(client: AsyncQdrantClient) -> None:
    """With diversity a near-copy of the best hit loses to something else."""
    await client.upsert(
        POSTS,
        [models.PointStruct(id=9, vector={"dense": [1.0, 0.01, 0.0]}, payload={"message_id": 9})],
    )
    response = await client.query_points(
        POSTS,
        query=models.NearestQuery(
            nearest=[1.0, 0.0, 0.0], mmr=models.Mmr(diversity=0.9, candidates_limit=3)
        ),
        using="dense",
        limit=2,
        with_payload=True,
    )

    assert list(scores(response)) == [0, 1]


async def test_scroll_pages_through_everything_once(client: AsyncQdrantClient) -> None:
    """Following the offsets yields every point exactly once."""
    seen: list[object] = []
    offset: models.ExtendedPointId | None = None
    while True:
        page, offset = await client.scroll(POSTS, limit=3, offset=offset)
        seen += [point.id for point in page]
        if offset is None:
            break

    assert sorted(map(point_id, range(4))) == sorted(map(str, seen))


async def test_deletes_by_filter_and_by_id(client: AsyncQdrantClient) -> None:
    """What is deleted is not found again; the rest stays."""
    odd = models.FieldCondition(key="channel_id", match=models.MatchValue(value=1))
    await client.delete(POSTS, models.FilterSelector(filter=models.Filter(must=[odd])))
    await client.delete(POSTS, models.PointIdsList(points=[point_id(0)]))

    found, _ = await client.scroll(POSTS)
    assert [point_id(2)] == [point.id for point in found]


async def test_a_vector_added_later_is_searched(client: AsyncQdrantClient) -> None:
    """A point can come with its lexical vector first and get the dense one afterwards."""
    await client.upsert(
        POSTS, [models.PointStruct(id=7, vector={"lemmas": bm25_document([9])}, payload={"x": 1})]
    )
    await client.update_vectors(
        POSTS, [models.PointVectors(id=7, vector={"dense": [0.0, 0.0, 2.0]})]
    )

    response = await client.query_points(POSTS, query=[0.0, 0.0, 1.0], using="dense", limit=1)
    (record,) = await client.retrieve(POSTS, [7], with_vectors=True)
    assert [point.id for point in response.points] == [7]
    assert isinstance(record.vector, dict)
    assert {"dense", "lemmas"} == record.vector.keys()
    assert isinstance(record.vector["lemmas"], models.SparseVector)
    assert record.vector["lemmas"].indices == [9]


async def test_payload_changes(client: AsyncQdrantClient) -> None:
    """Setting adds to a payload, overwriting replaces it, deleting takes keys out."""
    first, second = point_id(0), point_id(1)
    await client.set_payload(POSTS, {"lang": "ru"}, points=[first])
    await client.overwrite_payload(POSTS, {"lang": "en"}, points=[second])
    await client.delete_payload(POSTS, keys=["posted_at"], points=[first])

    records = await client.retrieve(POSTS, [first, second])
    assert {
        first: {"channel_id": 0, "message_id": 0, "lang": "ru"},
        second: {"lang": "en"},
    } == {record.id: record.payload for record in records}


async def test_batch_of_updates_is_applied_in_order(client: AsyncQdrantClient) -> None:
    """A delete and an upsert of the same point in one request leave the point."""
    results = await client.batch_update_points(
        POSTS,
        [
            models.DeleteOperation(delete=models.PointIdsList(points=[point_id(0)])),
            models.UpsertOperation(upsert=models.PointsList(points=points()[:1])),
        ],
    )

    assert len(results) == 2
    assert (await client.count(POSTS)).count == 4


async def test_collections_come_and_go(client: AsyncQdrantClient) -> None:
    """Collections are listed, known to exist, made once only, and gone after a delete."""
    assert [one.name for one in (await client.get_collections()).collections] == [POSTS]
    with pytest.raises(UnexpectedResponse, match="already exists") as conflict:
        await create(client)
    assert conflict.value.status_code == 409

    assert await client.delete_collection(POSTS)
    assert not await client.collection_exists(POSTS)
    with pytest.raises(UnexpectedResponse, match="Not found: Collection") as missing:
        await client.count(POSTS)
    assert missing.value.status_code == 404


async def test_collection_tells_how_it_was_made(client: AsyncQdrantClient) -> None:
    """Vectors and metadata come back as given; later metadata is merged in."""
    await client.update_collection(POSTS, metadata={"encoder": "b"})
    await client.create_payload_index(POSTS, "channel_id", models.PayloadSchemaType.INTEGER)
    collection = await client.get_collection(POSTS)

    assert collection.points_count == 4
    assert collection.config.metadata == {"encoder": "b", "dimension": 3}
    assert isinstance(collection.config.params.vectors, dict)
    assert collection.config.params.vectors["dense"].size == 3
    assert collection.config.params.sparse_vectors is not None
    assert collection.config.params.sparse_vectors["lemmas"].modifier == models.Modifier.IDF


async def test_payload_indexes_are_listed(edge: AsyncQdrantClient) -> None:
    """An index made by name or with options shows with its kind, and can be dropped."""
    await edge.create_payload_index(POSTS, "author", models.PayloadSchemaType.KEYWORD)
    await edge.create_payload_index(
        POSTS,
        "posted_at",
        models.IntegerIndexParams(type=models.IntegerIndexType.INTEGER, is_principal=True),
    )
    await edge.create_payload_index(POSTS, "lang", models.PayloadSchemaType.KEYWORD)
    await edge.delete_payload_index(POSTS, "lang")

    schema = (await edge.get_collection(POSTS)).payload_schema
    assert {name: index.data_type.value for name, index in schema.items()} == {
        "author": "keyword",
        "posted_at": "integer",
    }


async def test_idf_can_be_that_of_the_filter(edge: AsyncQdrantClient) -> None:
    """With a corpus filter, idf counts only the documents that pass it."""
    await edge.upsert(POSTS, points())
    scope = models.Filter(
        must=[models.FieldCondition(key="channel_id", match=models.MatchValue(value=0))]
    )
    response = await edge.query_points(
        POSTS,
        query=bm25_query([1]),
        using="lemmas",
        query_filter=scope,
        search_params=models.SearchParams(idf=models.IdfCorpusParams(corpus=scope)),
        with_payload=True,
    )

    weight = bm25_document(DOCUMENTS[0]).values[0]
    assert {0: pytest.approx(weight * math.log(1 + 1.5 / 1.5), rel=1e-5)} == scores(response)


async def test_upsert_larger_than_a_chunk_is_whole(edge: AsyncQdrantClient) -> None:
    """A large request is written in pieces and none of them is lost, batch form included."""
    count = 2 * CHUNK_POINTS + 1
    await edge.upsert(
        POSTS,
        models.Batch(
            ids=list(range(count)),
            vectors={"dense": [[1.0, 0.0, 0.0]] * count},
            payloads=[{"message_id": number} for number in range(count)],
        ),
    )

    assert count == (await edge.count(POSTS)).count


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "said"),
    [
        (
            "POST",
            "/collections/posts/points/query",
            {"query": {"sample": "random"}},
            400,
            "sample",
        ),
        ("POST", "/collections/posts/points/query", {"query": 5}, 400, "a point's id"),
        (
            "POST",
            "/collections/posts/points/query",
            {"query": [1.0, 2.0], "using": "dense"},
            400,
            "expected dim: 3, got 2",
        ),
        (
            "POST",
            "/collections/posts/points/query",
            {"query": [1.0], "using": "none"},
            400,
            "vector name",
        ),
        (
            "POST",
            "/collections/posts/points/count",
            {"filter": {"most": []}},
            400,
            "a filter has no `most`",
        ),
        ("PUT", "/collections/posts/points", {}, 400, "points"),
        ("PUT", "/collections/posts/points", [], 400, "expected an object"),
        ("PUT", "/collections/..%2Fposts", {"vectors": {}}, 400, "letters, digits"),
        ("POST", "/collections/posts/points/query/groups", {}, 404, "Not Found"),
        ("DELETE", "/collections/posts/points", None, 405, "Not Allowed"),
    ],
)
async def test_bad_requests_are_refused_in_qdrants_form(
    edge: AsyncQdrantClient, *, method: str, path: str, body: object, status: int, said: str
) -> None:
    """Each mistake has its status and says in Qdrant's own shape what is wrong."""
    async with httpx.AsyncClient(trust_env=False, headers={"api-key": KEY}) as http:
        base = edge.http.client.host  # the address that the fixture serves on
        response = await http.request(method, f"{base}{path}", json=body)

    assert status == response.status_code
    assert said in response.json()["status"]["error"]


@pytest.mark.parametrize("headers", [{}, {"api-key": "another"}, {"api-key": "ключ".encode()}])
async def test_a_wrong_key_is_refused(tmp_path: Path, headers: dict[str, str]) -> None:
    """Without the key nothing is told, not even what there is."""
    async with (
        served(EdgeEngine, tmp_path) as url,
        httpx.AsyncClient(trust_env=False, headers=headers) as http,
    ):
        response = await http.get(f"{url}/collections")

    assert response.status_code == 401
    assert "Must provide an API key" in response.json()["status"]["error"]


async def test_client_and_engine_find_each_other_compatible(
    edge: AsyncQdrantClient,
) -> None:
    """The version that we answer with is one that qdrant-client accepts without a warning."""
    from qdrant_client.common.version_check import is_compatible  # noqa: PLC0415 - private path

    assert is_compatible("1.20.0", (await edge.info()).version)


@pytest.mark.parametrize("engine", [EdgeEngine, LocalModeEngine])
async def test_points_survive_a_restart(
    tmp_path: Path, engine: type[EdgeEngine] | type[LocalModeEngine]
) -> None:
    """What was written is there when the engine opens the folder again."""
    async with served(engine, tmp_path) as url, connected(url) as client:
        await create(client)
        await client.upsert(POSTS, points())
    async with served(engine, tmp_path) as url, connected(url) as client:
        assert (await client.count(POSTS)).count == 4
        metadata = (await client.get_collection(POSTS)).config.metadata

    assert metadata == {"encoder": "a", "dimension": 3}


@pytest.mark.parametrize("engine", [EdgeEngine, LocalModeEngine])
# qdrant-client leaves its lock file to the garbage collector when the lock is taken.
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
@pytest.mark.filterwarnings("ignore:Exception ignored in:pytest.PytestUnraisableExceptionWarning")
def test_a_folder_in_use_is_refused(
    tmp_path: Path, engine: type[EdgeEngine] | type[LocalModeEngine]
) -> None:
    """A second owner of a folder is told so, and the first goes on."""
    first: Engine = engine(tmp_path)
    create_blank(first)
    try:
        with pytest.raises(IndexUnavailable, match="open in another process"):
            engine(tmp_path)
        assert first.answer(Operation.COUNT, POSTS, {}) == {"count": 0}
    finally:
        first.close()


def test_leftovers_of_a_killed_create_are_swept(tmp_path: Path) -> None:
    """A folder that never became a collection is removed, and none is listed."""
    (tmp_path / ".0a1b2c3d" / "segments").mkdir(parents=True)

    engine = EdgeEngine(tmp_path)

    assert list(tmp_path.iterdir()) == []
    engine.close()


def test_a_damaged_collection_names_the_way_out(tmp_path: Path) -> None:
    """Files that Edge cannot read are reported with the command that rebuilds them."""
    engine = EdgeEngine(tmp_path)
    create_blank(engine)
    engine.close()
    (tmp_path / POSTS / "edge_config.json").write_text("{")

    with pytest.raises(IndexUnavailable, match="citegram reindex"):
        EdgeEngine(tmp_path)


def test_local_mode_serves_where_edge_has_no_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without qdrant-edge-py the fallback is opened."""
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)

    engine = choice.open_engine(tmp_path)

    assert isinstance(engine, LocalModeEngine)
    engine.close()


def test_upkeep_merges_without_changing_results(tmp_path: Path) -> None:
    """After the optimiser has run, the same points are found, and they are indexed."""
    engine = EdgeEngine(tmp_path)
    create_blank(engine, indexing_threshold=1)
    rows = [
        {"id": n, "vector": [math.cos(n / 1000), math.sin(n / 1000), 0.0], "payload": {"n": n}}
        for n in range(1000)
    ]
    engine.answer(Operation.UPSERT, POSTS, {"points": rows})
    search = {"query": [1.0, 0.0, 0.0], "limit": 5}
    before = ids(engine.answer(Operation.QUERY, POSTS, search))
    count_before = count_segments(engine)
    engine.tidy(quiet=True)
    after = ids(engine.answer(Operation.QUERY, POSTS, search))
    count_after = count_segments(engine)
    engine.close()

    assert (before, after) == ([0, 1, 2, 3, 4], [0, 1, 2, 3, 4])
    assert (count_before, count_after) == (1, 2)  # full ones, and one that is written to


def ids(answer: object) -> list[models.ExtendedPointId]:
    return [point.id for point in QueryResponse.model_validate(answer).points]


def count_segments(engine: Engine) -> int:
    answer = engine.answer(Operation.DESCRIBE, POSTS, {})
    return models.CollectionInfo.model_validate(answer).segments_count
