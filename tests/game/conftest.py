"""The tests of this folder share a module, ``toys``: a small game, a small sheet."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
