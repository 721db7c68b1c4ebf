"""The processes of this lab, to be started by hand, too.

``python -m native.speed.http_servers asyncio '{"wait": 0.01}' 8080`` serves, with the `Options` in braces, on a
free port if none is named. ``python -m native.speed.http_servers load 8080 16 1 0`` is the load generator.
"""

import json
import sys

from native.speed.http_servers.http import Options
from native.speed.http_servers.load import Load
from native.speed.http_servers.serve import WAYS, main

match sys.argv[1:]:
    case ["load", port, connections, seconds, rate]:
        Load(int(port), int(connections), float(seconds), float(rate)).run()
    case [way, *rest] if way in WAYS:
        main(way, Options(**json.loads(rest[0] if rest else "{}")), int(rest[1]) if rest[1:] else 0)
    case _:
        sys.exit(f"{__doc__}\nThe servers are: {', '.join(WAYS)}.")
