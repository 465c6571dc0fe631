"""The tests of this folder share modules: ``scene``, a table played by names, and ``veil``, a game full of secrets."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
