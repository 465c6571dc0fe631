"""Empire galactique, worlds and gear from four seats: other secrets leave the same page to those who may not know."""

from dataclasses import fields, replace

import pytest

from paravent.dice import ScriptedDice, play
from paravent.dice.play import ScriptedFaces
from paravent.game import EVERYONE, NotNow, NotYours, UnknownName
from paravent.game.errors import BlindThrow, NobodyChosen
from paravent.game.telling import Teller
from paravent.systems.empire import SYSTEM
from paravent.systems.empire.beasts.animals import Animal
from paravent.systems.empire.beasts.persons import Person, PersonRole
from paravent.systems.empire.machines.kinds import Gear, Robot
from paravent.systems.empire.machines.machines import Exposure
from paravent.systems.empire.machines.robots import RobotType
from paravent.systems.empire.people.character import Character, Skill
from paravent.systems.empire.people.creation import Guild
from paravent.systems.empire.people.referee import Slot
from paravent.systems.empire.trade.errors import TooLittleMoney
from paravent.systems.empire.trade.goods import tallied
from paravent.systems.empire.trade.kinds import Cargo, Market
from paravent.systems.empire.trade.trade import Lot, names_of
from paravent.systems.empire.worlds.peoples import People
from paravent.systems.empire.worlds.planet import Life, World
from paravent.systems.empire.worlds.sector import Density, sector, seeded_sector
from paravent.table import commands as c
from paravent.table.hotseat import Hotseat
from seats import applied, page, told_keys

SEATS = {"mj": "gm", "ana": "player", "bob": "player", "zoe": "spectator"}
PLAYERS = ("ana", "bob", "zoe")
NADIR = Character(name="Nadir", charm=9, guild=Guild.MERCHANT, grade=2, credits=90_000,
                  skills=(Skill("44", 2), Skill("46", 1), Skill("61", 1), Skill("64", 2), Skill("65", 1)))
OLGA = Character(name="Olga", credits=100)
IXE = Market("Ixe", 4, "neutral", 9, offered=(6, 9, 6, 13, 8, 4), demanded=(11, 5, 15, 6, 6, 3))
CAR = Gear("auto", 3, 30_000, 0, 8, Exposure.PROTECTED)
RADIO = Gear("radio", 4, 4000, 1000, 9, damage=4, spare_parts=9)
BROKEN = Gear("laser", 4, 12_000, 2000, 9, damage=5, broken=True, spare_parts=9)
HOLD = Cargo("soute", (Lot("arms", 2, 5, "Our"), Lot("plants", 10, 1, "Our")))


def table(*faces, ixe=IXE, laser=BROKEN, **options):
    """Nadir and his things are Ana's, Olga is Bob's; the market is there for all."""
    hotseat = Hotseat(SYSTEM, SEATS, options, ScriptedFaces(faces))
    hotseat.add("nadir", NADIR, owner="ana")
    hotseat.add("olga", OLGA, owner="bob")
    hotseat.add("ixe", ixe, kind="market")
    for name, gear in (("auto", CAR), ("radio", RADIO), ("laser", laser)):
        hotseat.add(name, gear, owner="ana", kind="item")
    hotseat.add("soute", HOLD, owner="ana", kind="cargo")
    return hotseat


def pages(hotseat, seats=PLAYERS):
    return [page(hotseat, seat) for seat in seats]


def done(hotseat, who, move, cast, gm=None, form=None, accept=True):
    """A move started by a seat, settled by the game master, thrown, its changes accepted."""
    number = hotseat.start(who, move, cast, form or {})
    if gm:
        hotseat.fill("mj", number, gm)
    hotseat.throw("mj", number)
    if accept:
        applied(hotseat, "mj", number)
    return hotseat


# Behind the screen


SECRET = {
    "generate-sector": ({"name": "Marges", "seed": "ourmansk"}, ()),
    "generate-world": ({"name": "Ixe-Trois"}, (1, 1, 1, 5, 4, 2, 3, 2)),
    "generate-people": ({"name": "Ixiens", "size_t": 6, "life_die": 5}, (1, 3, 4, 2, 5, 3, 3, 1, 1, 6, 1, 1, 1, 1)),
    "generate-animal": ({"name": "croc", "oceans_o": 6}, (1, 1, 6, 5, 6, 2, 3, 3)),
    "generate-fauna": ({"name": "bête", "oceans_o": 6, "companions": True, "people_level": 1}, (1,) * 21),
    "generate-market": ({"name": "Our", "tech_level": 1}, (1,) * 28),
    "start-day": ({"oceans_o": 6}, (1, 1, 1)),
    "animal-encounter": ({"oceans_o": 6}, (1, 1)),
    "note-encounter": ({"name": "Vorn", "role": "nemesis"}, ()),
    "edit-square": ({"square": "0305", "edit": "clear"}, ()),
}


@pytest.mark.parametrize("move", SECRET)
def test_what_the_game_master_makes_is_nowhere_on_the_players_pages(move):
    form, faces = SECRET[move]
    hotseat = table(*faces)
    cast = {}
    if move == "edit-square":
        hotseat.add("marges", seeded_sector("ourmansk", SYSTEM.book.rulings()), kind="sector")
        cast = {"sector": ["marges"]}
    before = pages(hotseat)
    with pytest.raises(NobodyChosen if cast else NotYours):  # of the sector, players know nothing
        hotseat.start("ana", move)
    number = hotseat.start("mj", move, cast, {"gm": form})
    assert pages(hotseat) == before
    hotseat.throw("mj", number)
    assert pages(hotseat) == before
    if move not in ("generate-market",):  # a market is there for all, its lists are not
        applied(hotseat, "mj", number)
        assert pages(hotseat) == before


def test_a_market_shows_its_level_and_hides_its_lists():
    one, other = table(), table(ixe=Market("Ixe", 4, "hostile", 12, offered=(3,) * 6, demanded=(18,) * 6))
    assert pages(one) == pages(other)
    assert page(one, "mj") != page(other, "mj")


@pytest.mark.rules("EGW-092", "EGW-100")
def test_a_market_of_an_unseen_square_is_behind_the_screen_that_of_a_seen_one_is_there_for_all():
    hotseat = table()
    hotseat.add("marges", seeded_sector("ourmansk", SYSTEM.book.rulings()), kind="sector")
    done(hotseat, "mj", "share-map", {"sector": ["marges"]}, {"known_squares": ["0609"]})
    chart = next(name for name, held in hotseat.records.items() if held.kind == "chart")
    for square, told in (("0403", False), ("0609", True)):
        done(hotseat, "mj", "open-world", {"sector": ["marges"]}, {"square": square})
        world = next(name for name, held in hotseat.records.items()
                     if held.kind == "world" and held.record.square == square)
        before, markets = pages(hotseat), [name for name, held in hotseat.records.items() if held.kind == "market"]
        done(hotseat, "mj", "generate-market", {"world": [world], "chart": [chart]})
        (opened,) = (held.record for name, held in hotseat.records.items()
                     if held.kind == "market" and name not in markets)
        assert opened.square == square
        assert [opened.name in seen for seen in pages(hotseat)] == [told] * 3
        assert (pages(hotseat) == before) is not told


@pytest.mark.rules("EGW-098")
@pytest.mark.parametrize("named", ["", "Ourmansk", "our-mansk"])
def test_a_map_for_the_players_tells_the_seed_neither_by_its_name_nor_by_what_lies_beside(named):
    """A sector made at the command line, or named by its seed, or long ago: whoever has the seed has every square."""
    made = seeded_sector("ourmansk/1,0", SYSTEM.book.rulings())
    hotseat = table()
    hotseat.add("marges", replace(made, name=named or made.name, galaxy="ourmansk" if named else made.galaxy),
                kind="sector")
    done(hotseat, "mj", "share-map", {"sector": ["marges"]}, {"known_squares": [made.worlds[0].square]})
    (chart,) = (held.record for held in hotseat.records.values() if held.kind == "chart")
    assert all((chart.known, chart.name, chart.galaxy))
    hotseat.do(c.EditRecord(seat="mj", record="marges", path="party", value=made.worlds[0].square))
    for seen in pages(hotseat):
        assert "ourmansk" not in seen.casefold().replace("-", "")


@pytest.mark.rules("EGW-098")
def test_a_sector_of_a_seed_has_a_name_of_its_own_and_lies_beside_those_of_the_same_root():
    rulings = SYSTEM.book.rulings()
    one, other, far = (seeded_sector(seed, rulings) for seed in ("nacre/1,0", "nacre/2,0", "opale/1,0"))
    assert one.name
    assert "nacre" not in one.name.casefold()
    assert one.galaxy == other.galaxy != far.galaxy


def test_a_record_of_the_screen_cannot_be_named_by_a_player():
    hotseat = table()
    hotseat.add("croc", Animal("croc"), kind="animal")
    with pytest.raises(UnknownName):
        hotseat.start("ana", "provoke", {"initiator": ["nadir"], "animal": ["croc"]})


# Beasts and persons


@pytest.mark.rules("EGW-050", "EGW-051")
def test_a_feigned_flight_looks_like_any_other():
    def fled(behaviour):
        return done(table(), "ana", "provoke", {"initiator": ["nadir"]}, {"behaviour": behaviour},
                    {"nadir": {"provocation": "shot_at"}}, accept=False)

    flights = [fled(name) for name in ("flight_unprovoked", "flight_if_provoked", "flight_then_attack")]
    assert pages(flights[0]) == pages(flights[1]) == pages(flights[2])
    assert told_keys(flights[2], "ana") == ["told_flees"]
    assert told_keys(flights[2], "mj") == ["told_flees", "told_returns"]


@pytest.mark.rules("EGW-004")
def test_a_schedule_and_a_minute_stay_with_the_game_master():
    def sought(minute, home):
        hotseat = table(30)  # the die falls whether there is a watch or not
        hotseat.add("clerc", Person("le clerc", schedule=(Slot("home", 0, home, 2), Slot("office", 30, 59, 2))),
                    kind="person")
        number = hotseat.start("mj", "locate-person", {"initiator": ["nadir"], "person": ["clerc"]})
        hotseat.fill("ana", number, {"place": "office"})
        hotseat.fill("mj", number, {"minute": minute})
        hotseat.throw("mj", number)
        return hotseat

    assert pages(sought(3, 29)) == pages(sought(20, 25))
    assert told_keys(sought(40, 29), "zoe") == ["told_present"]


def test_a_beast_shown_keeps_its_intent():
    def shown(*faces):
        hotseat = table(*faces)
        form = {"gm": {"oceans_o": 6, "species": [2, 1], "announce": True}}
        number = hotseat.start("mj", "animal-encounter", {}, form)
        hotseat.throw("mj", number)
        return hotseat

    attacks, waits = shown(2, 2), shown(2, 3)
    assert pages(attacks) == pages(waits)
    assert told_keys(attacks, "bob") == ["told_beast"]


# Trade


@pytest.mark.rules("EGW-101")
def test_a_merchants_finds_are_his_own():
    hotseat = done(table(), "ana", "survey-market", {"initiator": ["nadir"], "market": ["ixe"]})
    assert told_keys(hotseat, "ana") == told_keys(hotseat, "mj") == ["told_survey"]
    assert told_keys(hotseat, "bob") == told_keys(hotseat, "zoe") == []
    assert "personal_equipment" not in page(hotseat, "bob")
    assert "personal_equipment" in page(hotseat, "ana")


@pytest.mark.rules("EGW-108")
def test_a_sale_is_weighed_by_what_the_merchant_has_noted():
    """That nobody here wants it is told before the dice to whoever wrote it down, and to nobody else."""
    cast = {"initiator": ["nadir"], "market": ["ixe"], "cargo": ["soute"]}

    def weighed(hotseat, good):
        number = hotseat.start("ana", "sell-lots", cast, {"nadir": {"good": good}})
        return [hotseat.odds(seat, number)[None].chance(lambda deal: deal.absent) for seat in ("ana", "mj")]

    peaceful = replace(IXE, demanded=tuple(roll for roll in IXE.demanded if names_of((roll,)) == ("plants",)))
    assert weighed(table(ixe=peaceful), "arms") == [0, 1]
    surveyed = done(table(ixe=peaceful), "ana", "survey-market", cast)
    assert weighed(surveyed, "arms") == [1, 1]
    assert weighed(surveyed, "plants") == [0, 0]


@pytest.mark.rules("EGW-104")
def test_the_dice_of_a_haggling_are_the_merchants():
    hotseat = table(1, 1, 1, 4)
    number = hotseat.start("ana", "haggle", {"initiator": ["nadir"]}, {"nadir": {"price": 2000}})
    hotseat.fill("mj", number, {"against": 2})
    hotseat.throw("ana", number)
    hotseat.answer("ana", number, False)
    faces = {seat: '"faces": [1, 1, 1]' in page(hotseat, seat) for seat in SEATS}
    assert faces == {"mj": True, "ana": True, "bob": False, "zoe": False}


@pytest.mark.rules("EGW-112")
def test_what_is_disguised_is_its_owners_and_whether_it_was_searched_the_game_masters():
    def left(inspected, disguised, *faces):
        form = {"nadir": {"disguised": disguised}}
        return done(table(*faces), "ana", "leave-port", {"initiator": ["nadir"], "cargo": ["soute"]},
                    {"inspected": inspected}, form, accept=False)

    assert pages(left(False, ["arms"])) == pages(left(True, ["arms"], 1, 1, 1))
    assert '"disguised"' not in "".join(pages(left(False, ["arms"]), ("bob", "zoe")))
    assert '"disguised"' in page(left(False, ["arms"]), "ana")


@pytest.mark.rules("EGW-115")
def test_the_grade_of_a_target_and_the_politics_of_a_place_are_hidden():
    def bribed(grade, *faces):
        cast = {"initiator": ["nadir"], "market": ["ixe"]}
        return done(table(*faces), "ana", "bribe", cast, {"target_grade": grade}, accept=False)

    assert pages(bribed(0, 1, 1, 1, 5)) == pages(bribed(3, 1, 1, 1, 2))  # nor is it told by the game master's die
    assert '"target_grade"' not in "".join(pages(bribed(3, 1, 1, 1, 2)))


# Gear


@pytest.mark.rules("EGW-120", "EGW-121", "EGW-122")
def test_a_driver_never_knows_how_the_test_went():
    def driven(*faces, accept):
        return done(table(*faces), "ana", "drive", {"initiator": ["nadir"], "item": ["auto"]}, accept=accept)

    for accept in (False, True):
        safe, doomed = driven(1, 1, 1, 2, accept=accept), driven(6, 6, 6, 5, accept=accept)
        assert pages(safe) == pages(doomed)
        assert page(safe, "mj") != page(doomed, "mj")
    hotseat = table()
    number = hotseat.start("ana", "drive", {"initiator": ["nadir"], "item": ["auto"]})
    with pytest.raises(BlindThrow):
        hotseat.throw("ana", number, by_hand=True)


@pytest.mark.rules("EGW-128")
def test_nobody_knows_how_many_questions_are_left():
    def asked(*faces):
        return done(table(*faces), "ana", "query-data-bank", {"initiator": ["nadir"]})

    assert pages(asked(1, 1, 1, 1)) == pages(asked(2, 2, 2, 6))
    assert told_keys(asked(1, 1, 1, 1), "zoe") == ["told_answers"]


@pytest.mark.rules("EGW-151", "EGW-153")
def test_wear_is_secret_until_the_thing_breaks():
    def checked(*faces):
        return done(table(*faces), "mj", "wear-check", {"initiator": ["nadir"], "item": ["radio"]})

    assert pages(checked(1, 1, 1)) == pages(table())
    broken = checked(6, 6, 6)
    assert broken.records["radio"].record.broken
    assert told_keys(broken, "mj")[0] == "told_worn"
    assert all('"broken": true' in seen for seen in pages(broken))
    assert '"damage"' not in "".join(pages(broken))


@pytest.mark.rules("EGW-164", "EGW-165")
def test_the_pace_of_a_repair_is_the_game_masters():
    def repaired(*faces):
        return done(table(*faces), "ana", "repair", {"initiator": ["nadir"], "item": ["laser"]})

    quick, slow = repaired(1, 1, 1, 6), repaired(2, 2, 2, 5)
    assert pages(quick) == pages(slow)
    assert page(quick, "mj") != page(slow, "mj")
    assert told_keys(quick, "ana") == ["told_it_works"]


@pytest.mark.rules("EGW-194")
def test_how_long_one_waits_for_a_ship_is_known_to_those_who_wait_and_not_by_the_die():
    def left(face):
        return done(table(face), "ana", "travel-interstellar", {"initiator": ["nadir"]}, {"departure_level": 4},
                    accept=False)

    assert "told_waiting" in told_keys(left(6), "bob")
    assert "told_waiting" not in told_keys(left(1), "bob")
    assert pages(left(1)) == pages(left(4))  # nobody waited


# What is made, ordered, mended and asked


@pytest.mark.rules("EGW-093")
def test_a_world_opened_from_the_map_stays_behind_the_screen():
    hotseat = table()
    chart = play(sector, "Marges", Density.MEAN, "ourmansk", hotseat.rulings, dice=ScriptedDice()).result
    hotseat.add("marges", chart, kind="sector")
    before = pages(hotseat)
    with pytest.raises((NotYours, UnknownName)):
        hotseat.start("ana", "open-world", {"sector": ["marges"]})
    done(hotseat, "mj", "open-world", {"sector": ["marges"]}, form={"gm": {"square": "0403"}})
    assert hotseat.records["H 0403"].record.tech_level == 6
    assert pages(hotseat) == before


SHOWN = {
    "world": (World("Corélée", "0403", "H", 6, 4, 2, life=Life.INTELLIGENT, life_die=5, people=People("Ouri", 4)),
              {"seed": "ourmansk/0403", "sector": "marges", "faces": (1, 2, 3), "edited": True, "remarks": "à garder"}),
    "person": (Person("Odo", charm=8), {
        "role": PersonRole.LURER, "tags": ("0609",), "square": "0403", "sector": "marges", "fidelity": "disloyal",
        "tested_day": 3, "escape_planned": True, "remarks": "ment", "schedule": (Slot("office", 0, 29),)}),
    "animal": (Animal("Trigeon"), {"behaviour": "attacks", "remarks": "affamé"}),
}


@pytest.mark.rules("EGW-003", "EGW-004", "EGW-006", "EGW-050", "EGW-098")
@pytest.mark.parametrize("kind", SHOWN)
def test_whatever_is_shown_keeps_where_its_dice_come_from_and_what_it_is_to_the_group(kind):
    """One tap showed players the sheet of a world, and in it the word that makes the whole sector."""
    plain, secrets = SHOWN[kind]

    def shown(record):
        hotseat = table()
        hotseat.add("marges", seeded_sector("ourmansk", hotseat.rulings), kind="sector")
        hotseat.add("it", record, kind=kind, audience=EVERYONE)
        assert "it" in hotseat.view("bob").records
        return hotseat

    bare = shown(plain)
    for name, value in secrets.items():
        assert pages(shown(replace(plain, **{name: value}))) == pages(bare), name
    assert pages(shown(replace(plain, name="Autre"))) != pages(bare)


def test_no_sheet_that_may_be_shown_tells_a_seed_or_leads_to_a_sector():
    for kind in SYSTEM.kinds.values():
        if not kind.kept:
            telling = {"seed", "sector", "faces"} & {field.name for field in fields(kind.cls)}
            assert telling <= set(kind.hidden), kind.id


@pytest.mark.rules("EGW-090", "EGW-093", "EGW-098")
def test_neither_the_seed_nor_an_unseen_square_is_told_by_a_voyage_a_market_or_an_edit():
    """Two sectors that differ in all that nobody has seen: the same evening leaves the same pages, seat by seat."""
    known = ("0403", "0609")

    def played(seed):
        hotseat = table(*(3,) * 40)
        chart = play(sector, "Marges", Density.MEAN, "ourmansk", hotseat.rulings, dice=ScriptedDice()).result
        if seed != chart.seed:
            chart = replace(chart, seed=seed, worlds=tuple(
                world if world.square in known else replace(world, name=f"{seed} {world.square}", fauna=(), people=None)
                for world in chart.worlds), lone_stars=(), routes=tuple(
                route for route in chart.routes if {route.start, route.end} <= {"H", "T"}))
        hotseat.add("marges", replace(chart, party="0403"), kind="sector")
        seen = []

        def does(move, cast, gm, form=None, who="mj"):
            done(hotseat, who, move, cast, form={**(form or {}), "gm": gm} if who == "mj" else form)
            seen.append(pages(hotseat))

        does("share-map", {"sector": ["marges"]}, {"known_squares": list(known)})
        chart_id = next(name for name, held in hotseat.records.items() if held.kind == "chart")
        does("travel-interstellar", {"initiator": ["nadir"], "chart": [chart_id], "cargo": ["soute"]}, None,
             {"nadir": {"destination": "Valamaris", "passage": "freighter"}}, who="ana")
        does("edit-square", {"sector": ["marges"]}, {"square": "0704", "edit": "set_name", "text": f"Chez {seed}"})
        does("edit-square", {"sector": ["marges"]}, {"square": "0805", "edit": "clear"})
        deeds = [line.deed for line in hotseat.records["soute"].record.ledger[-2:]]
        assert deeds == ["fare", "tax"]  # what nobody declared is taxed all the same
        return seen

    one, other = played("ourmansk"), played("autre")
    assert one == other
    assert "Valamaris" in str(one)
    for words in ("ourmansk", "Brukost", "Amamore", "Chez"):
        assert words not in str(one), words


@pytest.mark.rules("EGW-103")
def test_an_object_that_the_game_master_brings_is_seen_once_it_is_there():
    def placed(accept, **more):
        form = {"name": "serrure", "object_level": 4, **more}
        return done(table(1, 2, 3), "mj", "place-object", {}, form={"gm": form}, accept=accept)

    assert pages(placed(False)) == pages(table())
    assert '"damage"' not in "".join(pages(placed(True)))
    assert all("serrure" in seen for seen in pages(placed(True)))
    with pytest.raises(NotYours):
        table().start("ana", "place-object")


@pytest.mark.rules("EGW-132", "EGW-136", "EGW-137")
def test_only_its_master_sees_the_dice_of_an_order_and_nobody_how_battered_the_robot_is():
    def ordered(*faces, damage=0):
        hotseat = table(*faces)
        titan = Robot("titan", 6, quality=12, damage=damage, robot=RobotType.FORMEC)
        hotseat.add("titan", titan, owner="ana", kind="robot")
        return done(hotseat, "ana", "order-robot", {"initiator": ["nadir"], "robot": ["titan"]},
                    {"needs_test": True}, {"nadir": {"order": "soulève"}})

    one, other = ordered(1, 1, 1), ordered(2, 2, 2, damage=3)
    assert pages(one, ("bob", "zoe")) == pages(other, ("bob", "zoe"))
    assert page(one, "ana") != page(other, "ana")
    assert pages(one) == pages(ordered(1, 1, 1, damage=3))
    assert page(one, "mj") != page(ordered(1, 1, 1, damage=3), "mj")
    assert told_keys(one, "zoe") == ["told_robot_succeeds"]


@pytest.mark.parametrize(("move", "form"), [("workshop", {}), ("salvage", {}), ("convert", {"made_level": 3})])
def test_how_damaged_a_thing_is_shows_only_in_what_becomes_of_it(move, form):
    def begun(damage):
        hotseat = table(1, 1, 1, 4, laser=replace(BROKEN, damage=damage))
        number = hotseat.start("ana", move, {"initiator": ["nadir"], "item": ["laser"]}, {"nadir": form})
        return hotseat, number

    one, other = begun(5)[0], begun(7)[0]
    assert pages(one) == pages(other)
    assert page(one, "mj") != page(other, "mj")
    hotseat, number = begun(5)
    while hotseat.moves[number].phase == "open":
        try:
            hotseat.throw("ana", number)
        except NotNow:
            hotseat.answer("mj", number, "agree")
    hotseat.accept("mj", number)
    assert '"damage"' not in "".join(pages(hotseat))


@pytest.mark.rules("EGW-171")
def test_others_see_that_a_conversion_worked_and_not_the_dice():
    def converted(*faces):
        hotseat = table(*faces)
        cast = {"initiator": ["nadir"], "item": ["laser"]}
        number = hotseat.start("ana", "convert", cast, {"nadir": {"made_level": 3}})
        hotseat.answer("mj", number, "agree")
        hotseat.throw("ana", number)
        return hotseat

    assert pages(converted(1, 1, 1, 4), ("bob", "zoe")) == pages(converted(2, 1, 1, 4), ("bob", "zoe"))
    assert page(converted(1, 1, 1, 4), "ana") != page(converted(2, 1, 1, 4), "ana")


@pytest.mark.rules("EGW-128", "EGW-130")
def test_nobody_knows_how_many_answers_are_left_nor_reads_one_too_many():
    def asked(*faces, times=1):
        hotseat = done(table(*faces), "ana", "find-way", {"initiator": ["nadir"]})
        (at,) = hotseat.encounters
        for turn in range(times):
            number = hotseat.start("ana", "ask-question", {"initiator": ["nadir"]}, {"nadir": {"question": "où ?"}}, at)
            hotseat.fill("mj", number, {"answer": f"au nord {turn}"})
            hotseat.accept("mj", number)
        return hotseat

    few, many = asked(1, 1, 1, 1), asked(2, 2, 2, 6)
    assert pages(few) == pages(many)
    assert page(few, "mj") != page(many, "mj")
    assert told_keys(few, "zoe") == ["told_answers", "told_answer"]
    dry = asked(1, 1, 1, 1, times=2)
    assert told_keys(dry, "bob")[-1] == "told_insufficient"
    assert ["au nord 0" in seen and "au nord 1" not in seen for seen in pages(dry)] == [True] * 3


@pytest.mark.rules("EGW-107")
def test_a_buyer_is_told_what_the_purse_lacks_though_the_lists_of_the_market_are_hidden():
    hotseat = table(1, 1, 1)
    number = hotseat.start("bob", "buy-lots", {"initiator": ["olga"], "market": ["ixe"]}, {"olga": {"good": "plants"}})
    hotseat.throw("bob", number)
    assert "told_owed" in told_keys(hotseat, "bob")
    assert "told_owed" not in told_keys(hotseat, "ana")  # what is in a purse is its owner's
    hotseat.fill("bob", number, {"haggles": False})
    with pytest.raises(TooLittleMoney) as refused:
        hotseat.fill("bob", number, {"accept": True})
    assert refused.value.values["need"] == 120
    hotseat.fill("bob", number, {"accept": False})
    assert told_keys(hotseat, "bob")[-1] == "told_no_deal"


@pytest.mark.rules("EGW-080")
def test_a_good_that_abounds_is_told_once_with_how_often_it_came():
    hotseat = done(table(), "ana", "survey-market", {"initiator": ["nadir"], "market": ["ixe"]})
    assert "times" in str(page(hotseat, "ana"))
    assert Teller("fr", SYSTEM).value(tallied((6, 9, 6))) == "végétaux\u00a0×2, objets manufacturés"


@pytest.mark.rules("EGW-109")
def test_what_a_hold_pays_at_customs_tells_others_nothing_of_what_is_in_it():
    """With an empty purse, which everybody may look into, nothing else is left to tell two holds apart."""
    def left(*lots):
        hotseat = Hotseat(SYSTEM, SEATS, {}, ScriptedFaces(()))
        hotseat.add("nadir", replace(NADIR, credits=0), owner="ana")
        hotseat.add("soute", Cargo("soute", lots), owner="ana", kind="cargo")
        return done(hotseat, "ana", "leave-port", {"initiator": ["nadir"], "cargo": ["soute"]})

    little, much = left(Lot("plants", 1, 1, "Our")), left(Lot("machines", 40, 5, "Our"), Lot("robots", 2, 6, "Our"))
    assert pages(little, ("bob", "zoe")) == pages(much, ("bob", "zoe"))
    assert "told_tax" in told_keys(much, "ana")
    assert "told_tax" not in told_keys(much, "bob")
    assert page(little, "ana") != page(much, "ana")
