import sys

from underhood.cli import main

sys.exit(main())
