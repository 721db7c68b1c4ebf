"""The processes of this lab: ``delays ROUND_TRIP TLS`` serves, ``fetch WAY JOB`` asks, with the `Job` as JSON."""

import asyncio
import json
import sys

from native.speed.threads_io.delays import serve
from native.speed.threads_io.ways import WAYS, Job, main

match sys.argv[1:]:
    case ["delays", round_trip, tls]:
        asyncio.run(serve(float(round_trip), tls))
    case ["fetch", way, job] if way in WAYS:
        main(way, Job(**json.loads(job)))
    case _:
        sys.exit(__doc__)
