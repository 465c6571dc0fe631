"""A campaign in play: participants, records, open moves, secrets, the log. A functional core, without SQL or HTTP.

``decide(state, command)`` gives the events that a command brings about, or refuses; ``evolve(state, event)`` folds one
into the state, and never calls a rule of a game; ``view(state, seat)`` shows each their own.
"""

from .commands import Command, command_from_json
from .decide import decide
from .deciding import Fresh
from .events import Event
from .evolve import evolve
from .seen_news import event_seen
from .state import State
from .view import view

__all__ = [
    "Command", "Event", "Fresh", "State", "command_from_json", "decide", "event_seen", "evolve", "view",
]
