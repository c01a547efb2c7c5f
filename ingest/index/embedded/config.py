"""A collection's configuration: Qdrant's JSON to Edge's objects, and as responses show it."""

from __future__ import annotations

from typing import Any

import qdrant_edge as edge

from ingest.index.embedded.contract import JsonObject, Refused

# Edge rebuilds whole segments with the GIL held, so a segment's size bounds how long nobody is
# answered: 40 MB (26,000 vectors of 384) took 1.2 s on one core, and searching 96,000 passages
# in five such segments was as fast (1.2 ms) as in one.
MAX_SEGMENT_KB = 40_000

# What a Qdrant server fills in. Source: https://qdrant.tech/documentation/guides/configuration
_HNSW: JsonObject = {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000}
_OPTIMIZERS: JsonObject = {
    "deleted_threshold": 0.2,
    "vacuum_min_vector_number": 1000,
    "default_segment_number": 0,
    "max_segment_size": MAX_SEGMENT_KB,
    "flush_interval_sec": 5,
}
_EDGE_OPTIMIZERS = (
    "deleted_threshold",
    "vacuum_min_vector_number",
    "default_segment_number",
    "max_segment_size",
    "indexing_threshold",
)

_DISTANCES = {
    "Cosine": edge.Distance.Cosine,
    "Euclid": edge.Distance.Euclid,
    "Dot": edge.Distance.Dot,
    "Manhattan": edge.Distance.Manhattan,
}
_DATATYPES = {
    "float32": edge.VectorStorageDatatype.Float32,
    "float16": edge.VectorStorageDatatype.Float16,
    "uint8": edge.VectorStorageDatatype.Uint8,
}
_MEMORY = {
    "cold": edge.Memory.Cold,
    "cached": edge.Memory.Cached,
    "pinned": edge.Memory.Pinned,
}
_TURBO_BITS = {
    "bits1": edge.TurboQuantBitSize.Bits1,
    "bits1_5": edge.TurboQuantBitSize.Bits1_5,
    "bits2": edge.TurboQuantBitSize.Bits2,
    "bits4": edge.TurboQuantBitSize.Bits4,
    "bits8": edge.TurboQuantBitSize.Bits8,
}
_FIELD_TYPES = {
    "keyword": (edge.PayloadSchemaType.Keyword, edge.KeywordIndexParams),
    "integer": (edge.PayloadSchemaType.Integer, edge.IntegerIndexParams),
    "float": (edge.PayloadSchemaType.Float, edge.FloatIndexParams),
    "bool": (edge.PayloadSchemaType.Bool, edge.BoolIndexParams),
    "datetime": (edge.PayloadSchemaType.Datetime, edge.DatetimeIndexParams),
    "uuid": (edge.PayloadSchemaType.Uuid, edge.UuidIndexParams),
    "geo": (edge.PayloadSchemaType.Geo, edge.GeoIndexParams),
}


def to_config(body: JsonObject) -> edge.EdgeConfig:
    """What Edge has to know of a create-collection request."""
    hnsw, optimizers = body.get("hnsw_config"), body.get("optimizers_config") or {}
    chosen = _OPTIMIZERS | _given(optimizers)
    return edge.EdgeConfig(
        vectors={name: _dense(one, hnsw) for name, one in _dense_vectors(body).items()} or None,
        sparse_vectors={
            name: _sparse(one or {}) for name, one in (body.get("sparse_vectors") or {}).items()
        }
        or None,
        hnsw_config=_hnsw(hnsw),
        quantization_config=_quantization(body.get("quantization_config")),
        optimizers=edge.EdgeOptimizersConfig(
            **{name: chosen[name] for name in _EDGE_OPTIMIZERS if name in chosen}
        ),
        wal_enabled=True,  # the log is both what survives a kill and what locks the folder
    )


def _dense_vectors(body: JsonObject) -> dict[str, JsonObject]:
    vectors: JsonObject = body.get("vectors") or {}
    return {"": vectors} if isinstance(vectors.get("size"), int) else vectors


def _dense(body: JsonObject, hnsw: JsonObject | None) -> edge.EdgeVectorParams:
    if body.get("multivector_config"):
        raise Refused(400, "the embedded index keeps one dense vector a name, no multivectors")
    return edge.EdgeVectorParams(
        body["size"],
        _named(_DISTANCES, body["distance"], "distance"),
        on_disk=body.get("on_disk"),
        datatype=_named(_DATATYPES, body.get("datatype"), "datatype"),
        quantization_config=_quantization(body.get("quantization_config")),
        hnsw_config=_hnsw(_given(hnsw) | _given(body.get("hnsw_config"))),
        memory=_named(_MEMORY, body.get("memory"), "memory"),
    )


def _sparse(body: JsonObject) -> edge.EdgeSparseVectorParams:
    index = body.get("index") or {}
    return edge.EdgeSparseVectorParams(
        full_scan_threshold=index.get("full_scan_threshold"),
        on_disk=index.get("on_disk"),
        modifier=edge.Modifier.Idf if body.get("modifier") == "idf" else None,
        datatype=_named(_DATATYPES, index.get("datatype"), "datatype"),
        memory=_named(_MEMORY, index.get("memory"), "memory"),
    )


def _hnsw(body: JsonObject | None) -> edge.HnswIndexConfig | None:
    given = _given(body)
    if not given:
        return None
    if "memory" in given:
        given["memory"] = _named(_MEMORY, given["memory"], "memory")
    return edge.HnswIndexConfig(**(_HNSW | given))


def _quantization(body: JsonObject | None) -> Any:
    match body:
        case None:
            return None
        case {"turbo": options}:
            return edge.TurboQuantQuantizationConfig(
                bits=_named(_TURBO_BITS, options.get("bits"), "number of bits"),
                always_ram=options.get("always_ram"),
                memory=_named(_MEMORY, options.get("memory"), "memory"),
            )
        case {"scalar": options}:
            return edge.ScalarQuantizationConfig(
                edge.ScalarType.Int8,
                quantile=options.get("quantile"),
                always_ram=options.get("always_ram"),
                memory=_named(_MEMORY, options.get("memory"), "memory"),
            )
        case {"binary": options}:
            return edge.BinaryQuantizationConfig(always_ram=options.get("always_ram"))
    raise Refused(400, "the embedded index quantises by turbo, scalar or binary only")


def to_field_index(field: str, schema: str | JsonObject | None) -> edge.UpdateOperation:
    """The update that indexes a payload field."""
    options = {"type": schema} if isinstance(schema, str) else _given(schema)
    kind = options.pop("type", None)
    if kind not in _FIELD_TYPES:
        raise Refused(400, f"the embedded index indexes no field as {kind}")
    plain, params = _FIELD_TYPES[kind]
    if "memory" in options:
        options["memory"] = _named(_MEMORY, options["memory"], "memory")
    return edge.UpdateOperation.create_field_index(field, params(**options) if options else plain)


def describe(body: JsonObject, info: edge.ShardInfo, *, count_points: int) -> JsonObject:
    """A collection as ``GET /collections/{name}`` shows it."""
    fields = {
        name: {"data_type": _field_type(index), "points": index.points}
        for name, index in info.payload_schema.items()
    }
    return {
        "status": "green",
        "optimizer_status": "ok",
        "indexed_vectors_count": info.indexed_vectors_count,
        "points_count": count_points,
        "segments_count": info.segments_count,
        "config": {
            "params": {
                "vectors": body.get("vectors") or {},
                "sparse_vectors": body.get("sparse_vectors") or {},
                "shard_number": 1,
                "replication_factor": 1,
                "write_consistency_factor": 1,
                "on_disk_payload": True,
            },
            "hnsw_config": _HNSW | _given(body.get("hnsw_config")),
            "optimizer_config": _OPTIMIZERS | _given(body.get("optimizers_config")),
            "wal_config": {"wal_capacity_mb": 32, "wal_segments_ahead": 0},
            "quantization_config": body.get("quantization_config"),
            "metadata": body.get("metadata"),
        },
        "payload_schema": fields,
    }


def _field_type(index: edge.PayloadIndexInfo) -> str:
    for name, (kind, _) in _FIELD_TYPES.items():
        if index.data_type == kind:
            return name
    return "keyword"


def merged(body: JsonObject, change: JsonObject) -> JsonObject:
    """A configuration with a change-collection request applied.

    What the request leaves out or null stays; inside ``metadata`` null deletes a key.
    """
    result = dict(body)
    for name, value in _given(change).items():
        old = result.get(name)
        if name == "metadata":
            result[name] = _given((old or {}) | value)
        elif isinstance(value, dict) and isinstance(old, dict):
            result[name] = merged(old, value)
        else:
            result[name] = value
    return result


def _given(body: JsonObject | None) -> JsonObject:
    return {name: value for name, value in (body or {}).items() if value is not None}


def _named(table: dict[str, Any], name: str | None, what: str) -> Any:
    if name is None:
        return None
    try:
        return table[name]
    except KeyError:
        raise Refused(400, f"the embedded index knows no {what} `{name}`") from None
