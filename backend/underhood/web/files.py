"""Files of the built site. Of one that has a compressed copy beside it, ``name.gz``, browsers get the copy."""

from __future__ import annotations

import stat

from anyio.to_thread import run_sync
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope


class Files(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        if path.endswith(".wasm") and "gzip" in Headers(scope=scope).get("accept-encoding", ""):
            copy, found = await run_sync(self.lookup_path, f"{path}.gz")
            if found and stat.S_ISREG(found.st_mode):
                answer = self.file_response(copy, found, scope)
                answer.headers["Content-Encoding"] = "gzip"
                answer.headers.add_vary_header("Accept-Encoding")
                return answer
        return await super().get_response(path, scope)
