"""Forms that a conformance suite can play: one at least for each move."""

from __future__ import annotations

from .care import examples as care
from .checks import examples as checks
from .combat import examples as combat
from .gear import examples as gear
from .people import examples as people

EXAMPLES = {
    **checks.EXAMPLES, **combat.EXAMPLES, **care.EXAMPLES, **people.EXAMPLES, **gear.EXAMPLES,
}
