"""``python -m paravent``."""

import sys

from .cli import main

sys.exit(main())
