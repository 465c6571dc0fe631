"""Empire galactique: which route earns most, how one gets there, and what other programs read of a sector."""

import json
import re
from dataclasses import replace
from fractions import Fraction
from math import sqrt

import pytest

from paravent.dice import ScriptedDice, SeededDice, play
from paravent.game import to_plain
from paravent.game.leaves import Exits, Heading, Holding, PageBreak, Plate, Reader, Rows, Says, Vignettes
from paravent.game.telling import Teller
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import Animal
from paravent.systems.empire.people.character import Character, Skill
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.trade.kinds import Cargo, Seen
from paravent.systems.empire.trade.planner import (
    Merchant,
    Stop,
    Venture,
    bought,
    chance_wanted,
    law_bought,
    law_of,
    law_sold,
    played,
    sold,
    weighed,
)
from paravent.systems.empire.trade.trade import Lot, names_of
from paravent.systems.empire.travel.errors import NoSuchWorld
from paravent.systems.empire.travel.passages import Net, Port, legs_between, net_of, passage_between
from paravent.systems.empire.worlds.errors import NoSuchCell, NotASector
from paravent.systems.empire.worlds.formats import (
    COLUMNS,
    LOSSES,
    LOST,
    read_csv,
    read_routes,
    read_sec,
    read_t5,
    sector_csv,
    sector_json,
    sector_sec,
    sector_t5,
    sector_xml,
)
from paravent.systems.empire.worlds.living import market_of
from paravent.systems.empire.worlds.maps import Chart, revealed
from paravent.systems.empire.worlds.sector import (
    Beside,
    Beyond,
    Colour,
    Density,
    Given,
    Quarter,
    Route,
    sector,
    squares,
)

RULINGS = SYSTEM.book.rulings()
NADIR = Character(name="Nadir", charm=9, intelligence=8, guild=Guild.MERCHANT, grade=2, credits=90_000,
                  skills=(Skill("44", 3), Skill("46", 2)))
ANA = Merchant(9, 8, 3, 2, 2, 90_000)


@pytest.fixture(scope="module")
def nacre():
    return play(sector, "Nacre", Density.MEAN, "nacre", RULINGS, dice=ScriptedDice()).result


def venture(good="minerals", lots=12, here=3, there=6):
    return Venture(good, lots, Stop("0101", "Ixe", here), Stop("0505", "Our", there), ())


def reader(*records, chosen=None, gm=True, day=0):
    kinds = {type(record): kind.id for kind in SYSTEM.kinds.values() for record in records
             if isinstance(record, kind.cls)}
    held = tuple(Holding(f"r{at}", kinds[type(record)], "", record, True) for at, record in enumerate(records))
    return Reader(SYSTEM, RULINGS, held, chosen or {}, gm, day)


# The planner


@pytest.mark.rules("EGW-104", "EGW-107", "EGW-108")
def test_the_mean_told_is_that_of_a_hundred_thousand_ventures_played():
    one = venture()
    costs, prices = law_bought(ANA, one, RULINGS), law_sold(ANA, one, RULINGS)
    mean = prices.mean() - costs.mean()
    assert weighed(ANA, one, RULINGS).gain == mean
    variance = (costs.mean(lambda n: n * n) - costs.mean() ** 2) + (prices.mean(lambda n: n * n) - prices.mean() ** 2)
    dice, n = SeededDice(1982), 100_000
    total = sum(played(dice, ANA, one, RULINGS) for _ in range(n))
    assert abs(total / n - float(mean)) < 4 * sqrt(float(variance) / n)


def test_the_law_of_a_venture_sums_to_one_and_has_its_mean():
    plan = weighed(ANA, venture("crafts", 5, 2, 6), RULINGS)
    law = law_of(ANA, plan, RULINGS)
    assert sum(law.values()) == 1
    assert sum(gain * chance for gain, chance in law.items()) == plan.gain


def test_a_venture_played_is_the_rules_one_after_the_other():
    one = venture("minerals", 2, 3, 6)
    faces = (1, 2, 3, 6, 6, 6)
    assert play(bought, ANA, one, RULINGS, dice=ScriptedDice(*faces)).result == 100 * 3 * 6 * 2 + 20
    assert play(sold, ANA, one, RULINGS, dice=ScriptedDice(*faces)).result == 100 * 3 * 6 * 3 * 2 - 20


@pytest.mark.rules("EGW-082", "EGW-101")
def test_where_only_the_level_is_known_a_buyer_is_as_likely_as_the_demand_dice():
    assert chance_wanted("arms", 2, 2) == Fraction(71, 1296)  # EGW-O71


def test_nobody_plans_what_they_may_be_unable_to_pay(nacre):
    found = SYSTEM.leaves["trade"].make(reader(nacre, NADIR))
    plans = found.data["plans"]
    assert plans
    assert [plan["weekly"] for plan in plans] == sorted((plan["weekly"] for plan in plans), reverse=True)
    assert all(plan["stake"] + plan["fare"] <= 90_000 for plan in plans)
    json.dumps(to_plain(found.data))


@pytest.mark.rules("EGW-111")
def test_arms_for_a_lower_world_are_told_apart(nacre):
    found = SYSTEM.leaves["trade"].make(reader(nacre, replace(NADIR, credits=10**7)))
    levels = {world.square: world.tech_level for world in nacre.worlds}
    for plan in found.data["plans"]:
        assert plan["good"] != "arms" or levels[plan["from_square"]] <= levels[plan["to_square"]]


def test_a_player_plans_over_what_was_seen_and_unseen_markets_change_nothing(nacre):
    squares = [world.square for world in nacre.worlds if world.people][:4]
    chart = revealed(Chart("Nacre", sector="s"), nacre, squares, RULINGS)
    here = nacre.world_at(squares[0])
    notes = (Seen(here.square, here.name, here.tech_level, 0, (7, 8, 9), (3, 4)),)
    mine = (chart, NADIR, Cargo("soute", markets_seen=notes))

    def told(of):
        again = revealed(chart, of, (), RULINGS)
        content = SYSTEM.leaves["trade"].make(reader(again, *mine[1:], gm=False, chosen={"start": here.square}))
        return repr(content)

    other = replace(nacre, worlds=tuple(
        replace(one, people=replace(one.people, offered=(3,) * 6, demanded=(3,) * 6)) if one.people else one
        for one in nacre.worlds))
    assert told(nacre) == told(other)
    assert "minerals" in told(nacre)
    stale = SYSTEM.leaves["trade"].make(reader(chart, NADIR, mine[2], gm=False, day=31))
    assert stale.data["plans"] == []  # what was seen last month is no longer known


# Travel


@pytest.mark.rules("EGW-096", "EGW-097", "EGW-195", "EGW-196")
def test_a_voyage_is_paid_leg_by_leg():
    ports = (Port("0101", "A", "Aur", 6), Port("0501", "B", "Bel", 6), Port("0901", "C", "Cor", 5),
             Port("0910", "D", "Dol", 2))
    net = Net(ports, (Route("A", "B", Colour.RED), Route("C", "B", Colour.BLUE)))
    assert [leg.colour for leg in legs_between(net, "0101", "0901")] == [Colour.RED, Colour.BLUE]
    trip = passage_between(net, "0101", "0901", RULINGS)
    assert (trip.days, trip.credits, trip.barges) == (14, 2100 + 7000, 1)
    assert passage_between(net, "0101", "0901", RULINGS, "liner").credits == 3500 + 7000
    assert [leg.colour for leg in legs_between(net, "0101", "0910")] == [Colour.RED, Colour.BLUE, None]
    assert legs_between(Net(ports, ()), "0101", "0501") is None


def test_a_world_is_named_by_its_name_its_code_or_its_square(nacre):
    net = net_of(nacre)
    port = net.ports[4]
    assert net.called(port.name.upper()) == net.called(port.code) == net.called(port.square) == port
    with pytest.raises(NoSuchWorld):
        SYSTEM.leaves["voyage"].make(reader(nacre, chosen={"end": "Zorglub"}))
    told = SYSTEM.leaves["voyage"].make(reader(nacre, chosen={"start": "Octyre", "end": "Shaim"}))
    assert (told.data["jumps"], told.data["days"], told.data["fares"]["barge"]) == (1, 7, 7000)


@pytest.mark.rules("EGW-196")
def test_the_whole_group_leaves_and_each_pays_a_passage(nacre):
    """Whose character it is counts, not who is in the scene: nobody pays for a guard of the game master's."""
    held = tuple(Holding(name, "character", name, Character(name=name), mine, owned) for name, mine, owned in (
        ("nadir", True, True), ("olga", False, True), ("garde", False, False)))
    chosen = {"start": "Octyre", "end": "Shaim"}
    told = SYSTEM.leaves["voyage"].make(Reader(
        SYSTEM, RULINGS, (Holding("carte", "sector", "", nacre), *held), chosen, True))
    (leave,) = (one for block in told.blocks if isinstance(block, Exits) for one in block.ways)
    assert leave.form["nadir"]["travellers"] == 2
    assert any(block.says.values.get("fare") == 14_000 for block in told.blocks if isinstance(block, Says))

    def fares(chosen):
        rich = (Holding("carte", "sector", "", nacre), held[0]._replace(record=NADIR), *held[1:])
        planner = Reader(SYSTEM, RULINGS, rich, {"start": "Octyre", **chosen}, True)
        plans = SYSTEM.leaves["trade"].make(planner).data["plans"]
        return {(one["good"], one["from"], one["to"]): one["fare"] for one in plans}

    alone, together = fares({"travellers": "1"}), fares({})  # the planner counts as the voyage does
    assert alone
    assert {venture: 2 * fare for venture, fare in alone.items() if venture in together}.items() <= together.items()


@pytest.mark.rules("EGW-111")
def test_where_declared_arms_do_not_leave_one_goes_through_customs_first(nacre):
    def leave(gm=False, **lot):
        hold = Cargo("Soute", (Lot("arms", 1, 6, "Octyre", **lot),))
        held = (Holding("carte", "sector", "", nacre), Holding("nadir", "character", "", NADIR, not gm, True),
                Holding("soute", "cargo", "", hold, not gm, True))
        told = SYSTEM.leaves["voyage"].make(Reader(
            SYSTEM, RULINGS, held, {"start": "Octyre", "end": "Grahoudh"}, gm))
        (way,) = (one for block in told.blocks if isinstance(block, Exits) for one in block.ways)
        assert way.cast["cargo"] == ("soute",)  # the game master sends it with what is aboard too
        return way

    for gm in (False, True):
        customs = leave(gm)
        assert (customs.move, customs.form) == ("leave-port", {"nadir": {"destination_level": 3}})
        assert leave(gm, disguised=True).move == "travel-interstellar"


# Told and printed


def test_every_world_is_told_with_its_market_and_the_figures_of_its_beasts(nacre):
    for world in nacre.worlds:
        told = SYSTEM.leaves["sector"].make(reader(nacre, chosen={"square": world.square}))
        columns = [block.columns for block in told.blocks if isinstance(block, Rows)]
        assert (("offered_goods", "base_price", "wanted_where") in columns) == (world.people is not None)
        cards = [one for block in told.blocks if isinstance(block, Vignettes) for one in block.vignettes]
        assert len(cards) == (0 if world.life.value == "lifeless" else 6 if world.people is None else 3)
        assert all("armour_short" in dict(one.figures) for one in cards)


@pytest.mark.rules("EGW-108", "EGW-111")
def test_a_market_tells_where_its_goods_are_wanted_and_the_gap_that_multiplies(nacre):
    """Each world named there wants the good this month, the widest gap first; arms only where customs let them in."""
    lists = {one.square: market_of(one, nacre.key(one.square), 0, RULINGS) for one in nacre.worlds if one.people}
    levels = {one.name: one.tech_level for one in nacre.worlds}
    wants = {one.name: names_of(lists[one.square].demanded[:one.tech_level]) for one in nacre.worlds if one.people}
    arms_told = 0
    for found in nacre.worlds:
        if found.people is None:
            continue
        content = SYSTEM.leaves["sector"].make(reader(nacre, chosen={"square": found.square}))
        sold, _ = (block for block in content.blocks if isinstance(block, Rows) and "base_price" in block.columns)
        for says, _, where in sold.rows:
            good = says.values["good"]
            good = good if isinstance(good, str) else good.name
            told = [words.split("\u00a0×") for words in where.values.get("places", ())]
            expected = {name: max(1, abs(found.tech_level - levels[name])) for name, goods in wants.items()
                        if good in goods and name != found.name and not (
                            good == "arms" and found.tech_level > levels[name])}
            assert {name: int(gap) for name, gap in told}.items() <= expected.items()
            assert len(told) == min(4, len(expected))
            assert [int(gap) for _, gap in told] == sorted(expected.values(), reverse=True)[:4]
            arms_told += good == "arms"
    assert arms_told


def test_an_atlas_has_an_index_of_all_and_a_page_for_each_inhabited_world(nacre):
    told = SYSTEM.leaves["atlas"].make(reader(nacre))
    pages: list[list[object]] = [[]]
    for block in told.blocks:
        if isinstance(block, PageBreak):
            pages.append([])
        else:
            pages[-1].append(block)
    peopled = sum(world.people is not None for world in nacre.worlds)
    _map, _index, *numbered, blank = pages
    for n, page in enumerate(numbered, start=3):  # worlds with a people, then the beasts of the others
        assert isinstance(page[0], Heading)
        assert page[0].says.values["n"] == n
        assert any(isinstance(block, Vignettes) for block in page)
        assert page[0].within == (n > peopled + 3)  # only a world and the first page of beasts have a title
    assert [type(block) for block in blank] == [Heading, Plate]
    index = next(block for block in told.blocks if isinstance(block, Rows))
    assert len(index.rows) == len(nacre.worlds)


def test_on_paper_a_worlds_page_has_room_for_three_beasts_and_says_where_the_others_are(nacre):
    home = next(world for world in nacre.worlds if world.people is not None)
    herd = tuple(Animal(f"Bête {n}", diet_ta=4, body_row=5) for n in range(5))
    crowded = replace(nacre, worlds=tuple(replace(world, fauna=herd) if world is home else world
                                          for world in nacre.worlds))
    blocks = SYSTEM.leaves["atlas"].make(reader(crowded)).blocks
    page, shown = 1, {}
    for block in blocks:
        page += isinstance(block, PageBreak)
        for card in block.vignettes if isinstance(block, Vignettes) else ():
            shown[card.name] = page
    assert {shown[beast.name] for beast in herd[:3]} != {shown[beast.name] for beast in herd[3:]}
    led = {block.says.values["n"] for block in blocks if isinstance(block, Says) and "more_beasts" in block.says.key}
    assert {shown[beast.name] for beast in herd[3:]} == led


@pytest.mark.rules("EGW-101", "EGW-107")
def test_a_merchant_reads_on_the_map_what_was_found_there_this_month_and_what_a_lot_may_cost(nacre):
    chart = replace(revealed(Chart("Carte"), nacre, ("0408",), RULINGS), party="0408")
    seen = Seen("0408", "T", 5, 0, (14, 14, 10), (6, 6, 12))
    hold = Cargo("Soute", (Lot("plants", 3, 2, "Ixe"),), markets_seen=(seen,))

    def tables(day, *records):
        told = SYSTEM.leaves["sector"].make(reader(chart, *records, chosen={"square": "0408"}, gm=False, day=day))
        return [block.rows for block in told.blocks if isinstance(block, Rows)]

    (sold, wanted) = tables(0, hold)
    teller = Teller("fr", SYSTEM)
    assert [teller.telling(cell) for cell in sold[0]] == [
        "communication\u00a0×2", "1500 à 9000\u00a0¢", "1000 à 6000\u00a0¢", "500 à 3000\u00a0¢"]
    assert [(teller.telling(good), aboard) for good, aboard in wanted] == [("végétaux\u00a0×2", 3), ("armures", None)]
    assert tables(40, hold) == tables(0) == []  # what has grown old is not for sale, nor what nobody looked for


# Other programs: patterns of the published parser of Traveller Map (server/serialization/SectorParser.cs)

DIGIT = "[0123456789ABCDEFGHJKLMNPQRSTUVWXYZ?]"
T5 = {
    "Hex": r"[0-9]{4}", "Name": r".+", "UWP": rf"[ABCDEX?]{DIGIT}{{2}}[0-9AX?]{DIGIT}{{3}}-{DIGIT}",
    "Bases": r"C?D?E?H?I?K?M?N?O?R?S?T?V?W?X?", "Zone": r"(|A|R|F|U|B)", "PBG": r"[0-9X?][0-9A-FX?]{2}",
    "Allegiance": r"[A-Za-z0-9]{2}", "W": r"[0-9]+", "Nobility": r"[BcCDeEfFGH]*", "Stars": r"",
}
SEC = re.compile(
    r"^([ \t]*(?P<name>.*))([ \t]*(?P<hex>[0-9]{4}))([ \t]{1,2}(?P<uwp>[ABCDEX?][0-9A-Z?]{6}-[0-9A-Z?]))"
    r"([ \t]{1,2}(?P<base>[A-Zr1-9* \-]))([ \t]{1,2}(?P<codes>.{10,}?))([ \t]+(?P<zone>[GARBFU \-]))?"
    r"([ \t]{1,2}(?P<pbg>[0-9X?][0-9A-FX?][0-9A-FX?]))([ \t]{1,2}(?P<al>([A-Za-z0-9][A-Za-z0-9?\-]|--)))"
    r"([ \t]*.*?)[ \t]*$")


@pytest.mark.parametrize("seed", ["nacre", "ourmansk", "bord", "loin"])
def test_every_row_fits_every_pattern_of_the_published_parser(seed):
    chart = play(sector, "Nacre", Density.CORE, seed, RULINGS, dice=ScriptedDice()).result
    head, *lines = [line.split("\t") for line in sector_t5(chart, RULINGS).splitlines()]
    assert len(lines) == len(chart.worlds)
    for line in lines:
        cells = dict(zip(head, line, strict=True))
        assert [name for name, pattern in T5.items() if not re.fullmatch(pattern, cells[name])] == []
    legacy = sector_sec(chart, RULINGS).splitlines()[1:]
    for line, world in zip(legacy, chart.worlds, strict=True):
        found = SEC.match(line)
        assert found is not None, line
        assert (found["hex"], found["pbg"]) == (world.square, "1??" if world.people else "0??")


def test_a_sector_is_read_back_without_loss_and_a_renamed_row_is_renamed(nacre):
    written = sector_t5(nacre, RULINGS)
    assert read_t5(written, RULINGS) == replace(nacre, seed="")
    assert "nacre" not in written  # the seed stays with the game master
    name = nacre.worlds[3].name
    again = read_t5(written.replace(f"\t{name}\t", "\tNeuve\t", 1), RULINGS)
    assert again.worlds[3].name == "Neuve"
    whole = json.loads(sector_json(nacre, RULINGS))
    assert SYSTEM.kind("sector").from_plain(whole) == nacre


def test_a_file_of_another_program_is_read_and_what_is_none_is_named_by_its_line():
    foreign = "Hex\tName\tUWP\tPBG\tW\n0101\tRegina\tA788899-C\t703\t8\n0203\tRoche\tX200000-0\t000\t1\n"
    found = read_t5(foreign, RULINGS)
    assert [(one.name, one.size_t, one.oceans_o, one.tech_level) for one in found.worlds] == [
        ("Regina", 7, 8, 6), ("Roche", 2, 0, 0)]
    with pytest.raises(NotASector) as refusal:
        read_t5(foreign + "3240\tLoin\tA788899-C\t703\t8\n", RULINGS)
    assert refusal.value.values["line"] == 4
    with pytest.raises(NotASector):
        read_t5("rien", RULINGS)


def test_the_legacy_format_is_read_as_far_as_it_tells_and_a_bad_line_is_named(nacre):
    told = sector_sec(nacre, RULINGS)
    found = read_sec(told, RULINGS)
    assert found.name == nacre.name
    assert [(one.square, one.size_t, one.oceans_o, one.tech_level) for one in found.worlds] == [
        (one.square, one.size_t, one.oceans_o, one.tech_level) for one in nacre.worlds]
    assert sector_sec(found, RULINGS).splitlines()[0] == told.splitlines()[0]
    with pytest.raises(NotASector) as refusal:
        read_sec(told + "n'importe quoi\n", RULINGS)
    assert refusal.value.values["line"] == len(told.splitlines()) + 1
    with pytest.raises(NotASector):
        read_sec("# rien\n", RULINGS)


def test_a_spreadsheets_table_is_read_back_with_all_that_it_holds(nacre):
    told = sector_csv(nacre, RULINGS)
    found = read_csv(told, RULINGS)
    assert sector_csv(found, RULINGS) == told
    assert found.routes == nacre.routes
    parted = "\ufeff" + "\r\n".join(line.replace(",", ";") for line in reversed(told.splitlines()[1:]))
    head = told.splitlines()[0].replace(",", ";")
    assert sector_csv(read_csv(parted.replace("\ufeff", f"\ufeff{head}\r\n"), RULINGS), RULINGS) == "\n".join(
        (told.splitlines()[0], *reversed(told.splitlines()[1:]), ""))
    few = read_csv("oceans_o,size_t,square,name\n7,6,0101,Ixe\n\n", RULINGS).worlds
    assert [(one.name, one.square, one.size_t, one.oceans_o, one.tech_level) for one in few] == [
        ("Ixe", "0101", 6, 7, 0)]


def grown(chart):
    """The sector with something in every field."""
    worlds = tuple(replace(
        one, name=f"{one.name} la très lointaine", diameter_more=12, life_die=6, edited=True, faces=(3, 4),
        remarks="à voir", port_name="Port-Vieux", fauna=(Animal("Gruk"),),
        people=one.people and replace(one.people, name="Ouri", dominant="charm", remarks="fiers", human=False,
                                      life_die=6)) for one in chart.worlds)
    crossed = next(one for one in squares() if chart.world_at(one) is None)
    return replace(
        chart, worlds=worlds, remarks="loin", party="0101", density=Density.CORE, galaxy="Nuit", x=1, y=2,
        codes=(Given(crossed, "ZZ"), *chart.codes), drawn=tuple(Quarter), beside=(Beside(1, 0, "Est"),),
        beyond=(Beyond("A", 1, 0, "0101", "Ixe", Colour.RED),))


def by_field(value, at=""):
    """Plain values by the way to them, those of the worlds together."""
    if not isinstance(value, dict):
        return {at: value}
    found = {}
    for name, part in value.items():
        for one in part if name == "worlds" else [part]:
            for path, leaf in by_field(one, f"{at}.{name}".strip(".")).items():
                found.setdefault(path, []).append(leaf)
    return found


@pytest.mark.parametrize(("written", "write", "read"), [
    ("t5", sector_t5, read_t5), ("sec", sector_sec, read_sec), ("csv", sector_csv, read_csv)])
def test_what_a_format_cannot_hold_is_told_all_of_it_and_nothing_else(nacre, written, write, read):
    whole = grown(nacre)
    before, after = by_field(to_plain(whole)), by_field(to_plain(read(write(whole, RULINGS), RULINGS)))
    lost = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert lost == {path for one in LOSSES[written] for path in LOST[one]}


@pytest.mark.parametrize("seed", ["nacre", "ourmansk", "marges"])
def test_a_legacy_file_read_back_says_the_same(seed):
    """What its profiles and zones say of how a people is ruled and takes strangers is kept."""
    chart = play(sector, "Marges", Density.MEAN, seed, RULINGS, dice=ScriptedDice()).result
    text = sector_sec(chart, RULINGS)
    assert sector_sec(read_sec(text, RULINGS), RULINGS) == text
    (found,) = read_sec("Loin          0203 A466AB5-F  - Hi In           R  123 Na \n", RULINGS).worlds
    assert (found.people.nature, found.people.politics) == ("hostile", "dictatorship")
    (bare,) = read_sec("Loin 0203 A466AB5-F\n", RULINGS).worlds
    assert bare.people.nature_row == bare.people.tech_level + 3  # nothing is said of it


def test_only_the_whole_record_is_said_to_hold_everything():
    kind = SYSTEM.kind("sector")
    assert [one for one in kind.exports if not Teller("fr", SYSTEM).losses(kind, one)] == ["json"]
    told = Teller("fr", SYSTEM).losses(kind, "t5")
    assert told.endswith("n'y sont pas la graine et la place du groupe.")


@pytest.mark.parametrize(("line", "column"), [
    ("1101,,Loin,9,6,7,lifeless,,,,,", "square"), ("0101,,Loin,9,11,7,lifeless,,,,,", "size_t"),
    ("0101,,Loin,9,six,7,lifeless,,,,,", "size_t"), ("0101,,Loin,9,6,7,fungus,,,,,", "life"),
    ("0101,,Loin,9,6,7,intelligent_life,,,,,", "tech_level"), ("0101,,Loin,9,6,7,,7,,,,", "tech_level"),
    ("0101,,Loin,9,6,7,,4,poetry,,,", "culture"), (",,Loin,9,6,7,,4,,,,", "square"),
    ("0203,,Loin,9,6,7,,4,,,,", "square"), ("0101,A,Loin,9,6,7,,4,,,,", "code"),
])
def test_a_cell_that_cannot_be_is_named_by_its_line_and_column_in_both_languages(line, column):
    with pytest.raises(NoSuchCell) as refusal:
        read_csv(f"{','.join(COLUMNS)}\n0203,A,Ixe,9,6,7,,4,,,,\n{line}\n", RULINGS)
    assert (refusal.value.values["line"], refusal.value.values["column"]) == (3, column)
    assert [Teller(lang, SYSTEM).error(refusal.value).startswith(word) for lang, word in (
        ("fr", "Ligne 3, colonne"), ("en", "Line 3, column"))] == [True, True]


@pytest.mark.parametrize("text", ["", "rien", "square,name\n0101,Ixe\n", ",".join(COLUMNS)])
def test_what_is_no_table_of_a_sector_is_refused(text):
    with pytest.raises(NotASector):
        read_csv(text, RULINGS)


@pytest.mark.rules("EGW-096")
def test_routes_and_names_are_in_the_metadata(nacre):
    squares = {world.code: world.square for world in nacre.worlds}
    routes = read_routes(sector_xml(nacre, RULINGS))
    kinds = {Colour.RED: "Great", Colour.BLUE: "Small"}
    assert routes == tuple((squares[one.start], squares[one.end], kinds[one.colour]) for one in nacre.routes)
    assert "<Name>Nacre</Name>" in sector_xml(nacre, RULINGS)
    rows = sector_csv(nacre, RULINGS).splitlines()
    assert len(rows) == len(nacre.worlds) + 1
