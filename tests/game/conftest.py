"""The tests of this folder share a module, ``seats``: looking at a session from a seat."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
