"""The process of this lab, to be started by hand, too: ``worker.main`` says with what.

``python -m native.speed.workers_and_threads 32 1 active '[[2, 2]]' 1``
"""

import json
import sys

from native.speed.workers_and_threads.worker import main

tokens, seconds, policy, cells, turns = sys.argv[1:]
main(int(tokens), float(seconds), policy, json.loads(cells), int(turns))
