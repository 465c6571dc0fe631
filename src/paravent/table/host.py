"""Tables kept alive over a log: one command at a time for each table, durable before anybody hears of it.

The log is whatever satisfies :class:`HostedLog` (see :mod:`paravent.store`). Several processes may share one: when
another has written, what it wrote is read first and the command is decided again.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import secrets
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import accumulate
from traceback import clear_frames
from typing import Any, ClassVar, NamedTuple, Protocol

from msgspec.structs import replace as rewritten

from paravent.game import ParaventError, System, UnknownName, find_system
from paravent.game.errors import BrokenSystem

from . import events as e
from .commands import Command, DeadlinePassed, KeepPicture, ThrowDice
from .decide import LEAVES_FEWER, MAYBE_ANONYMOUS, decide, open_table
from .deciding import Fresh, folded, link_hash
from .errors import OnlyGameMaster, OnlyPlayers
from .evolve import evolve
from .export import (
    Brought,
    export_for_gm,
    export_seen,
    export_whole,
    imported,
    is_name,
    next_episode,
    read_export,
    record_file,
)
from .forms import form_seen, odds_seen, start_form_seen
from .grains import silent
from .joining import check_joins, joined
from .limits import LONGEST_ID, LONGEST_NAME, short
from .live import Live
from .longlog import PLAYED, Texts, apart, apart_if_long, giving_way, let_go, rows_after
from .pictures import picture_line, redrawn, without_pictures
from .polls import ballots, is_anonymous, poll_answered, polls
from .seen import TableSeen
from .shelf import room_for_pictures
from .state import State, state_read, state_written
from .stranded import with_stranded
from .upcast import brought_over, is_earlier, say_the_same
from .upgrading import upgrades
from .verify import Proved, proved
from .view import Looking, view

_SNAPSHOT_EVERY = 500
_BLINK = 40
"""For how many hundredths of a second a throw lets grains come in that were asked for and are on their way."""
UNKNOWN_GAME = "paravent.game"
"""The package that says nothing of any game."""


class LinkChange(NamedTuple):
    """A link to add or to revoke, by its hash."""

    token_hash: str
    seat: str
    revoked: bool


class HostedLog(Protocol):
    """What a host asks of a store; see :mod:`paravent.store` for the promises behind it."""

    async def create(self, table: str) -> None: ...
    async def begin(
        self, table: str, events: Sequence[str], *, links: Sequence[Any] = (), snapshot: str | None = None,
        pictures: Sequence[bytes] = (),
    ) -> None: ...
    async def append(
        self, table: str, first: int, events: Sequence[str], *, command: str = "", reply: str = "",
        links: Sequence[Any] = (), snapshot: str | None = None,
    ) -> None: ...
    async def read(self, table: str, after: int = 0, limit: int | None = None) -> list[tuple[int, str]]: ...
    async def snapshot(self, table: str) -> tuple[int, str] | None: ...
    async def save_snapshot(self, table: str, number: int, text: str) -> None: ...
    async def rewrite(self, table: str, before: Sequence[str], after: Sequence[str]) -> None: ...
    async def aside(self, table: str) -> list[tuple[int, str]]: ...
    async def clear_aside(self, table: str) -> None: ...
    async def reply(self, table: str, command: str) -> str | None: ...
    async def keep_picture(self, table: str, content: bytes) -> str: ...
    async def picture(self, table: str, content_hash: str) -> bytes | None: ...
    async def link(self, token_hash: str) -> Any: ...
    def listen(self) -> Any: ...
    async def hold(self, name: str) -> None: ...
    async def held(self, names: Iterable[str]) -> frozenset[str]: ...
    async def let_go(self, names: Iterable[str]) -> None: ...
    async def close(self) -> None: ...


class NoSuchTable(ParaventError):
    """No table has this name."""

    code = "table/no-such-table"


class NotBroughtOver(ParaventError):
    """A table of an earlier version was not read back as it was written anew; it is as it was."""

    code = "table/not-brought-over"


class BadLink(ParaventError):
    """This link opens nothing: it was mistyped, or the game master made a new one."""

    code = "table/bad-link"


class Entry(NamedTuple):
    """What opens a table to somebody: its name, the seat, and the link's token, told once."""

    table: str
    seat: str
    token: str


@contextmanager
def suppress_conflict() -> Iterator[None]:
    """Another program was first to write: what it wrote is read, and it is tried again."""
    try:
        yield
    except ParaventError as error:
        if error.code != "store/conflict":
            raise


def _states(state: State, happened: Iterable[e.AnyEvent]) -> list[State]:
    """The state before these events, and after each."""
    return list(accumulate(happened, evolve, initial=state))


class Host:
    """The tables of a log, opened as they are asked for."""

    usual: ClassVar[e.House] = e.House()
    """How a new table plays of which nothing else is said."""

    def __init__(
        self,
        log: HostedLog,
        systems: Callable[[str], System] = find_system,
        token: Callable[[int], bytes] = secrets.token_bytes,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        secret: bytes = b"",
    ) -> None:
        self.log = log
        self._systems = systems
        self._known: set[str] = set()
        self._token = token
        self._now = now
        self._tables: dict[str, Live] = {}
        self._entered: dict[str, tuple[str, str]] = {}
        self._opening: dict[str, asyncio.Task[None]] = {}
        self._secret = secret or secrets.token_bytes(32)
        self._easel = asyncio.Lock()
        self._reading: set[asyncio.Task[None]] = set()
        self.closing = False
        self.is_away: Callable[[str], bool] = lambda table: False
        """Whether a table is at home with another program, which may have written just now."""

    def _fresh(self, passed: dict[str, set[str]] | None = None, here: frozenset[str] = frozenset()) -> Fresh:
        return Fresh(self._token, self._now().isoformat(timespec="milliseconds"), passed=passed or {}, here=here)

    async def open(
        self, system: str, name: str, game_master: str, options: Mapping[str, str] | None = None, lang: str = "fr",
        house: e.House | None = None,
    ) -> Entry:
        """Open a new table; the game master's link is told here and nowhere else."""
        fresh = self._fresh()
        declared = await self._system(system)
        first = open_table(declared, name, game_master, fresh, options, lang, house or self.usual)
        opened = first[0]
        assert isinstance(opened, e.TableOpened)
        await self.log.create(opened.table)
        live = Live(declared, State())
        await self._write(live, opened.table, first, "", "")
        self._tables[opened.table] = live
        ((seat, token),) = fresh.issued.items()
        return Entry(opened.table, seat, token)

    async def enter(self, token: str) -> tuple[str, str]:
        """The table and seat that a link opens."""
        return await self.led_to(link_hash(token))

    async def led_to(self, link: str) -> tuple[str, str]:
        """The same, by the link's hash."""
        known = self._entered.get(link)
        if known is not None and known[0] in self._tables and self.opens(await self.live(known[0]), known[1], link):
            return known
        self._entered.pop(link, None)
        row = await self.log.link(link)
        if row is None or row.revoked:
            raise BadLink()
        table = await self._goes_on(row.table)
        if table != row.table and not self.opens(await self.live(table), row.seat, link):
            raise BadLink()
        self._entered[link] = table, row.seat
        return table, row.seat

    async def _goes_on(self, table: str) -> str:
        """The table itself, or the one that it was joined to; what was begun of that is ended."""
        live = await self.live(table)
        into = live.state.moved
        if not into:
            return table
        if table not in (await self.live(into)).state.joined:
            await self._follow_on(into, table)
        return await self._goes_on(into)

    async def join(self, table: str, seat: str, token: str) -> str:
        """Join two tables of which one was opened as the next episode of the other; the one that goes on for both.

        Whoever asks leads both, and shows the other's link. Written to the later table first is that it is joined, then
        its events to the first: killed in between, that is made up for when somebody comes in by a link.
        """
        other, its_seat = await self.enter(token)
        opened = {one: (await self._opening_of(one)).at for one in (table, other)}
        first, later = sorted((table, other), key=opened.__getitem__)
        for one, master in ((table, seat), (other, its_seat)):
            if not (await self._seated(one, master)).state.eyes_of(master).is_gm(master):
                raise OnlyGameMaster(what="join")
        here, there = await self.catch_up(first), await self.catch_up(later)
        check_joins(here.state, there.state, await self._opening_of(later), seat)
        await self._moved_events(here, later)
        for content in await self._pictures(later):
            await self.log.keep_picture(first, content)
        async with there.lock:
            while not (await self.catch_up(later)).state.moved:
                with suppress_conflict():
                    await self._write(there, later, [e.TableJoined(into=first, by=seat, at=self._fresh().now)], "", "")
        await self._follow_on(first, later)
        return first

    async def _opening_of(self, table: str) -> e.TableOpened:
        ((_, text),) = await self.log.read(table, limit=1)
        opened = e.read(text)
        assert isinstance(opened, e.TableOpened)
        return opened

    async def _moved_events(self, live: Live, later: str) -> list[e.AnyEvent]:
        """What is to be written at a table for all that happened at a later one."""
        texts = [text for _, text in await self.log.read(later)]
        return await asyncio.to_thread(
            lambda: joined(live.state, [e.read(text) for text in texts], live.system, self._fresh()))

    async def _follow_on(self, table: str, later: str) -> None:
        """Write at a table what happened at the later one that is joined to it, all at once, and once."""
        live = await self.live(table)
        for content in await self._pictures(later):
            await self.log.keep_picture(table, content)
        async with live.lock:
            while later not in (await self.catch_up(table)).state.joined:
                with suppress_conflict():
                    await self._write(live, table, await self._moved_events(live, later), "", "")

    async def _pictures(self, table: str) -> list[bytes]:
        """The pictures of a table; one that is missing is left out."""
        live = await self.live(table)
        hashes = (kept for picture in live.state.pictures.values() for kept in (picture.hash, picture.small))
        found = [await self.log.picture(table, kept) for kept in dict.fromkeys(hashes) if kept]
        return [content for content in found if content is not None]

    async def table_of(self, token: str) -> str | None:
        """The table that a link is for; it need not be in memory."""
        known = self._entered.get(link := link_hash(token))
        row = await self.log.link(link) if known is None else None
        return known[0] if known else row.table if row else None

    async def live(self, table: str) -> Live:
        """A table, read from the log if it is not in memory, with what other programs are known to have written."""
        live = await self._opened(table)
        if live.is_behind or self.is_away(table):
            async with live.lock:
                await self._take_in(table, live)
        return live

    async def _opened(self, table: str) -> Live:
        while table not in self._tables:
            opening = self._opening.get(table)
            if opening is None:  # a long one takes a while: others come in meanwhile
                opening = self._opening[table] = asyncio.get_running_loop().create_task(self._open(table))
                opening.add_done_callback(lambda _: self._opening.pop(table, None))
            await asyncio.shield(opening)
        return self._tables[table]

    async def _open(self, table: str) -> None:
        self._tables[table] = await self._read(table)

    async def _read(self, table: str) -> Live:
        kept = await self._snapshot(table)
        state = kept or State()
        texts = [text for _, text in await rows_after(self.log, table, state.events)]
        if not texts and kept is None:
            raise NoSuchTable(table=table)
        if texts and is_earlier(texts[0]):
            await self._bring_over(table, texts)
            return await self._read(table)
        if await self.log.aside(table):
            await self._read_back(table)
        # How much of what came before is at hand depends on all that was written, and would tell of what is hidden:
        # so none of it is.
        state = await apart_if_long(_SNAPSHOT_EVERY, texts, lambda: folded(state, map(e.read, texts)))
        live = Live(await self._game(state), state, snapshot_at=kept.events if kept else 0)
        await self._upgrade(table, live)
        return live

    async def _system(self, name: str) -> System:
        """A game; the first time it takes a while, during which others go on."""
        if name not in self._known:
            await asyncio.to_thread(self._systems, name)
            self._known.add(name)
        return self._systems(name)

    async def _game(self, state: State) -> System:
        """The game of a table; where it is not installed, one of which nothing is known: its log still reads."""
        try:
            return await self._system(state.system)
        except (UnknownName, BrokenSystem):
            return System(state.system, UNKNOWN_GAME, state.version, {})

    async def _upgrade(self, table: str, live: Live) -> None:
        """Bring along what an earlier version of the game wrote at a table."""
        while happened := upgrades(live.state, live.system):
            now = self._fresh().now
            try:
                await self._write(live, table, [rewritten(event, at=now) for event in happened], "", "")
                return
            except ParaventError as error:
                if error.code != "store/conflict":
                    raise
            await self._take_in(table, live)  # another program was first

    async def _snapshot(self, table: str) -> State | None:
        """The state that was kept to open a long table at once; one that another version wrote is as good as none."""
        kept = await self.log.snapshot(table)
        return state_read(kept[1]) if kept else None

    async def _bring_over(self, table: str, texts: list[str]) -> None:
        """Write a log of an earlier format anew, all at once; what was stays aside until it has been read back."""
        after = await asyncio.to_thread(brought_over, texts)
        try:
            await self.log.rewrite(table, texts, after)
        except ParaventError as error:  # another program was first, or played on: it is read again
            if error.code != "store/conflict":
                raise

    async def _read_back(self, table: str) -> None:
        """Let go of what is aside if it is now written as it should be; otherwise put it back, and refuse to go on."""
        aside = [text for _, text in await self.log.aside(table)]
        texts = [text for _, text in await self.log.read(table, limit=len(aside))]
        if not await asyncio.to_thread(say_the_same, texts, aside):
            await self.log.rewrite(table, texts, aside)
            raise NotBroughtOver(table=table)
        await self.log.clear_aside(table)

    async def catch_up(self, table: str) -> Live:
        """A table with whatever other processes wrote taken in."""
        live = await self._opened(table)
        await self._take_in(table, live)
        return live

    async def _take_in(self, table: str, live: Live) -> None:
        rows = await self.log.read(table, live.state.events)
        for number, text in rows:
            if number == live.state.events + 1:
                live.fold(e.read(text))
        if rows:
            live.wake()

    async def do(self, table: str, command: Command, link: str = "") -> dict[str, Any]:
        """Do what a command asks, once: asked again with the same id, it answers as it did.

        ``link`` is the hash of the link one came by: it must open the seat until the command is written.
        """
        live = await self.live(table)
        if isinstance(command, ThrowDice):
            await self._grains_in(live, command)
        with PLAYED:
            return await self._once(live, table, command, link)

    async def _once(self, live: Live, table: str, command: Command, link: str) -> dict[str, Any]:
        async with live.lock:
            names = self._command_names(command)
            # Of a command that has one name, the log says itself that it was done; of another, it must be asked.
            done = await self._done(table, names) if isinstance(command, MAYBE_ANONYMOUS) else None
            if done is not None:
                return done
            try:
                return await self._do(live, table, command, names, link)
            except BadLink:
                raise
            except ParaventError:
                done = await self._done(table, names)  # what was done may well be refused the second time
                if done is not None:
                    return done
                known = live.state.events
                await self.catch_up(table)
                if live.state.events == known:
                    raise
            return await self._do(live, table, command, names, link)  # another program had told of what it is about

    @staticmethod
    async def _grains_in(live: Live, command: ThrowDice) -> None:
        """Let those who take part in a throw, and are there, open their grains: they are given the blink of an eye."""
        for _ in range(_BLINK):
            if not silent(live.state, command) & live.here:
                return
            await asyncio.sleep(0.01)

    async def _do(
        self, live: Live, table: str, command: Command, names: tuple[str, ...], link: str
    ) -> dict[str, Any]:
        while True:
            if link and not self.opens(live, command.seat, link):
                raise BadLink()
            anonymous, poll = is_anonymous(live.state, command), poll_answered(live.state, command)
            happened, fresh = await self._decided(table, live, command)
            after = _states(live.state, happened)
            reply = {"links": {}} if anonymous else self._reply(after, command, happened, fresh)
            if not happened:
                return await self._done(table, names) or reply
            try:
                named = (names[1] if anonymous else names[0]) if names else ""
                await self._write(live, table, happened, named, json.dumps(reply | {"links": {}}), after)
                await self._let_go(live)
                return reply
            except ParaventError as error:
                if error.code != "store/conflict":
                    raise
                await self.catch_up(table)
                mine = any(command.seat in fresh.passed.get(one, ()) for one in ballots(poll))
                if mine and poll not in polls(live.state):
                    return reply  # it is decided, and another program was first to say so

    def _command_names(self, command: Command) -> tuple[str, ...]:
        """The names under which a command is done once: its seat's, and where it may have to be done in nobody's name,
        one that tells nobody whose it is.

        Two seats may choose the same id. What keeps theirs apart is a secret of this program and those that work beside
        it, so that whoever reads the log cannot try seats out; after a restart it would be done once more.
        """
        if not command.id:
            return ()
        asked = f"{command.seat} {short(command.id, LONGEST_ID)}"
        if not isinstance(command, MAYBE_ANONYMOUS):
            return (asked,)
        unnamed = hmac.digest(self._secret, asked.encode(errors="replace"), "sha256").hex()
        return asked, f"? {unnamed}"

    async def _done(self, table: str, names: Iterable[str]) -> dict[str, Any] | None:
        """What was answered to a command done before, under one of its names."""
        for name in names:
            done = await self.log.reply(table, name)
            if done is not None:
                answer: dict[str, Any] = json.loads(done)
                return answer
        return None

    async def _decided(self, table: str, live: Live, command: Command) -> tuple[list[e.AnyEvent], Fresh]:
        """What a command brings about. Ballots are held up, unwritten, for others who serve the table."""
        poll = poll_answered(live.state, command)
        asked = polls(live.state) if isinstance(command, LEAVES_FEWER) else (poll,)
        fresh = self._fresh(await self._put_in(table, live, asked), live.here)
        happened = decide(live.state, command, live.system, fresh)
        if not poll or happened:
            return happened, fresh
        for mine in (one for one, seats in fresh.passed.items() if command.seat in seats):
            held = _held_up(table, mine, command.seat)
            await self.log.hold(held)
            live.held.setdefault(poll, set()).add(held)
        # Others may have put in theirs meanwhile, where this one was not known of yet.
        fresh = replace(fresh, passed=await self._put_in(table, live, (poll,)))
        return decide(live.state, command, live.system, fresh), fresh

    async def _put_in(self, table: str, live: Live, asked: Iterable[str]) -> dict[str, set[str]]:
        """Who put in which ballot."""
        return {one: await self._passed(table, live, one) for poll in asked if poll for one in ballots(poll)}

    async def _passed(self, table: str, live: Live, ballot: str) -> set[str]:
        names = {_held_up(table, ballot, seat): seat for seat in live.state.seats}
        return {names[name] for name in await self.log.held(names)} if names else set()

    async def _let_go(self, live: Live) -> None:
        """Polls that are over need no more holding up."""
        for poll in set(live.held) - polls(live.state) if live.held else ():
            await self.log.let_go(live.held.pop(poll))

    @staticmethod
    def _reply(
        after: Sequence[State], command: Command, happened: Sequence[e.AnyEvent], fresh: Fresh
    ) -> dict[str, Any]:
        """What the one who asked is told: where they stand, the move they opened, links made for others."""
        counts = after[-1].counts.get(command.seat)
        reply: dict[str, Any] = {"last": counts.events if counts else 0, "links": dict(fresh.issued)}
        for event in happened:
            if isinstance(event, e.MoveStarted) and counts and event.number in counts.moves:
                reply.setdefault("number", counts.moves[event.number])
            if isinstance(event, (e.RecordAdded,)):
                reply["record"] = event.record
            if isinstance(event, e.SeatAdded):
                reply["seat"] = event.seat
            if isinstance(event, e.PictureKept):
                reply["picture"] = event.picture.name
            if isinstance(event, e.ScenePrepared):
                reply["scene"] = event.scene
            if isinstance(event, e.DocumentKept):
                reply["document"] = event.document
        return reply

    async def _write(
        self, live: Live, table: str, happened: Sequence[e.AnyEvent], command: str, reply: str,
        after: Sequence[State] = (),
    ) -> None:
        texts = [e.written(event) for event in happened]
        links = self._links(live.state, happened)
        await self.log.append(table, live.state.events + 1, texts, command=command, reply=reply, links=links)
        states = after[1:] if after else await apart_if_long(
            _SNAPSHOT_EVERY, happened, lambda: _states(live.state, happened)[1:])
        for event, state in zip(happened, states, strict=True):
            live.take(event, state)
        live.wake()
        if live.state.events - live.snapshot_at >= _SNAPSHOT_EVERY:
            live.snapshot_at = live.state.events
            await self.log.save_snapshot(table, live.state.events, state_written(live.state))

    @staticmethod
    def _links(state: State, happened: Sequence[e.AnyEvent]) -> list[LinkChange]:
        changes = []
        for event in happened:
            if isinstance(event, e.SeatAdded) and event.link:
                changes.append(LinkChange(event.link, event.seat, False))
            elif isinstance(event, e.LinkRenewed):
                old = state.seats[event.seat].link if event.seat in state.seats else ""
                changes += [LinkChange(old, event.seat, True)] if old else []
                changes += [LinkChange(event.link, event.seat, False)] if event.link else []
        return changes

    # Pictures

    async def keep_picture(
        self, table: str, seat: str, sent: bytes, words: str, link: str = "", command: str = ""
    ) -> str:
        """Bring a picture to the table, made anew from what was sent; its name, by which it is put somewhere."""
        live = await self._seated(table, seat)
        if link and not self.opens(live, seat, link):
            raise BadLink()
        if live.state.seats[seat].rank == "spectator":
            raise OnlyPlayers(seat=live.state.seats[seat].name)
        room_for_pictures(live.state, seat)
        async with self._easel:  # one at a time: a large one takes much memory while it is drawn
            drawn = await asyncio.to_thread(redrawn, sent)
        room_for_pictures(live.state, seat, len(drawn.content) + len(drawn.small))
        kept, small = [await self.log.keep_picture(table, content) for content in (drawn.content, drawn.small)]
        reply = await self.do(table, KeepPicture(
            seat=seat, id=command, hash=kept, small=small, width=drawn.width, height=drawn.height, words=words,
            size=len(drawn.content) + len(drawn.small),
        ), link)
        return str(reply["picture"])

    async def picture(self, table: str, seat: str, name: str, small: bool = False) -> bytes | None:
        """A picture by its name, if the seat may look at it; None where it may not, and where there is none."""
        live = await self._seated(table, seat)
        kept = live.state.pictures.get(name)
        if kept is None or name not in Looking(live.state, seat, live.system).pictures():
            return None
        return await self.log.picture(table, kept.small if small and kept.small else kept.hash)

    async def picture_lines(self, table: str) -> list[str]:
        """The pictures of a table, as lines of its export; one that is missing is left out."""
        return [picture_line(content) for content in await self._pictures(table)]

    async def view(self, table: str, seat: str) -> TableSeen:
        """The table as this seat may see it."""
        live = await self._seated(table, seat)
        seen = view(live.state, seat, live.system)
        return rewritten(seen, moves=dict(with_stranded(live.state, seat, live.system, seen.moves)))

    def admits(self, live: Live, seat: str, link: str) -> bool:
        """Whether a stream may go on: the tables are open, and the link that led here is still the seat's."""
        return not self.closing and not live.leaving and self.opens(live, seat, link)

    def send_home(self) -> None:
        """End the lines of tables that are at home with another program: whoever held them comes back, and is led
        there."""
        for table, live in self._tables.items():
            leaving = bool(live.listeners) and self.is_away(table)
            if leaving != live.leaving:
                live.leaving = leaving
                live.wake()

    @staticmethod
    def opens(live: Live, seat: str, link: str) -> bool:
        """Whether a link, given by its hash, opens this seat as far as is known here."""
        place = live.state.seats.get(seat)
        return place is not None and link in (place.link, *place.also) and not live.state.moved

    def begin(self) -> None:
        """Begin to serve: nothing is in memory yet."""
        self._tables, self._entered, self.closing = {}, {}, False

    def close(self) -> None:
        """End every stream: the server stops."""
        self.closing = True
        for live in self._tables.values():
            live.wake()

    async def form(self, table: str, seat: str, number: int) -> dict[str, Any]:
        """What an open move asks of this seat now: fields with their bounds and options, an answer, a throw."""
        live = await self._seated(table, seat)
        return form_seen(live.state, seat, number, live.system)

    async def start_form(
        self, table: str, seat: str, move: str, cast: Mapping[str, list[str]] | None = None,
        encounter: int | None = None,
    ) -> dict[str, Any]:
        """What a move would ask, before it is opened: its roles and fields, for this cast."""
        live = await self._seated(table, seat)
        return start_form_seen(live.state, seat, move, cast or {}, encounter, live.system)

    async def odds(self, table: str, seat: str, number: int, policy: str = "usual") -> dict[str, Any] | None:
        """The odds of the throw a move has come to, from what this seat may see."""
        live = await self._seated(table, seat)
        return odds_seen(live.state, seat, number, live.system, policy)

    async def exported(self, table: str, seat: str, whole: bool = False) -> AsyncIterator[str]:
        """The table as JSON lines: as this seat saw it, or whole for a game master. They are made as they are read, and
        nobody waits for them meanwhile; what is refused is refused at once."""
        live = await self._seated(table, seat)
        texts = Texts(self.log, table, live.state.events)
        if not whole:
            return apart(export_seen(texts, seat, live.system))
        if not live.state.eyes_of(seat).is_gm(seat):
            raise OnlyGameMaster(what="export")
        return self._with_pictures(table, export_for_gm(texts, seat, live.state))

    async def export(self, table: str, seat: str, whole: bool = False) -> list[str]:
        """The same, all at once."""
        return [line async for line in await self.exported(table, seat, whole)]

    async def export_whole(self, table: str) -> list[str]:
        """The whole log as JSON lines, for whoever keeps it: nothing is left out but the links."""
        live = await self.live(table)
        lines = export_whole(Texts(self.log, table, live.state.events))
        return [line async for line in self._with_pictures(table, lines)]

    async def proved(self, table: str, seat: str, whole: bool = False) -> Proved:
        """What a seat's own export proves; ``whole``, a game master's."""
        live = await self._seated(table, seat)
        texts = Texts(self.log, table, live.state.events)
        lines = export_for_gm(texts, seat, live.state) if whole else export_seen(texts, seat, live.system)
        return await asyncio.to_thread(proved, lines)

    async def _with_pictures(self, table: str, lines: Iterable[str]) -> AsyncIterator[str]:
        async for line in apart(lines):
            yield line
        for line in await self.picture_lines(table):
            yield line

    async def bring(self, lines: Iterable[str]) -> Entry:
        """Open a table from a whole export; under another name if there is one of this name already."""
        happened: list[e.AnyEvent] = []
        try:
            return await self._bring(lines, happened)
        except ParaventError as refused:
            clear_frames(refused.__traceback__)
            raise
        finally:
            await let_go(happened)

    async def _bring(self, lines: Iterable[str], happened: list[e.AnyEvent]) -> Entry:
        fresh = self._fresh()
        pictures: dict[str, bytes] = {}
        await asyncio.to_thread(lambda: read_export(giving_way(without_pictures(lines, pictures)), happened))
        opened = happened[0]
        assert isinstance(opened, e.TableOpened)
        system = await self._system(opened.system)
        table = opened.table
        if not is_name(table) or await self._exists(table):
            table = fresh.token(9).hex()
        brought = await asyncio.to_thread(imported, happened, fresh, system, table)
        happened.clear()  # what is to be written is in the other list
        return await self._begin(brought, system, fresh, table, pictures=pictures.values())

    async def next_episode(self, table: str, seat: str, title: str) -> tuple[Entry, dict[str, str]]:
        """A new table with the same people, records, options and time; a new link for each seat."""
        live = await self._seated(table, seat)
        if not live.state.eyes_of(seat).is_gm(seat):
            raise OnlyGameMaster(what="next-episode")
        fresh = self._fresh()
        begun = next_episode(live.state, short(title, LONGEST_NAME), fresh, seat)
        entry = await self._begin(begun, live.system, fresh, begun.state.table, seat)
        return entry, dict(fresh.issued)

    async def record_file(self, table: str, seat: str, record: str) -> dict[str, Any]:
        """One record as a file, with what this seat may see of it; it is brought elsewhere by ``AddRecord``."""
        live = await self._seated(table, seat)
        return record_file(live.state, seat, record, live.system)

    async def _exists(self, table: str) -> bool:
        try:
            await self.live(table)
        except ParaventError as error:
            if error.code not in ("table/no-such-table", "store/no-table"):
                raise
            return False
        return True

    async def _begin(
        self, begun: Brought, system: System, fresh: Fresh, table: str, seat: str = "", pictures: Iterable[bytes] = ()
    ) -> Entry:
        """Write a table all at once, with its pictures, and with a snapshot if it is long."""
        events, state = begun
        texts, snapshot, links = await asyncio.to_thread(lambda: (
            [e.written(event) for event in giving_way(events)],
            state_written(state) if len(events) >= _SNAPSHOT_EVERY else None,
            self._links(State(), events),
        ))
        n = len(events)
        await let_go(events)
        await self.log.begin(table, texts, links=links, snapshot=snapshot, pictures=tuple(pictures))
        await let_go(texts)
        live = self._tables[table] = Live(system, state, snapshot_at=n if snapshot else 0)
        await self._upgrade(table, live)
        seat = seat or next(iter(fresh.issued), "")
        return Entry(table, seat, fresh.issued.get(seat, ""))

    async def _seated(self, table: str, seat: str) -> Live:
        live = await self.live(table)
        if seat not in live.state.seats:
            raise UnknownName("seat", seat, ())
        return live

    async def tick(self) -> None:
        """Apply the deadlines that have passed, at the tables in memory."""
        now = self._now()
        for table, live in list(self._tables.items()):
            for act in live.state.open_moves() if not live.is_behind else ():
                deadline = act.deadline
                if act.phase != "open" or deadline is None or not deadline.until:
                    continue
                if datetime.fromisoformat(deadline.until) > now:
                    continue
                masters = (seat for seat in (deadline.by, *sorted(live.state.eyes.masters))
                           if live.state.eyes_of(seat).is_gm(seat))
                seat = next(masters, "")
                own = live.state.counts_of(seat).moves.get(act.id)
                if own is not None:
                    # What has no usual value cannot be closed: it waits for the game master after all.
                    with suppress(ParaventError):
                        await self.do(table, DeadlinePassed(seat=seat, number=own))

    async def follow_log(self) -> None:
        """Take in what other processes write, for as long as it runs."""
        listening = await self.log.listen()
        for table in tuple(self._tables):  # what was written before anybody listened
            await self._hear(table)
        async for table, number in listening:
            live = self._tables.get(table)
            if live is None or number <= live.state.events:
                continue
            live.heard, live.late = number, partial(self._soon, table)
            if live.listeners or live.held:  # otherwise it is enough to know that there is something
                await self._hear(table)

    @property
    def at_hand(self) -> Mapping[str, Live]:
        """The tables that are in memory."""
        return self._tables

    def _soon(self, table: str) -> None:
        reading = asyncio.get_running_loop().create_task(self._hear(table))
        self._reading.add(reading)
        reading.add_done_callback(self._reading.discard)

    async def _hear(self, table: str) -> None:
        async with self._tables[table].lock:
            with suppress(ParaventError):  # the log is out of reach just now: it says its numbers again when it is back
                await self._let_go(await self.catch_up(table))


def _held_up(table: str, ballot: str, seat: str) -> str:
    """What stands for somebody's ballot."""
    return hashlib.sha256(f"{table} {ballot} {seat}".encode()).hexdigest()


