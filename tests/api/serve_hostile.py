"""The real server with the hostile labs: `python serve_hostile.py SITE`, settings from the environment."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "hostile_labs"))

from labs import discover
from underhood.settings import Settings
from underhood.web.app import serve

if __name__ == "__main__":
    serve(Settings.from_env(), port=0, labs=discover.find(("hostile",)), site=Path(sys.argv[1]))
