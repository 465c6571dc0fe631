"""Examples of every move, chapter by chapter."""

from __future__ import annotations

from .actions.examples import EXAMPLES as ACTIONS
from .network.examples import EXAMPLES as NETWORK
from .people.examples import EXAMPLES as PEOPLE
from .points.examples import EXAMPLES as POINTS
from .psi.examples import EXAMPLES as PSI
from .samples import Examples
from .scenes.examples import EXAMPLES as SCENES

EXAMPLES: Examples = {**ACTIONS, **POINTS, **SCENES, **NETWORK, **PSI, **PEOPLE}
