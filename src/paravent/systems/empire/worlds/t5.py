"""A sector in the tab-delimited format of the « T5 Second Survey », for the maps and programs that read it.

Their figures are coarser than ours: what they cannot hold stands, exact, in columns of our own (``EG_…``).
"""

from __future__ import annotations

from collections.abc import Iterable

from paravent.game import Rulings

from .peoples import People, arms, is_empire_member, is_mining_colony, population_exponent
from .planet import World, air_index, atmosphere

EXTENDED = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""A digit up to 33, without I and O."""
STARPORTS = {4: "D", 5: "C", 6: "A"}
AIRS = {"vacuum": "0", "thin": "3", "normal_air": "6", "polluted": "7", "toxic": "B"}
GOVERNMENTS = {
    "anarchy": "0", "tribalism": "7", "community": "2", "monarchy": "A", "bureaucracy": "8", "democracy": "4",
    "technocracy": "5", "dictatorship": "B", "theocracy": "D", "oligarchy": "3", "imperialism": "F",
}
MINERS = "6"
LAWS = {4: "3", 3: "5", 2: "7", 1: "9"}
LEVELS = {1: "0", 2: "2", 3: "6", 4: "9", 5: "C", 6: "F"}
NOBODY = "Unaligned"
ZONES = {"hostile": "R", "neutral": "A"}
HEADER = (
    "Hex", "Name", "UWP", "Bases", "Remarks", "Zone", "PBG", "Allegiance", "Stars", "{Ix}", "(Ex)", "[Cx]", "Nobility",
    "W", "EG_code", "EG_T", "EG_O", "EG_NT", "EG_culture", "EG_nature", "EG_politics", "EG_offer", "EG_demand",
)


def profile(found: World, rulings: Rulings) -> str:
    """The nine signs of a world: port, size, air, seas, people, government, law, and level after a dash."""
    air = AIRS[atmosphere(air_index(found.size_t, found.oceans_o, rulings))]
    body = f"{EXTENDED[found.size_t]}{air}{EXTENDED[found.oceans_o]}"
    folk = found.people
    if folk is None:
        return f"X{body}000-0"
    port = STARPORTS.get(folk.tech_level, "X")
    crowd = EXTENDED[population_exponent(folk.tech_level, found.size_t, rulings)]
    law = LAWS[arms(folk.tech_level, folk.nature, rulings).civilians]
    return f"{port}{body}{crowd}{government(folk, found.size_t)}{law}-{LEVELS[folk.tech_level]}"


def government(folk: People, size_t: int) -> str:
    """How a people is ruled; miners are ruled from elsewhere."""
    return MINERS if is_mining_colony(folk.tech_level, size_t) else GOVERNMENTS[folk.politics]


def row(found: World, rulings: Rulings) -> tuple[str, ...]:
    """One system."""
    folk = found.people
    zone = ZONES.get(folk.nature, "") if folk is not None else ""
    member = folk is not None and is_empire_member(folk.tech_level, folk.nature)
    name = " ".join((found.name or found.code or found.square).split())
    crowd = "1??" if folk is not None else "0??"
    ours = (found.code, str(found.size_t), str(found.oceans_o), *_people(folk))
    return (found.square, name, profile(found, rulings), "", "", zone, crowd, "Em" if member else "Na", "", "", "", "",
            "", str(found.n_planets), *ours)


def _people(folk: People | None) -> tuple[str, ...]:
    if folk is None:
        return ("",) * 6
    rows = (folk.tech_level, folk.culture_row, folk.nature_row, folk.politics_row)
    return (*map(str, rows), _listed(folk.offered), _listed(folk.demanded))


def _listed(rolls: Iterable[int]) -> str:
    return " ".join(map(str, rolls))
