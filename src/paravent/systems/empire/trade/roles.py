"""What of trade is brought to a move."""

from __future__ import annotations

from collections.abc import Sequence

from paravent.game import Change, Context, changed, only
from paravent.systems.empire.roles import RecordRole
from paravent.systems.empire.worlds.maps import Chart, area_of

from .kinds import Cargo, Entry, Market


def is_here(market: Market, around: Sequence[object]) -> bool:
    """Whether a market is that of the world where the group is, on a map that the reader sees."""
    places = {f"{area_of(chart)}{chart.party}" for chart in around if isinstance(chart, Chart) and chart.party}
    return bool(market.square) and market.place in places


MARKET = RecordRole("market", "market", least=0, cls=Market, meant=is_here)
CARGO = RecordRole("cargo", "cargo", least=0, cls=Cargo)
THEIRS = only("initiator", "cargo", "gm")
"""What a hold pays tells what is in it: whoever pays knows, and whose hold it is."""


def noted(ctx: Context, lines: tuple[Entry, ...], rule: str) -> Sequence[Change]:
    """Lines more in the ledger of the hold that was brought, if one was."""
    actor, cargo = CARGO.actor(ctx), CARGO.brought(ctx)
    if actor is None or not cargo:
        return ()
    return changed(actor.id, cargo, "ledger", (*cargo.ledger, *lines), rule, weight="bookkeeping")
