"""Commands decided: the events that each brings about, or a refusal that changes nothing.

Whatever is decided for a seat is decided from what that seat may see: an id that it may not know is unknown to it.
What each command does is told in chapters, which register themselves: :mod:`~paravent.table.seats`,
:mod:`~paravent.table.records`, :mod:`~paravent.table.talk`, :mod:`~paravent.table.timing`,
:mod:`~paravent.table.preparing`, :mod:`~paravent.table.playing`,
:mod:`~paravent.table.grains`, :mod:`~paravent.table.ending`, :mod:`~paravent.table.shelf`,
:mod:`~paravent.table.showing`, :mod:`~paravent.table.undo`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from paravent.dice.errors import ParaventError
from paravent.game import System, UnknownName
from paravent.game.errors import BROKEN, SeatError
from paravent.game.records import GM

from . import commands as c
from . import drafts, ending, grains, limits, playing, preparing, records, seats, shelf, showing, talk, timing, undo
from . import events as e
from .deciding import Fresh, events_of, folded
from .errors import OnlyPlayers, RuleFailed, TableMoved
from .following import brought_along, followed
from .going_on import begun_again, gone_with_it
from .house import with_house_moves
from .limits import LONGEST_NAME, short
from .polls import is_anonymous
from .reading_anew import read_anew
from .state import State
from .upgrading import come_upgraded

ANYBODY = (c.PlayCard, c.RenameSeat, c.Leave, c.Return)
"""What a spectator may do too."""
MAYBE_ANONYMOUS = (c.PlayCard, c.Answer)
"""What may have to be done in nobody's name; see :func:`paravent.table.polls.is_anonymous`."""
LEAVES_FEWER = (c.Leave, c.RevokeLink, c.GiveRecord, c.TakeRecord)
"""What may leave fewer people to wait for: a poll may be over by that alone."""
UNASKED = (c.Leave, c.PlayCard, c.DeadlinePassed, c.PromiseGrains, c.OpenGrain)
"""What brings nobody back who has left: a browser may do it by itself."""
CHAPTERS = (seats, records, drafts, shelf, preparing, talk, timing, playing, grains, ending, showing, undo)
"""Where each command is told."""


def open_table(
    system: System,
    name: str,
    game_master: str,
    fresh: Fresh,
    options: Mapping[str, str] | None = None,
    lang: str = "fr",
    house: e.House | None = None,
) -> list[e.AnyEvent]:
    """The first events of a table: its game, its options, the game master's seat."""
    rulings = dict(system.book.rulings(options))
    limits.check_plain([name, game_master, lang])
    seat = fresh.name()
    opened = e.TableOpened(
        table=fresh.token(9).hex(), name=short(name, LONGEST_NAME), system=system.id, version=system.version,
        rulings=rulings, lang=lang, minutes=system.begins, house=house or e.House(), at=fresh.now, by=seat,
    )
    master = seats.new_name(game_master, State())
    return [opened, e.SeatAdded(seat=seat, name=master, rank=GM, link=fresh.link(seat), at=fresh.now, by=seat)]


def decide(state: State, command: c.Command, system: System, fresh: Fresh) -> list[e.AnyEvent]:
    """The events that a command brings about; an error when it is refused."""
    if state.moved:
        raise TableMoved()
    place = state.seats.get(command.seat)
    if place is None:
        raise UnknownName("seat", command.seat, ())
    if place.rank == "spectator" and not isinstance(command, ANYBODY):
        raise OnlyPlayers(seat=place.name)
    gone = not place.present and not isinstance(command, UNASKED)
    back = seats.came_back(state, command.seat, system) if gone else []
    anonymous = is_anonymous(folded(state, back), command)

    def signed(events: Iterable[e.AnyEvent]) -> list[e.AnyEvent]:
        """Events with who brought them about, and when: as they are kept, so that each is folded but once."""
        return [replace(event, by="" if anonymous or isinstance(event, e.Overheard) else event.by or command.seat,
                        at=fresh.now) for event in events]

    back = signed(back)
    state = folded(state, back)
    try:
        happened = signed(events_of(command, state, with_house_moves(system, state), fresh))
    except SeatError as refusal:
        raise _named(refusal, state) from None
    except ParaventError:
        raise
    except BROKEN as broken:
        raise RuleFailed(what=e.type_name(type(command))) from broken
    if isinstance(command, c.Say):
        return [*back, *happened]  # words bring about nothing else
    after = folded(state, happened)
    happened += (brought := signed(come_upgraded(after, [*back, *happened], system)))
    after = folded(after, brought)
    touched, ordered, in_step = [*back, *happened], _is_ordered(command), state
    while touched:
        fallen = signed(playing.thrown_at_once(after, touched, system, fresh, ordered))
        after, ordered = folded(after, fallen), False
        again = signed(begun_again(state, after, [*touched, *fallen], with_house_moves(system, after), fresh))
        after = folded(after, again)
        ended = gone_with_it(state, after, with_house_moves(system, after), fresh)
        ended = [replace(event, at=fresh.now) for event in ended]
        after = folded(after, ended)
        along = signed(brought_along(in_step, after, system, fresh))
        along += signed(followed(in_step, folded(after, along), system))
        after = in_step = folded(after, along)
        touched = [replace(event, at=fresh.now) for event in read_anew(state, after, system, fresh)]
        after = folded(after, touched)
        happened += [*fallen, *again, *ended, *along, *touched]
    happened += signed(timing.come(state, after))
    if not isinstance(command, LEAVES_FEWER):
        return [*back, *happened]
    stands = folded(state, happened)
    over = playing.waits_no_more(stands, with_house_moves(system, state), fresh)
    over = [*over, *followed(stands, folded(stands, over), system)]
    return [*back, *happened, *(replace(event, at=fresh.now) for event in over)]


def _is_ordered(command: c.Command) -> bool:
    """Whether whoever asks has said already that it is to be gone through with."""
    return isinstance(command, c.StartMove) and command.at_once


def _named(refusal: SeatError, state: State) -> SeatError:
    """The refusal, with the name of a seat instead of its id."""
    seat = state.seats.get(str(refusal.values.get("seat", "")))
    if seat is not None:
        refusal.values["seat"] = seat.name
    return refusal


__all__ = ["Fresh", "decide", "open_table"]
