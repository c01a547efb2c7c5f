"""The part of Qdrant's REST API that we use, as aiohttp routes over an engine."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

import orjson
from aiohttp import web
from aiohttp.typedefs import Middleware

from ingest.index.embedded.contract import Engine, JsonObject, Operation, Refused
from ingest.index.embedded.lane import Lane

# qdrant-client warns when its minor version is more than one away from the server's.
API_VERSION = "1.20.0"

# Source: Qdrant's service.max_request_size_mb, config/config.yaml.
MAX_REQUEST_BYTES = 32 * 1024 * 1024

_COLLECTION = "/collections/{collection}"
_POINTS = f"{_COLLECTION}/points"
_ROUTES: tuple[tuple[str, str, Operation], ...] = (
    ("GET", "/collections", Operation.LIST),
    ("GET", _COLLECTION, Operation.DESCRIBE),
    ("PUT", _COLLECTION, Operation.CREATE),
    ("PATCH", _COLLECTION, Operation.CHANGE),
    ("DELETE", _COLLECTION, Operation.DROP),
    ("GET", f"{_COLLECTION}/exists", Operation.EXISTS),
    ("PUT", f"{_COLLECTION}/index", Operation.INDEX_FIELD),
    ("DELETE", f"{_COLLECTION}/index/{{field_name}}", Operation.UNINDEX_FIELD),
    ("PUT", _POINTS, Operation.UPSERT),
    ("POST", _POINTS, Operation.RETRIEVE),
    ("POST", f"{_POINTS}/delete", Operation.DELETE),
    ("POST", f"{_POINTS}/query", Operation.QUERY),
    ("POST", f"{_POINTS}/query/batch", Operation.QUERY_BATCH),
    ("POST", f"{_POINTS}/scroll", Operation.SCROLL),
    ("POST", f"{_POINTS}/count", Operation.COUNT),
    ("POST", f"{_POINTS}/batch", Operation.UPDATE_BATCH),
    ("PUT", f"{_POINTS}/vectors", Operation.UPDATE_VECTORS),
    ("POST", f"{_POINTS}/vectors/delete", Operation.DELETE_VECTORS),
    ("POST", f"{_POINTS}/payload", Operation.SET_PAYLOAD),
    ("PUT", f"{_POINTS}/payload", Operation.OVERWRITE_PAYLOAD),
    ("POST", f"{_POINTS}/payload/delete", Operation.DELETE_PAYLOAD),
)

_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def build_rest(lane: Lane, *, middlewares: tuple[Middleware, ...] = ()) -> web.Application:
    """An application that answers like a Qdrant server, from the lane's engine.

    Args:
        lane: Must be open before the first request.
        middlewares: Run before ours; the place of the key's check.
    """
    app = web.Application(
        middlewares=[_as_qdrant_error, *middlewares], client_max_size=MAX_REQUEST_BYTES
    )
    app.router.add_get("/", _greet)
    for method, path, operation in _ROUTES:
        app.router.add_route(method, path, _handler(lane, operation))
    return app


def _handler(lane: Lane, operation: Operation) -> _Handler:
    async def handle(request: web.Request) -> web.Response:
        raw = await request.read()
        path = dict(request.match_info)
        collection = path.pop("collection", "")

        def work(engine: Engine) -> bytes:
            # JSON is read and written on the lane too: megabytes of it would stop the loop.
            started_at = time.perf_counter()
            result = engine.answer(operation, collection, _body(raw) | path)
            seconds = time.perf_counter() - started_at
            return orjson.dumps({"result": result, "status": "ok", "time": seconds})

        return web.Response(body=await lane.run(work), content_type="application/json")

    return handle


def _body(raw: bytes) -> JsonObject:
    if not raw:
        return {}
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise Refused(400, f"Format error in JSON body: {error}") from error
    if not isinstance(body, dict):
        raise Refused(400, "Format error in JSON body: expected an object")
    return body


async def _greet(_: web.Request) -> web.Response:
    return web.json_response({"title": "citegram embedded index", "version": API_VERSION})


@web.middleware
async def _as_qdrant_error(request: web.Request, handler: _Handler) -> web.StreamResponse:
    try:
        return await handler(request)
    except Refused as error:
        return _error(error.status, error.message)
    except web.HTTPException as error:
        return _error(error.status, error.text or error.reason)


def _error(status: int, message: str) -> web.Response:
    return web.json_response({"status": {"error": message}, "time": 0.0}, status=status)
