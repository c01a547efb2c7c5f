"""Qdrant's REST JSON to Edge's objects and back: filters, queries, points.

Return types are `Any` where Edge's stubs have unions whose members they do not relate.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import qdrant_edge as edge

from ingest.index.embedded.contract import JsonObject, Refused

# Defaults of Qdrant's API. Source: https://api.qdrant.tech/api-reference/search/query-points
DEFAULT_LIMIT = 10
DEFAULT_DIVERSITY = 0.5
DEFAULT_RRF_K = 2

_CLAUSES = ("must", "should", "must_not", "min_should")
_MATCHES = {
    "value": edge.MatchValue,
    "text": edge.MatchText,
    "text_any": edge.MatchTextAny,
    "phrase": edge.MatchPhrase,
    "any": edge.MatchAny,
    "except": edge.MatchExcept,
}


def to_filter(body: JsonObject | None) -> edge.Filter | None:
    """The filter of a request; None lets everything pass."""
    if body is None:
        return None
    unknown = set(body) - set(_CLAUSES)
    if unknown:
        raise Refused(400, f"a filter has no `{min(unknown)}`")
    least = body.get("min_should")
    return edge.Filter(
        must=_conditions(body.get("must")),
        should=_conditions(body.get("should")),
        must_not=_conditions(body.get("must_not")),
        min_should=edge.MinShould(_conditions(least["conditions"]) or [], least["min_count"])
        if least
        else None,
    )


def _conditions(body: list[JsonObject] | JsonObject | None) -> list[Any] | None:
    if body is None:
        return None
    return [_condition(one) for one in (body if isinstance(body, list) else [body])]


def _condition(body: JsonObject) -> Any:  # noqa: PLR0911 - one return a kind of condition
    match body:
        case {"has_id": ids}:
            return edge.HasIdCondition(set(ids))
        case {"is_empty": {"key": key}}:
            return edge.IsEmptyCondition(key)
        case {"is_null": {"key": key}}:
            return edge.IsNullCondition(key)
        case {"has_vector": name}:
            return edge.HasVectorCondition(name)
        case {"nested": {"key": key, "filter": inside}}:
            return edge.NestedCondition(key, to_filter(inside) or edge.Filter())
        case {"key": key}:
            return _field_condition(key, body)
        case _ if body.keys() & set(_CLAUSES):
            return to_filter(body)
    raise Refused(400, f"the embedded index knows no condition with {', '.join(sorted(body))}")


def _field_condition(key: str, body: JsonObject) -> edge.FieldCondition:
    tests = {name: value for name, value in body.items() if name != "key" and value is not None}
    match tests:
        case {"match": wanted}:
            return edge.FieldCondition(key, match=_match(wanted))
        case {"range": bounds}:
            return edge.FieldCondition(key, range=_range(bounds))
        case {"values_count": bounds}:
            return edge.FieldCondition(key, values_count=edge.ValuesCount(**bounds))
        case {"is_empty": bool(wanted)}:
            return edge.FieldCondition(key, is_empty=wanted)
        case {"is_null": bool(wanted)}:
            return edge.FieldCondition(key, is_null=wanted)
    raise Refused(400, f"the embedded index cannot test `{key}` by {', '.join(sorted(tests))}")


def _match(body: JsonObject) -> Any:
    for name, make in _MATCHES.items():
        if body.get(name) is not None:
            return make(body[name])
    raise Refused(400, f"the embedded index knows no match by {', '.join(sorted(body))}")


def _range(body: JsonObject) -> Any:
    bounds = {name: value for name, value in body.items() if value is not None}
    if any(isinstance(value, str) for value in bounds.values()):
        return edge.RangeDateTime(**bounds)
    return edge.RangeFloat(**bounds)


def to_vector(body: Any) -> Any:
    """A dense vector as it is, ``{"indices", "values"}`` as a sparse one."""
    if isinstance(body, list):
        return body
    if isinstance(body, dict) and body.keys() >= {"indices", "values"}:
        return edge.SparseVector(body["indices"], body["values"])
    raise Refused(400, "the embedded index takes vectors as numbers; encode before sending")


def to_vectors(body: Any) -> Any:
    """A point's vectors: one unnamed, or several by name."""
    if isinstance(body, dict):
        return {name: to_vector(vector) for name, vector in body.items()}
    return to_vector(body)


def to_points(body: JsonObject) -> Iterator[edge.Point]:
    """The points of an upsert, in either form that Qdrant takes."""
    if "batch" in body:
        yield from _batch_points(body["batch"])
        return
    for point in body["points"]:
        yield edge.Point(point["id"], to_vectors(point["vector"]), point.get("payload"))


def _batch_points(batch: JsonObject) -> Iterator[edge.Point]:
    ids, vectors = batch["ids"], batch["vectors"]
    payloads = batch.get("payloads") or [None] * len(ids)
    rows: Iterable[Any] = vectors
    if isinstance(vectors, dict):
        names = tuple(vectors)
        columns = zip(*vectors.values(), strict=True)
        rows = (dict(zip(names, row, strict=True)) for row in columns)
    for point_id, vector, payload in zip(ids, rows, payloads, strict=True):
        yield edge.Point(point_id, to_vectors(vector), payload)


def to_query(body: JsonObject) -> edge.QueryRequest:
    """A whole request of ``points/query``."""
    _refuse_lookup(body)
    return edge.QueryRequest(
        _limit(body),
        offset=body.get("offset"),
        query=_scoring(body),
        prefetches=_prefetches(body.get("prefetch")),
        with_vector=body.get("with_vector", False),
        with_payload=to_payload_choice(body.get("with_payload", False)),
        filter=to_filter(body.get("filter")),
        score_threshold=body.get("score_threshold"),
        params=_search_params(body.get("params")),
    )


def _prefetches(body: list[JsonObject] | JsonObject | None) -> list[edge.Prefetch] | None:
    if not body:
        return None
    return [_prefetch(one) for one in (body if isinstance(body, list) else [body])]


def _prefetch(body: JsonObject) -> edge.Prefetch:
    _refuse_lookup(body)
    return edge.Prefetch(
        _limit(body),
        query=_scoring(body),
        prefetches=_prefetches(body.get("prefetch")),
        params=_search_params(body.get("params")),
        filter=to_filter(body.get("filter")),
        score_threshold=body.get("score_threshold"),
    )


def _limit(body: JsonObject) -> int:
    limit = body.get("limit")
    return DEFAULT_LIMIT if limit is None else int(limit)


def _refuse_lookup(body: JsonObject) -> None:
    if body.get("lookup_from"):
        raise Refused(400, "the embedded index does not look vectors up in other collections")


def _scoring(body: JsonObject) -> Any:  # noqa: PLR0911 - one return a kind of query
    query, using = body.get("query"), body.get("using")
    match query:
        case None:
            return None
        case {"nearest": vector, "mmr": dict(mmr)}:
            return _mmr(vector, mmr, using=using, limit=_limit(body))
        case {"nearest": vector}:
            return edge.Query.Nearest(to_vector(vector), using=using)
        case {"rrf": options}:
            k = options.get("k")
            return edge.Fusion.Rrf(DEFAULT_RRF_K if k is None else k, options.get("weights"))
        case {"fusion": "rrf"}:
            return edge.Fusion.Rrf(DEFAULT_RRF_K)
        case {"fusion": "dbsf"}:
            return edge.Fusion.Dbsf()
        case {"order_by": order}:
            return to_order(order)
        case list() | {"indices": _, "values": _}:
            return edge.Query.Nearest(to_vector(query), using=using)
    kind = ", ".join(sorted(query)) if isinstance(query, dict) else "a point's id"
    raise Refused(400, f"the embedded index answers no query by {kind}")


def _mmr(vector: Any, mmr: JsonObject, *, using: str | None, limit: int) -> edge.Mmr:
    diversity, candidates = mmr.get("diversity"), mmr.get("candidates_limit")
    return edge.Mmr(
        to_vector(vector),
        1 - (DEFAULT_DIVERSITY if diversity is None else diversity),
        limit if candidates is None else candidates,
        using=using,
    )


def to_order(body: str | JsonObject | None) -> edge.OrderBy | None:
    """The order of a scroll: a field's name, or the name with a direction and a start."""
    if body is None:
        return None
    if isinstance(body, str):
        return edge.OrderBy(body)
    downwards = body.get("direction") == "desc"
    return edge.OrderBy(
        body["key"],
        edge.Direction.Desc if downwards else edge.Direction.Asc,
        body.get("start_from"),
    )


def _search_params(body: JsonObject | None) -> edge.SearchParams | None:
    if not body:
        return None
    quantization = body.get("quantization")
    idf = body.get("idf")
    return edge.SearchParams(
        hnsw_ef=body.get("hnsw_ef"),
        exact=bool(body.get("exact")),
        indexed_only=bool(body.get("indexed_only")),
        quantization=edge.QuantizationSearchParams(
            ignore=bool(quantization.get("ignore")),
            rescore=quantization.get("rescore"),
            oversampling=quantization.get("oversampling"),
        )
        if quantization
        else None,
        idf=edge.IdfParams(to_filter(idf["corpus"])) if isinstance(idf, dict) else None,
    )


def to_payload_choice(body: Any) -> Any:
    """Which payload fields to return: all, none, those named, or all but those named."""
    match body:
        case {"include": keys}:
            return edge.PayloadSelector.Include(keys)
        case {"exclude": keys}:
            return edge.PayloadSelector.Exclude(keys)
    return False if body is None else body


def from_record(point: edge.Record | edge.ScoredPoint) -> JsonObject:
    """A point as Qdrant's responses write it; JSON writes its UUID as text."""
    written: JsonObject = {"id": point.id, "payload": point.payload}
    if point.vector is not None:
        written["vector"] = _from_vectors(point.vector)
    if point.order_value is not None:
        written["order_value"] = point.order_value
    if isinstance(point, edge.ScoredPoint):
        written |= {"score": point.score, "version": point.version}
    return written


def _from_vectors(vectors: Any) -> Any:
    if isinstance(vectors, dict):
        return {name: _from_vectors(vector) for name, vector in vectors.items()}
    if isinstance(vectors, edge.SparseVector):
        return {"indices": vectors.indices, "values": vectors.values}
    return vectors
