"""``python -m paravent.cli``."""

import sys

from . import main

sys.exit(main())
