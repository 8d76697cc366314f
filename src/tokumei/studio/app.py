"""The application: its pages, the way in for files, and the way out."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from urllib.parse import unquote

from fastapi import FastAPI, Request
from nicegui import app as nicegui_app
from nicegui import ui
from starlette.responses import FileResponse, PlainTextResponse, Response

from tokumei.errors import TokumeiError
from tokumei.studio.frame import PATHS, show, words_for
from tokumei.studio.internal_errors import report_internal_error
from tokumei.studio.saying import in_studio
from tokumei.studio.studio import Studio

UPLOAD = "/studio/upload"
DOWNLOAD = "/studio/download"
STATIC = Path(__file__).parent / "static"
STATIC_FILES = {"studio.css": "text/css", "studio.js": "text/javascript"}
HEAD = '<link rel="stylesheet" href="/studio/studio.css"><script defer src="/studio/studio.js"></script>'

__all__ = ["UPLOAD", "Studio", "application"]


def application(studio: Studio) -> FastAPI:
    """Return everything that a browser can ask for, without the guard before it."""
    made = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)

    for name, kind in STATIC_FILES.items():
        made.get(f"/studio/{name}")(_file(STATIC / name, kind))

    @made.post(UPLOAD)
    async def upload(request: Request) -> Response:
        try:
            name = unquote(request.headers.get("x-file-name", ""))
            return PlainTextResponse(await studio.hand_over(name, _pieces(request)))
        except TokumeiError as error:
            return PlainTextResponse(in_studio(error, words_for(studio, request.headers)), status_code=422)

    @made.get(DOWNLOAD + "/{ticket}")
    def download(ticket: str, request: Request) -> Response:
        try:
            place, name = studio.file(ticket)
        except TokumeiError as error:
            return PlainTextResponse(in_studio(error, words_for(studio, request.headers)), status_code=404)
        return FileResponse(place, filename=name, media_type="application/octet-stream")

    for path in PATHS.values():
        ui.page(path)(partial(show, studio))
    ui.add_head_html(HEAD, shared=True)
    nicegui_app.on_exception(report_internal_error)
    logging.getLogger("nicegui").setLevel(logging.CRITICAL)  # its tracebacks show what an error was about
    ui.run_with(
        made,
        title="tokumei studio",
        favicon=STATIC / "icon.svg",
        tailwind=False,
        dark=None,
        show_welcome_message=False,
        binding_refresh_interval=None,
        reconnect_timeout=10.0,
        message_history_length=200,
        gzip_middleware_factory=None,
    )
    return made


def _file(place: Path, kind: str) -> Callable[[], FileResponse]:
    def answer() -> FileResponse:
        return FileResponse(place, media_type=kind)

    return answer


async def _pieces(request: Request) -> AsyncIterator[bytes]:
    async for piece in request.stream():
        yield piece
